#include "pte/shared_states.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "pte/tensor_bounds.h"

namespace exportdeck::pte {

namespace {

struct SharedState {
  const ir::Constant* initial = nullptr;
  const ir::Graph* method = nullptr;  // where it was met first
  uint64_t offset = 0, bytes = 0;
};

void requireEqual(const SharedState& known, const ir::Constant& initial, const ir::Graph& method) {
  const char* what = nullptr;
  if (known.initial->type != initial.type) {
    what = "have other dtypes or sizes";
  } else if (known.initial->data != initial.data && known.initial->data->hash() != initial.data->hash()) {
    what = "begin with other values";
  }
  if (what == nullptr) return;
  throw ExportError(Code::MutationUnsupported,
                    concat("the state ", initial.name, " cannot be shared: in the methods ", known.method->name(),
                           " and ", method.name(), " it would ", what),
                    {"export both methods from the same module",
                     "leave the option share_state off, so that each "
                     "method keeps its own"});
}

}  // namespace

void planSharedStates(const std::vector<const ir::Graph*>& methods, const WriteOptions& options,
                      std::vector<MemoryPlan>& plans) {
  std::map<std::string, SharedState> states;
  uint64_t end = 0;
  for (size_t i = 0; i < methods.size(); ++i) {
    const int last = static_cast<int>(methods[i]->nodes().size());
    for (const ir::Value* state : methods[i]->states()) {
      const ir::Constant& initial = *state->initial();
      const auto [known, isNew] = states.try_emplace(initial.name);
      SharedState& shared = known->second;
      if (isNew) {
        shared = {&initial, methods[i], end, roundUp(boundedBytes(*state), options.alignment)};
        end += shared.bytes;
      } else {
        requireEqual(shared, initial, *methods[i]);
      }
      plans[i].buffers.push_back({state, shared.offset, shared.bytes, -1, last, /*memory=*/2});
    }
  }
  // A tensor without elements needs a place, too, and XNNPACK may read beyond the last.
  for (size_t i = 0; i < methods.size(); ++i) {
    if (methods[i]->states().empty()) continue;
    plans[i].sharedBytes = std::max<uint64_t>(end, 1) + kXnnpackOverRead;
    plans[i].arenaBytes = std::max<uint64_t>(plans[i].arenaBytes, options.alignment);
  }
}

}  // namespace exportdeck::pte
