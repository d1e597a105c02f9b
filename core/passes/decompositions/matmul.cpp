// Matrix products of every rank become mm, bmm or linear.
#include "passes/decompositions/linear_algebra.h"

namespace exportdeck::passes::decompositions {

Value* batchedProduct(Builder& build, Value* a, Value* b) {
  const Sizes left = sizesOf(a), right = sizesOf(b);
  if (left.at(0) != 1) return build.bmm(a, b);
  Value* plain = build.mm(build.view(a, {left[1], left[2]}), build.view(b, {right[1], right[2]}));
  return build.view(plain, {1, left[1], right[2]});
}

namespace {

bool leadingOnes(const Sizes& sizes) {
  return std::all_of(sizes.begin(), sizes.end() - 2, [](const ir::SymInt& size) { return size == 1; });
}

// Both of rank 2 or more.
Value* matrixProduct(Builder& build, Value* a, Value* b) {
  const Sizes left = sizesOf(a), right = sizesOf(b);
  const ir::SymInt m = left.end()[-2], k = left.back(), n = right.back();
  Sizes batch = broadcastSizes(Sizes(left.begin(), left.end() - 2), Sizes(right.begin(), right.end() - 2));
  Sizes result = batch;
  result.insert(result.end(), {m, n});
  if (k == 0 || product(result) == 0) return build.full(result, int64_t{0}, dtypeOf(a));
  if (leadingOnes(right)) {  // one matrix for all: its rows are the batch
    Value* rows = build.view(a, {product(left) / k, k});
    return build.view(build.mm(rows, build.view(b, {k, n})), result);
  }
  const ir::SymInt count = product(batch);
  const auto spreadOut = [&](Value* x, const ir::SymInt& rows, const ir::SymInt& columns) {
    Sizes sizes = batch;
    sizes.insert(sizes.end(), {rows, columns});
    return build.view(build.expand(x, sizes), {count, rows, columns});
  };
  Value* lefts = spreadOut(a, m, k);
  Value* rights = spreadOut(b, k, n);
  return build.view(batchedProduct(build, lefts, rights), result);
}

Results matmulNode(Builder& build, const Node& node) {
  return {matmul(build, node.value(0), node.value(1))};
}

Results outer(Builder& build, const Node& node) {
  Value* a = build.cast(node.value(0), resultDType(node));
  return {build.mul(build.unsqueeze(a, 1), build.unsqueeze(build.cast(node.value(1), resultDType(node)), 0))};
}

// The last dimensions of both are summed over.
Results inner(Builder& build, const Node& node) {
  Value *a = node.value(0), *b = node.value(1);
  if (rankOf(a) == 0 || rankOf(b) == 0) return {build.mul(a, b)};
  const int64_t k = a->type().size(-1);
  if (k == 0) return {};
  Value* rows = build.view(a, {a->type().elements() / k, k});
  Value* columns = build.transpose(build.view(b, {b->type().elements() / k, k}), 0, 1);
  return {build.view(build.mm(rows, columns), resultSizes(node))};
}

// A matrix product with a known right side is a linear layer with the weight turned round.
Results mm(Builder& build, const Node& node) {
  Value* weight = node.value(1);
  if (!weight->isConstant() || !isFloatResult(node)) return {};
  return {build.linear(node.value(0), build.transpose(weight, 0, 1), nullptr)};
}

bool isOne(const Node& node, size_t argument) {
  return node.floatArg(argument) == 1.0;
}

// beta * input + alpha * result, where `input` broadcasts. With beta 0 the input counts for nothing, not even its NaNs.
Value* addScaled(Builder& build, const Node& node, Value* input, double beta, double alpha, Value* result) {
  if (alpha != 1) result = build.mul(result, alpha);
  if (beta != 0) result = build.add(result, beta == 1 ? input : build.mul(input, beta));
  return build.expand(result, resultSizes(node));
}

Results addmm(Builder& build, const Node& node) {
  Value *input = node.value(0), *a = node.value(1), *b = node.value(2);
  const bool plain = isOne(node, 3) && isOne(node, 4);
  if (plain && isFloatResult(node)) {
    const bool isBias = sizesOf(input) == Sizes{b->type().size(1)};
    if (b->isConstant() && isBias) return {build.linear(a, build.transpose(b, 0, 1), input)};
    if (rankOf(input) <= 2) return {};
  }
  return {addScaled(build, node, input, node.floatArg(3), node.floatArg(4), build.mm(a, b))};
}

Results baddbmm(Builder& build, const Node& node) {
  Value* result = batchedProduct(build, node.value(1), node.value(2));
  return {addScaled(build, node, node.value(0), node.floatArg(3), node.floatArg(4), result)};
}

Results addbmm(Builder& build, const Node& node) {
  Value* result = build.sum(batchedProduct(build, node.value(1), node.value(2)), {0}, false);
  return {addScaled(build, node, node.value(0), node.floatArg(3), node.floatArg(4), result)};
}

Results addmv(Builder& build, const Node& node) {
  Value* result = matmul(build, node.value(1), node.value(2));
  return {addScaled(build, node, node.value(0), node.floatArg(3), node.floatArg(4), result)};
}

}  // namespace

Value* matmul(Builder& build, Value* a, Value* b) {
  const bool vectorLeft = rankOf(a) == 1, vectorRight = rankOf(b) == 1;
  Value* left = vectorLeft ? build.unsqueeze(a, 0) : a;
  Value* right = vectorRight ? build.unsqueeze(b, 1) : b;
  Value* result = matrixProduct(build, left, right);
  Sizes sizes = sizesOf(result);
  if (vectorRight) sizes.pop_back();
  if (vectorLeft) sizes.erase(sizes.end() - (vectorRight ? 1 : 2));
  return build.view(result, sizes);
}

void registerMatmul(DecompositionRegistry& registry) {
  registry.add(
      {"aten.matmul.default", "aten.linalg_matmul.default", "aten.mv.default", "aten.dot.default", "aten.vdot.default"},
      matmulNode);
  registry.add({"aten.outer.default", "aten.ger.default"}, outer);
  registry.add({"aten.inner.default"}, inner);
  registry.add({"aten.mm.default"}, mm);
  registry.add({"aten.addmm.default"}, addmm);
  registry.add({"aten.baddbmm.default"}, baddbmm);
  registry.add({"aten.addbmm.default"}, addbmm);
  registry.add({"aten.addmv.default"}, addmv);
}

}  // namespace exportdeck::passes::decompositions
