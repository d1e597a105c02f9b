// Says, before anything is partitioned, whether each operator can be lowered at all. What a single kernel takes is
// checked when its call is made (to_kernels.cpp): until then a backend may take the node.
#include "passes/kernel_call.h"
#include "passes/passes.h"

namespace exportdeck::passes {

void legalise(ir::Graph& graph, PassContext& context) {
  std::vector<Diagnostic> problems;
  for (const auto& node : graph.nodes()) {
    if (node->is(ir::kDelegateOp)) continue;
    const auto problem = context.keepWhole(*node) ? valueProblem(*node) : operatorProblem(*node);
    if (problem) problems.push_back(*problem);
  }
  refuse(problems, context.diagnostics);
}

}  // namespace exportdeck::passes
