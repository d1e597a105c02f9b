#include "passes/shared_memory.h"

#include "base/text.h"

namespace exportdeck::passes {

ir::ConstantPtr dataOf(const ir::Value& value) {
  return value.isState() ? value.initial() : value.constant();
}

namespace {

[[noreturn]] void refuse(const std::string& written, const std::string& other) {
  throw ExportError(Diagnostic{Code::MutationUnsupported,
                               Severity::Error,
                               concat("the program writes to ", written, ", whose memory ", other, " shares"),
                               {},
                               "In the program each would have memory of its own, and the other would not change",
                               {concat("clone() one of ", written, " and ", other, " where the model makes them"),
                                concat("Take ", other, " from ", written, " in forward()")}});
}

}  // namespace

void refuseSharedMemory(const ir::Graph& graph) {
  const std::vector<ir::Value*> states = graph.states();
  std::vector<ir::Value*> all = graph.constants();
  all.insert(all.end(), states.begin(), states.end());
  for (const ir::Value* state : states) {
    for (const ir::Value* other : all) {
      if (other == state || !state->initial()->memory.overlaps(dataOf(*other)->memory)) continue;
      refuse(state->initial()->name, dataOf(*other)->name);
    }
  }
}

}  // namespace exportdeck::passes
