// Softmax and its logarithm in the form of the kernels.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

Value* lastStep(Builder& build, const Node& node, std::string_view op, Value* x) {
  x = build.cast(x, resultDType(node));
  const int64_t dim = ir::wrapDim(node.intArg(1), rankOf(x));
  return build.node(op, {x, dim, false}, {dtypeOf(x), sizesOf(x)});
}

Results softmax(Builder& build, const Node& node) {
  return {lastStep(build, node, "aten._softmax.default", node.value(0))};
}
// x - max - log(sum(exp(x - max))): the kernel computes no doubles.
Value* logSoftmaxOfDoubles(Builder& build, Value* x, int64_t dim) {
  Value* shifted = build.sub(x, build.amax(x, {dim}, true));
  Value* sum = build.sum(build.unary("aten.exp.default", shifted), {dim}, true);
  return build.sub(shifted, build.unary("aten.log.default", sum));
}

Results logSoftmax(Builder& build, const Node& node) {
  if (rankOf(node.value(0)) == 0) return {build.full({}, int64_t{0}, resultDType(node))};
  if (resultDType(node) == DType::Float64) {
    Value* x = build.cast(node.value(0), DType::Float64);
    return {logSoftmaxOfDoubles(build, x, ir::wrapDim(node.intArg(1), rankOf(x)))};
  }
  return {lastStep(build, node, "aten._log_softmax.default", node.value(0))};
}

// Rows of minus infinities give zeros.
Results safeSoftmax(Builder& build, const Node& node) {
  Value* x = build.cast(node.value(0), resultDType(node));
  const int64_t dim = ir::wrapDim(node.intArg(1), rankOf(x));
  Value* blind = build.compare("aten.eq.Scalar", build.amax(x, {dim}, true), -std::numeric_limits<double>::infinity());
  return {build.where(blind, build.scalar(0.0, dtypeOf(x)), build.softmax(x, dim))};
}

// The kernels have no switch of dtype.
Results halfToFloat(Builder& build, const Node& node) {
  const bool logOfDoubles = node.is("aten._log_softmax.default") && resultDType(node) == DType::Float64;
  if (logOfDoubles) return logSoftmax(build, node);
  if (!node.boolArg(2)) return {};
  return {lastStep(build, node, node.op(), node.value(0))};
}

}  // namespace

void registerSoftmaxes(DecompositionRegistry& registry) {
  registry.add({"aten.softmax.int", "aten.special_softmax.default"}, softmax);
  registry.add({"aten.log_softmax.int", "aten.special_log_softmax.default"}, logSoftmax);
  registry.add({"aten._safe_softmax.default"}, safeSoftmax);
  registry.add({"aten._softmax.default", "aten._log_softmax.default"}, halfToFloat);
}

}  // namespace exportdeck::passes::decompositions
