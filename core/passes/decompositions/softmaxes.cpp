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
Results logSoftmax(Builder& build, const Node& node) {
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
