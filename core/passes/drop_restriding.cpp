// Views by strides that only repeat how their operand lies in memory go. PyTorch puts them behind operators on
// channels-last tensors when it decomposes a program. First of all passes: the others need not keep strides.
#include "passes/passes.h"

namespace exportdeck::passes {

namespace {

// Strides of dimensions of size 1 say nothing.
bool liesTheSame(const ir::TensorType& type, const ir::Sizes& strides) {
  const ir::Sizes sizes = type.sizes();
  const ir::Sizes own = type.strides.empty() ? ir::rowMajorStrides(sizes) : type.strides;
  if (own.size() != sizes.size() || strides.size() != sizes.size()) return false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != 1 && own[i] != strides[i]) return false;
  }
  return true;
}

}  // namespace

void dropRestriding(ir::Graph& graph, PassContext&) {
  for (ir::Node* node : graph.nodeList()) {
    if (!node->is("aten.as_strided.default")) continue;
    ir::Value* operand = node->value(0);
    const bool fromStart = node->isNone(3) || node->intArg(3) == 0;
    if (!fromStart || !operand->type().isStatic() || !(operand->type() == node->output()->type())) continue;
    if (!liesTheSame(operand->type(), node->ints(2))) continue;
    graph.replaceAllUses(node->output(), operand);
    graph.erase(node);
  }
}

}  // namespace exportdeck::passes
