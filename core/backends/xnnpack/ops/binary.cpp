// Element-wise arithmetic of two operands, with broadcasting.
#include <array>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

Verdict judgeScaled(const ir::Node& node) {
  if (node.argCount() > 2 && !node.isNone(2) && node.floatArg(2) != 1) return Verdict::refuse("its alpha is not 1");
  return Verdict::take();
}

ValueId operand(Lowering& lowering, const ir::Node& node, size_t index, Layout layout) {
  const ir::TensorType& result = node.output()->type();
  if (!node.hasValue(index)) return lowering.addNumber(node.floatArg(index), result.dtype);
  const ir::Value* value = node.value(index);
  if (value->isConstant()) return lowering.broadcastConstant(value, result.rank(), layout, result.dtype);
  return lowering.value(value, layout);
}

// Channels last only where the computed operands have the result's rank: a shorter one broadcasts by plain positions.
Layout layoutFor(const Lowering& lowering, const ir::Node& node) {
  for (const ir::Value* value : node.operands()) {
    if (!value->isConstant() && value->type().rank() != node.output()->type().rank()) return Layout::Plain;
  }
  return lowering.commonLayout(node.operands());
}

template <NodeKind Kind>
void emitBinary(Lowering& lowering, const ir::Node& node) {
  const Layout layout = layoutFor(lowering, node);
  Node made;
  made.kind = Kind;
  made.inputs = {operand(lowering, node, 0, layout), operand(lowering, node, 1, layout)};
  made.output = lowering.result(node, layout);
  lowering.add(std::move(made));
}

constexpr std::array<Rule, 10> kRules = {{
    {"aten.add.Tensor", judgeScaled, emitBinary<NodeKind::Add>, true},
    {"aten.add.Scalar", judgeScaled, emitBinary<NodeKind::Add>, true},
    {"aten.sub.Tensor", judgeScaled, emitBinary<NodeKind::Subtract>, true},
    {"aten.sub.Scalar", judgeScaled, emitBinary<NodeKind::Subtract>, true},
    {"aten.mul.Tensor", takeAlways, emitBinary<NodeKind::Multiply>, true},
    {"aten.mul.Scalar", takeAlways, emitBinary<NodeKind::Multiply>, true},
    {"aten.div.Tensor", takeAlways, emitBinary<NodeKind::Div>, true},
    {"aten.div.Scalar", takeAlways, emitBinary<NodeKind::Div>, true},
    {"aten.minimum.default", takeAlways, emitBinary<NodeKind::Minimum>},
    {"aten.maximum.default", takeAlways, emitBinary<NodeKind::Maximum>},
}};

}  // namespace

std::span<const Rule> binaryRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
