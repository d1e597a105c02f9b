// Element-wise functions of one operand without parameters, powers that have one, and conversions.
#include <array>
#include <utility>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

template <NodeKind Kind>
void emitUnary(Lowering& lowering, const ir::Node& node) {
  const Layout layout = lowering.commonLayout({node.value(0)});
  Node made;
  made.kind = Kind;
  made.inputs = {lowering.value(node.value(0), layout)};
  made.output = lowering.result(node, layout);
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
  const Layout layout = lowering.commonLayout({node.value(0)});
  Node made;
  made.kind = NodeKind::Div;
  made.inputs = {lowering.addNumber(1, node.output()->type().dtype), lowering.value(node.value(0), layout)};
  made.output = lowering.result(node, layout);
  lowering.add(std::move(made));
}

Verdict judgeConversion(const ir::Node& node) {
  if (node.value(0)->type().dtype == node.output()->type().dtype) return Verdict::refuse("it converts nothing");
  return Verdict::take();
}

constexpr std::array<Rule, 17> kRules = {{
    {"aten.abs.default", takeAlways, emitUnary<NodeKind::Abs>},
    {"aten.neg.default", takeAlways, emitUnary<NodeKind::Negate>},
    {"aten.ceil.default", takeAlways, emitUnary<NodeKind::Ceiling>},
    {"aten.floor.default", takeAlways, emitUnary<NodeKind::Floor>},
    {"aten.exp.default", takeAlways, emitUnary<NodeKind::Exp>},
    {"aten.log.default", takeAlways, emitUnary<NodeKind::Log>},
    {"aten.sqrt.default", takeAlways, emitUnary<NodeKind::SquareRoot>},
    {"aten.rsqrt.default", takeAlways, emitUnary<NodeKind::ReciprocalSquareRoot>},
    {"aten.sin.default", takeAlways, emitUnary<NodeKind::Sin>},
    {"aten.cos.default", takeAlways, emitUnary<NodeKind::Cos>},
    {"aten.sigmoid.default", takeAlways, emitUnary<NodeKind::Sigmoid>},
    {"aten.tanh.default", takeAlways, emitUnary<NodeKind::Tanh>},
    {"aten.square.default", takeAlways, emitUnary<NodeKind::Square>},
    {"aten.pow.Tensor_Scalar", judgePower, emitPower},
    {"aten.reciprocal.default", takeAlways, emitReciprocal},
    {.op = "aten._to_copy.default",
     .judge = judgeConversion,
     .lower = emitUnary<NodeKind::Convert>,
     .convertsDtype = true},
    {.op = "aten.to.dtype", .judge = judgeConversion, .lower = emitUnary<NodeKind::Convert>, .convertsDtype = true},
}};

}  // namespace

std::span<const Rule> unaryRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
