// Element-wise arithmetic of two operands, with broadcasting.
#include <array>

#include "backends/xnnpack/integers.h"
#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

// Only what a kernel could do as well, where the node ends up alone: see kernelScales() of the decompositions.
Verdict judgeScaled(const ir::Node& node) {
  if (alphaOf(node) == 1) return Verdict::take();
  const bool isPlain = node.hasValue(1) && node.value(0)->type() == node.value(1)->type();
  return isPlain ? Verdict::take() : Verdict::refuse("its alpha is not 1, and its operands differ in shape");
}

ValueId operand(Lowering& lowering, const ir::Node& node, size_t index, const Order& order) {
  const ir::TensorType& result = node.output()->type();
  if (!node.hasValue(index)) return lowering.addNumber(node.floatArg(index), result.dtype);
  const ir::Value* value = node.value(index);
  if (value->isConstant()) return lowering.broadcastConstant(value, order, result.dtype);
  // One of fewer dimensions broadcasts by plain positions, and so does the other then.
  return value->type().rank() == order.size() ? lowering.value(value, order) : lowering.plain(value);
}

void emit(Lowering& lowering, const ir::Node& node, NodeKind kind, double factor) {
  const Order order = lowering.commonOrder(node);
  const ValueId left = operand(lowering, node, 0, order);
  ValueId right = operand(lowering, node, 1, order);
  if (factor != 1) {
    const ValueId number = lowering.addNumber(factor, node.output()->type().dtype);
    right = lowering.addStep(NodeKind::Multiply, {right, number}, lowering.tensor(right).dims);
  }
  Node made;
  made.kind = kind;
  made.inputs = {left, right};
  made.output = lowering.result(node, order);
  lowering.add(std::move(made));
}

template <NodeKind Kind>
void emitBinary(Lowering& lowering, const ir::Node& node) {
  emit(lowering, node, Kind, 1);
}

// (a, b, alpha)
template <NodeKind Kind>
void emitScaled(Lowering& lowering, const ir::Node& node) {
  emit(lowering, node, Kind, alphaOf(node));
}

// Both operands as they are.
bool hasTwo(const ir::Node& node, const std::vector<TensorScale>& operands) {
  return operands.size() == 2 && alphaOf(node) == 1;
}
bool addsIntegers(const ir::Node& node, const std::vector<TensorScale>& operands, const TensorScale& result) {
  return hasTwo(node, operands) && sumsIntegers(operands, result);
}
bool scalesIntegers(const ir::Node& node, const std::vector<TensorScale>& operands, const TensorScale& result) {
  return hasTwo(node, operands) && multipliesIntegers(operands, result);
}

constexpr std::array<Rule, 10> kRules = {{
    onIntegers(inAnyOrder("aten.add.Tensor", judgeScaled, emitScaled<NodeKind::Add>, true), addsIntegers),
    inAnyOrder("aten.add.Scalar", judgeScaled, emitScaled<NodeKind::Add>, true),
    onIntegers(inAnyOrder("aten.sub.Tensor", judgeScaled, emitScaled<NodeKind::Subtract>, true), addsIntegers),
    inAnyOrder("aten.sub.Scalar", judgeScaled, emitScaled<NodeKind::Subtract>, true),
    onIntegers(inAnyOrder("aten.mul.Tensor", takeAlways, emitBinary<NodeKind::Multiply>, true), scalesIntegers),
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
