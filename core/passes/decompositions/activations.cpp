// Activations without a kernel, from element-wise operators.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

Value* sigmoid(Builder& build, Value* x) {
  return build.unary("aten.sigmoid.default", x);
}
Value* tanh(Builder& build, Value* x) {
  return build.unary("aten.tanh.default", x);
}

Value* hardtanh(Builder& build, Value* x, double low, double high) {
  return build.node("aten.hardtanh.default", {x, low, high}, {dtypeOf(x), sizesOf(x)});
}

// log(1 + exp(x)) without overflow: max(x, 0) + log1p(exp(-|x|))
Value* stableSoftplus(Builder& build, Value* x) {
  Value* decay = build.unary("aten.exp.default", build.unary("aten.neg.default", build.unary("aten.abs.default", x)));
  return build.add(build.unary("aten.relu.default", x), build.unary("aten.log1p.default", decay));
}

Results expit(Builder& build, const Node& node) {
  return {sigmoid(build, build.cast(node.value(0), resultDType(node)))};
}

Results silu(Builder& build, const Node& node) {
  return {build.mul(node.value(0), sigmoid(build, node.value(0)))};
}

Results mish(Builder& build, const Node& node) {
  return {build.mul(node.value(0), tanh(build, stableSoftplus(build, node.value(0))))};
}

// (x, beta, threshold): linear where beta * x is above the threshold.
Results softplus(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const double beta = node.floatArg(1), threshold = node.floatArg(2);
  Value* scaled = beta == 1 ? x : build.mul(x, beta);
  Value* curve = stableSoftplus(build, scaled);
  if (beta != 1) curve = build.mul(curve, 1 / beta);
  // Above the threshold the curve is the line to within float32: where it is not, the line is chosen.
  if (threshold >= 20 && dtypeOf(x) != DType::Float64) return {curve};
  return {build.where(build.compare("aten.gt.Scalar", scaled, threshold), x, curve)};
}

Results logSigmoid(Builder& build, const Node& node) {
  Value* x = node.value(0);
  return {build.unary("aten.neg.default", stableSoftplus(build, build.unary("aten.neg.default", x)))};
}

Results relu6(Builder& build, const Node& node) {
  return {hardtanh(build, node.value(0), 0, 6)};
}

// relu6(x + 3) / 6
Value* hardGate(Builder& build, Value* x) {
  return build.mul(hardtanh(build, build.add(x, 3.0), 0, 6), 1.0 / 6);
}
Results hardsigmoid(Builder& build, const Node& node) {
  return {hardGate(build, node.value(0))};
}
Results hardswish(Builder& build, const Node& node) {
  return {build.mul(node.value(0), hardGate(build, node.value(0)))};
}

Results selu(Builder& build, const Node& node) {
  constexpr double kAlpha = 1.6732632423543772848170429916717, kScale = 1.0507009873554804934193349852946;
  return {build.node("aten.elu.default", {node.value(0), kAlpha, kScale, int64_t{1}}, node.output()->type())};
}

Results celu(Builder& build, const Node& node) {
  const double alpha = node.floatArg(1);
  return {build.node("aten.elu.default", {node.value(0), alpha, 1.0, 1 / alpha}, node.output()->type())};
}

// Zero inside [-limit, limit].
Results hardshrink(Builder& build, const Node& node) {
  Value* x = node.value(0);
  Value* inside = build.compare("aten.le.Scalar", build.unary("aten.abs.default", x), node.floatArg(1));
  return {build.where(inside, build.scalar(0.0, dtypeOf(x)), x)};
}

// x minus what lies inside [-limit, limit] of it.
Results softshrink(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const double limit = node.floatArg(1);
  return {build.sub(x, build.clamp(x, -limit, limit))};
}

Results tanhshrink(Builder& build, const Node& node) {
  return {build.sub(node.value(0), tanh(build, node.value(0)))};
}

Results softsign(Builder& build, const Node& node) {
  return {build.div(node.value(0), build.add(build.unary("aten.abs.default", node.value(0)), 1.0))};
}

// (x, threshold, value): value where x is not above the threshold.
Results threshold(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const Number value = *numberOf(node.args().at(2));
  return {build.where(build.compare("aten.le.Scalar", x, node.args().at(1)), build.scalar(value, dtypeOf(x)), x)};
}

// (x, weight): one slope, or one for each channel in dimension 1.
Results prelu(Builder& build, const Node& node) {
  Value *x = node.value(0), *weight = node.value(1);
  Sizes sizes{weight->type().elements()};
  if (rankOf(x) > 2) sizes.insert(sizes.end(), rankOf(x) - 2, 1);
  if (rankOf(x) == 0) sizes.clear();
  Value* slope = build.view(weight, sizes);
  return {build.where(build.compare("aten.gt.Scalar", x, int64_t{0}), x, build.mul(x, slope))};
}

// (x, lower, upper, training): in evaluation the slope is the mean of the bounds.
Results rrelu(Builder& build, const Node& node) {
  if (node.boolArg(3)) {
    throw ExportError(Diagnostic{Code::TrainingMode,
                                 Severity::Error,
                                 concat(node.op(), " was exported in training mode"),
                                 node.origin(),
                                 "It draws random numbers on every call",
                                 {"Call model.eval() before torch.export.export()."}});
  }
  return {build.node("aten.leaky_relu.default", {node.value(0), (node.floatArg(1) + node.floatArg(2)) / 2},
                     node.output()->type())};
}

// Half of x gated by the other half.
Results glu(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const int64_t half = x->type().size(node.intArg(1)) / 2, dim = node.intArg(1);
  return {build.mul(build.slice(x, dim, 0, half), sigmoid(build, build.slice(x, dim, half, 2 * half)))};
}

}  // namespace

void registerActivations(DecompositionRegistry& registry) {
  registry.add({"aten.special_expit.default"}, expit);
  registry.add({"aten.silu.default"}, silu);
  registry.add({"aten.mish.default"}, mish);
  registry.add({"aten.softplus.default"}, softplus);
  registry.add({"aten.log_sigmoid.default"}, logSigmoid);
  registry.add({"aten.relu6.default"}, relu6);
  registry.add({"aten.hardsigmoid.default"}, hardsigmoid);
  registry.add({"aten.hardswish.default"}, hardswish);
  registry.add({"aten.selu.default"}, selu);
  registry.add({"aten.celu.default"}, celu);
  registry.add({"aten.hardshrink.default"}, hardshrink);
  registry.add({"aten.softshrink.default"}, softshrink);
  registry.add({"aten.tanhshrink.default"}, tanhshrink);
  registry.add({"aten.softsign.default"}, softsign);
  registry.add({"aten.threshold.default"}, threshold);
  registry.add({"aten.prelu.default", "aten._prelu_kernel.default"}, prelu);
  registry.add({"aten.rrelu.default"}, rrelu);
  registry.add({"aten.glu.default"}, glu);
}

}  // namespace exportdeck::passes::decompositions
