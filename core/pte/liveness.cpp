#include "pte/liveness.h"

#include <algorithm>
#include <unordered_map>

#include "pte/tensor_bounds.h"

namespace exportdeck::pte {

namespace {

class LiveRanges {
 public:
  LiveRanges(const Storage& storage, uint64_t alignment) : storage_(storage), alignment_(alignment) {}

  void define(const ir::Value* value, int at) {
    if (storage_.base(value) != value || !storage_.isPlanned(value) || index_.contains(value)) return;
    index_.emplace(value, buffers_.size());
    buffers_.push_back({value, 0, roundUp(boundedBytes(*value), alignment_), at, at});
  }
  void use(const ir::Value* value, int at) {
    const auto found = index_.find(storage_.base(value));
    if (found == index_.end()) return;
    int& last = buffers_[found->second].last;
    last = std::max(last, at);
  }
  std::vector<PlannedBuffer> take() { return std::move(buffers_); }

 private:
  const Storage& storage_;
  uint64_t alignment_;
  std::vector<PlannedBuffer> buffers_;
  std::unordered_map<const ir::Value*, size_t> index_;
};

}  // namespace

std::vector<PlannedBuffer> liveBuffers(const ir::Graph& graph, const Storage& storage, const WriteOptions& options) {
  LiveRanges ranges(storage, options.alignment);
  for (const ir::GraphInput& input : graph.inputs()) {
    if (input.value != nullptr) ranges.define(input.value, -1);
  }
  // Those that methods share lie elsewhere.
  const std::vector<ir::Value*> states = options.shareStates ? std::vector<ir::Value*>() : graph.states();
  for (const ir::Value* state : states) ranges.define(state, -1);
  const auto& instructions = storage.instructions();
  const int count = static_cast<int>(instructions.size());
  for (int at = 0; at < count; ++at) {
    const ir::Node& node = *instructions[static_cast<size_t>(at)];
    for (const ir::Value* value : node.outputs()) ranges.define(value, at);
    for (const ir::Value* value : node.operands()) ranges.use(value, at);
  }
  for (const ir::Argument& output : graph.outputs()) {
    if (const auto* value = std::get_if<ir::Value*>(&output)) ranges.use(*value, count - 1);
  }
  for (const ir::Value* state : states) ranges.use(state, count - 1);
  return ranges.take();
}

uint64_t peakBytes(const std::vector<PlannedBuffer>& buffers) {
  struct Change {
    int at;
    bool begins;
    uint64_t size;
  };
  std::vector<Change> changes;
  changes.reserve(2 * buffers.size());
  for (const PlannedBuffer& buffer : buffers) {
    changes.push_back({buffer.first, true, buffer.size});
    changes.push_back({buffer.last + 1, false, buffer.size});
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.at != b.at ? a.at < b.at : a.begins < b.begins; });
  uint64_t now = 0, peak = 0;
  for (const Change& change : changes) {
    now = change.begins ? now + change.size : now - change.size;
    peak = std::max(peak, now);
  }
  return peak;
}

}  // namespace exportdeck::pte
