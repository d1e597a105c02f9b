// linear stays whole, there is a kernel; what its kernel does not take is put into its form.
#include "passes/decompositions/linear_algebra.h"

namespace exportdeck::passes::decompositions {

namespace {

Results linear(Builder& build, const Node& node) {
  Value *x = node.value(0), *weight = node.value(1), *bias = node.valueOrNull(2);
  if (rankOf(weight) == 1) {  // one output feature without a dimension of its own
    Value* result = matmul(build, x, weight);
    return {bias ? build.add(result, bias) : result};
  }
  if (bias && sizesOf(bias) != Sizes{weight->type().size(0)}) {
    return {build.add(build.linear(x, weight, nullptr), bias)};
  }
  if (rankOf(x) == 1) return {build.squeeze(build.linear(build.unsqueeze(x, 0), weight, bias), 0)};
  return {};
}

// y[n, o] = sum over i, j of x1[n, i] * weight[o, i, j] * x2[n, j] + bias[o]
Results bilinear(Builder& build, const Node& node) {
  Value *x1 = node.value(0), *x2 = node.value(1), *weight = node.value(2), *bias = node.valueOrNull(3);
  const Sizes w = sizesOf(weight);
  const int64_t rows = x1->type().elements() / w.at(1);
  Value* left = build.view(x1, {rows, w[1]});
  Value* folded = build.view(build.permute(weight, {1, 0, 2}), {w[1], w[0] * w[2]});
  Value* half = build.view(build.mm(left, folded), {rows, w[0], w[2]});
  Value* result = build.bmm(half, build.view(x2, {rows, w[2], 1}));
  result = build.view(result, resultSizes(node));
  return {bias ? build.add(result, bias) : result};
}

}  // namespace

void registerLinear(DecompositionRegistry& registry) {
  registry.add({"aten.linear.default"}, linear);
  registry.add({"aten.bilinear.default"}, bilinear);
}

}  // namespace exportdeck::passes::decompositions
