// Operators that a runtime profile has no kernel for, written with kernels that it has. The portable library has none
// for linear, which the optimized one has: a product with the transposed weight takes its place.
#include "ops/schema.h"
#include "passes/build.h"
#include "passes/passes.h"

namespace exportdeck::passes {

namespace {

constexpr const char* kLinear = "aten.linear.default";

ir::Value* linearAsProduct(Builder& build, const ir::Node& node) {
  ir::Value *x = node.value(0), *weight = node.value(1), *bias = node.valueOrNull(2);
  const ir::TensorType& type = node.output()->type();
  const int64_t inputs = weight->type().size(1), outputs = weight->type().size(0);
  const int64_t rows = type.elements() / outputs;
  ir::Value* left = build.view(x, {rows, inputs});
  ir::Value* right = build.transpose(weight, 0, 1);
  ir::Value* product = nullptr;
  if (bias) {
    ir::TensorType flat = type;
    flat.shape = {rows, outputs};
    product = build.node("aten.addmm.default", {bias, left, right, int64_t{1}, int64_t{1}}, flat);
  } else {
    product = build.mm(left, right);
  }
  return build.view(product, sizesOf(node.output()));
}

bool canReplace(const ir::Node& node) {
  return node.is(kLinear) && node.value(1)->type().rank() == 2 && node.output()->type().isStatic() &&
         node.output()->type().elements() > 0;
}

}  // namespace

void replaceMissing(ir::Graph& graph, PassContext& context) {
  const ops::KernelInfo* linear = ops::kernelFor(kLinear);
  if (!context.runtime || (linear && context.runtime->has(*linear))) return;
  ConstantPool pool;
  for (ir::Node* node : graph.nodeList()) {
    if (!canReplace(*node) || context.keepWhole(*node)) continue;
    Builder build(graph, *node, pool);
    graph.replaceAllUses(node->output(), linearAsProduct(build, *node));
    graph.erase(node);
  }
  graph.eraseUnusedConstants();
}

}  // namespace exportdeck::passes
