// Activations: element-wise functions with parameters.
#include "backends/xnnpack/activation.h"

#include <array>
#include <cmath>

#include "backends/xnnpack/integers.h"
#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

void emitUnary(Lowering& lowering, const ir::Node& node, Node made) {
  const Order order = lowering.commonOrder(node);
  made.inputs = {lowering.value(node.value(0), order)};
  made.output = lowering.result(node, order);
  lowering.add(std::move(made));
}

Verdict judgeClamp(const ir::Node& node) {
  if (node.hasValue(1) || node.hasValue(2)) return Verdict::refuse("its bounds are tensors");
  if (!activationRange(node)) return Verdict::refuse("its lower bound is above its upper bound");
  if (!activationRange(node)->bounded()) return Verdict::refuse("it has no bounds");
  return Verdict::take();
}

void emitClamp(Lowering& lowering, const ir::Node& node) {
  Node made;
  made.kind = NodeKind::Clamp;
  made.range = *activationRange(node);
  emitUnary(lowering, node, std::move(made));
}

void emitLeakyRelu(Lowering& lowering, const ir::Node& node) {
  Node made;
  made.kind = NodeKind::LeakyRelu;
  made.params = FloatParam{static_cast<float>(node.floatArg(1))};
  emitUnary(lowering, node, std::move(made));
}

Verdict judgeElu(const ir::Node& node) {
  if (node.floatArg(2) != 1 || node.floatArg(3) != 1) return Verdict::refuse("it scales its input or output");
  if (!(node.floatArg(1) > 0)) return Verdict::refuse("its alpha is not positive");
  return Verdict::take();
}

void emitElu(Lowering& lowering, const ir::Node& node) {
  Node made;
  made.kind = NodeKind::Elu;
  made.params = FloatParam{static_cast<float>(node.floatArg(1))};
  emitUnary(lowering, node, std::move(made));
}

Verdict judgeGelu(const ir::Node& node) {
  if (node.output()->type().dtype != ir::DType::Float32) return Verdict::refuse("XNNPACK has GELU in float32 only");
  return Verdict::take();
}

// x/2 + x/2 tanh(x (a + b x x)), with a = sqrt(2/pi) and b = 0.044715 a. XNNPACK's own node is the exact GELU.
void emitTanhGelu(Lowering& lowering, const ir::Node& node) {
  constexpr double kA = 0.7978845608028654, kB = 0.035677408136300125;
  const Order order = lowering.commonOrder(node);
  const ir::TensorType& type = node.output()->type();
  const ValueId x = lowering.value(node.value(0), order);
  const ir::Sizes dims = reordered(type.sizes(), order);
  const auto add = [&](NodeKind kind, std::vector<ValueId> inputs) {
    return lowering.addStep(kind, std::move(inputs), dims);
  };
  const auto number = [&](double value) { return lowering.addNumber(value, type.dtype); };
  ValueId inner = add(NodeKind::Multiply, {add(NodeKind::Square, {x}), number(kB)});
  inner = add(NodeKind::Multiply, {add(NodeKind::Add, {inner, number(kA)}), x});
  const ValueId half = add(NodeKind::Multiply, {x, number(0.5)});
  Node last;
  last.kind = NodeKind::Add;
  last.inputs = {add(NodeKind::Multiply, {half, add(NodeKind::Tanh, {inner})}), half};
  last.output = lowering.result(node, order);
  lowering.add(std::move(last));
}

void emitGelu(Lowering& lowering, const ir::Node& node) {
  if (node.stringArg(1) == "tanh") return emitTanhGelu(lowering, node);
  Node made;
  made.kind = NodeKind::Gelu;
  emitUnary(lowering, node, std::move(made));
}

void emitHardswish(Lowering& lowering, const ir::Node& node) {
  Node made;
  made.kind = NodeKind::Hardswish;
  emitUnary(lowering, node, std::move(made));
}

Verdict judgePrelu(const ir::Node& node) {
  const ir::Value* slope = node.value(1);
  if (!slope->isConstant()) return Verdict::refuse("its slope is computed at run time");
  if (slope->type().elements() != 1 && node.value(0)->type().rank() < 2)
    return Verdict::refuse("its operand has no channels");
  return Verdict::take();
}

// The slope is one number or one a channel; it broadcasts over the batch and the dimensions behind the channels.
void emitPrelu(Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  const ir::ConstantPtr& slope = node.value(1)->constant();
  const Order order = lowering.commonOrder(node);
  ir::Sizes viewed{slope->type.elements()};
  if (slope->type.elements() != 1) viewed.insert(viewed.end(), order.size() - 1 - placeOf(1, order), 1);
  Node made;
  made.kind = NodeKind::PRelu;
  made.inputs = {lowering.value(x, order),
                 lowering.addOperand(slope, StaticForm::plain(viewed, x->type().dtype, "value"))};
  made.output = lowering.result(node, order);
  lowering.add(std::move(made));
}

// Bounds that integers have exactly, or that are beyond all of them.
bool boundsIntegers(const ir::Node& node, const TensorScale& scale) {
  const Range range = *activationRange(node);
  const auto fits = [&](double bound) {
    return !std::isfinite(bound) || isExact(bound, scale) || isBeyond(bound, scale);
  };
  return fits(static_cast<double>(range.min)) && fits(static_cast<double>(range.max));
}

constexpr Rule clamp(std::string_view op) {
  return movingIntegers(inAnyOrder(op, judgeClamp, emitClamp), boundsIntegers);
}

constexpr std::array<Rule, 9> kRules = {{
    clamp("aten.relu.default"),
    clamp("aten.relu6.default"),
    clamp("aten.hardtanh.default"),
    clamp("aten.clamp.default"),
    inAnyOrder("aten.leaky_relu.default", takeAlways, emitLeakyRelu),
    inAnyOrder("aten.elu.default", judgeElu, emitElu),
    inAnyOrder("aten.gelu.default", judgeGelu, emitGelu),
    onIntegers(inAnyOrder("aten.hardswish.default", takeAlways, emitHardswish), takesAnyScales),
    inAnyOrder("aten.prelu.default", judgePrelu, emitPrelu),
}};

}  // namespace

std::span<const Rule> activationRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
