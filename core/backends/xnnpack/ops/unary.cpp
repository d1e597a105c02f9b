// Element-wise functions of one operand without parameters, powers that have one, and conversions.
#include <array>
#include <utility>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

template <NodeKind Kind>
void emitUnary(Lowering& lowering, const ir::Node& node) {
  const Order order = lowering.commonOrder(node);
  Node made;
  made.kind = Kind;
  made.inputs = {lowering.value(node.value(0), order)};
  made.output = lowering.result(node, order);
  lowering.add(std::move(made));
}

Verdict judgePower(const ir::Node& node) {
  const double exponent = node.hasValue(1) ? 0 : node.floatArg(1);
  if (exponent == 2 || exponent == 0.5) return Verdict::take();
  return Verdict::refuse("XNNPACK has only the powers 2 and 0.5");
}

void emitPower(Lowering& lowering, const ir::Node& node) {
  if (node.floatArg(1) == 2) {
    emitUnary<NodeKind::Square>(lowering, node);
  } else {
    emitUnary<NodeKind::SquareRoot>(lowering, node);
  }
}

void emitReciprocal(Lowering& lowering, const ir::Node& node) {
  const Order order = lowering.commonOrder(node);
  Node made;
  made.kind = NodeKind::Div;
  made.inputs = {lowering.addNumber(1, node.output()->type().dtype), lowering.value(node.value(0), order)};
  made.output = lowering.result(node, order);
  lowering.add(std::move(made));
}

Verdict judgeConversion(const ir::Node& node) {
  if (node.value(0)->type().dtype == node.output()->type().dtype) return Verdict::refuse("it converts nothing");
  return Verdict::take();
}

constexpr std::array<Rule, 17> kRules = {{
    inAnyOrder("aten.abs.default", takeAlways, emitUnary<NodeKind::Abs>),
    inAnyOrder("aten.neg.default", takeAlways, emitUnary<NodeKind::Negate>),
    inAnyOrder("aten.ceil.default", takeAlways, emitUnary<NodeKind::Ceiling>),
    inAnyOrder("aten.floor.default", takeAlways, emitUnary<NodeKind::Floor>),
    inAnyOrder("aten.exp.default", takeAlways, emitUnary<NodeKind::Exp>),
    inAnyOrder("aten.log.default", takeAlways, emitUnary<NodeKind::Log>),
    inAnyOrder("aten.sqrt.default", takeAlways, emitUnary<NodeKind::SquareRoot>),
    inAnyOrder("aten.rsqrt.default", takeAlways, emitUnary<NodeKind::ReciprocalSquareRoot>),
    inAnyOrder("aten.sin.default", takeAlways, emitUnary<NodeKind::Sin>),
    inAnyOrder("aten.cos.default", takeAlways, emitUnary<NodeKind::Cos>),
    onIntegers(inAnyOrder("aten.sigmoid.default", takeAlways, emitUnary<NodeKind::Sigmoid>), takesAnyScales),
    onIntegers(inAnyOrder("aten.tanh.default", takeAlways, emitUnary<NodeKind::Tanh>), takesAnyScales),
    inAnyOrder("aten.square.default", takeAlways, emitUnary<NodeKind::Square>),
    inAnyOrder("aten.pow.Tensor_Scalar", judgePower, emitPower),
    inAnyOrder("aten.reciprocal.default", takeAlways, emitReciprocal),
    {.op = "aten._to_copy.default",
     .judge = judgeConversion,
     .lower = emitUnary<NodeKind::Convert>,
     .convertsDtype = true,
     .wishes = wishesSame},
    {.op = "aten.to.dtype",
     .judge = judgeConversion,
     .lower = emitUnary<NodeKind::Convert>,
     .convertsDtype = true,
     .wishes = wishesSame},
}};

}  // namespace

std::span<const Rule> unaryRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
