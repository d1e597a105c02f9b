// Element-wise arithmetic of two operands, with broadcasting.
#include <array>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

Verdict judgeScaled(const ir::Node& node) {
  if (node.argCount() > 2 && !node.isNone(2) && node.floatArg(2) != 1) return Verdict::refuse("its alpha is not 1");
  return Verdict::take();
}

ValueId operand(Lowering& lowering, const ir::Node& node, size_t index, const Order& order) {
  const ir::TensorType& result = node.output()->type();
  if (!node.hasValue(index)) return lowering.addNumber(node.floatArg(index), result.dtype);
  const ir::Value* value = node.value(index);
  if (value->isConstant()) return lowering.broadcastConstant(value, order, result.dtype);
  // One of fewer dimensions broadcasts by plain positions, and so does the other then.
  return value->type().rank() == order.size() ? lowering.value(value, order) : lowering.plain(value);
}

template <NodeKind Kind>
void emitBinary(Lowering& lowering, const ir::Node& node) {
  const Order order = lowering.commonOrder(node);
  Node made;
  made.kind = Kind;
  made.inputs = {operand(lowering, node, 0, order), operand(lowering, node, 1, order)};
  made.output = lowering.result(node, order);
  lowering.add(std::move(made));
}

constexpr std::array<Rule, 10> kRules = {{
    inAnyOrder("aten.add.Tensor", judgeScaled, emitBinary<NodeKind::Add>, true),
    inAnyOrder("aten.add.Scalar", judgeScaled, emitBinary<NodeKind::Add>, true),
    inAnyOrder("aten.sub.Tensor", judgeScaled, emitBinary<NodeKind::Subtract>, true),
    inAnyOrder("aten.sub.Scalar", judgeScaled, emitBinary<NodeKind::Subtract>, true),
    inAnyOrder("aten.mul.Tensor", takeAlways, emitBinary<NodeKind::Multiply>, true),
    inAnyOrder("aten.mul.Scalar", takeAlways, emitBinary<NodeKind::Multiply>, true),
    inAnyOrder("aten.div.Tensor", takeAlways, emitBinary<NodeKind::Div>, true),
    inAnyOrder("aten.div.Scalar", takeAlways, emitBinary<NodeKind::Div>, true),
    inAnyOrder("aten.minimum.default", takeAlways, emitBinary<NodeKind::Minimum>),
    inAnyOrder("aten.maximum.default", takeAlways, emitBinary<NodeKind::Maximum>),
}};

}  // namespace

std::span<const Rule> binaryRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
