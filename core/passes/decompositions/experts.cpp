// What mixtures of experts are made of: counting the rows of each expert, and products with the expert's own matrix.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

// Of what is computed for all pairs at once; beyond it the memory that a program takes would surprise.
constexpr int64_t kMostElements = int64_t{1} << 26;

Value* numbers(Builder& build, int64_t count, DType dtype) {
  std::vector<double> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), 0.0);
  return build.constant("numbers", {dtype, {count}}, bytesOfDoubles(values, dtype));
}

Value* both(Builder& build, Value* a, Value* b) {
  return build.node("aten.logical_and.default", {a, b}, {DType::Bool, broadcastSizes(sizesOf(a), sizesOf(b))});
}

// (x, bins, min, max): what lies outside the bounds is not counted, and the last bin holds its upper bound. With equal
// bounds those of the data would count.
Results histogram(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const int64_t bins = node.intArg(1), count = x->type().elements();
  // PyTorch takes the bounds in the type of the elements.
  const auto low = static_cast<float>(node.floatArg(2)), high = static_cast<float>(node.floatArg(3));
  if (dtypeOf(x) != DType::Float32 || !(low < high) || bins < 1 || count == 0) return {};
  if (bins * count > kMostElements) return {};
  x = build.view(x, {count, 1});
  Value* reaches = build.compare("aten.ge.Scalar", x, static_cast<double>(low));
  Value* inside = both(build, reaches, build.compare("aten.le.Scalar", x, static_cast<double>(high)));
  Value* scaled =
      build.mul(build.sub(x, build.scalar(static_cast<double>(low), DType::Float32)), static_cast<double>(bins));
  Value* place = build.div(scaled, build.scalar(static_cast<double>(high - low), DType::Float32));
  place = build.clamp(build.unary("aten.floor.default", place), 0.0, static_cast<double>(bins - 1));
  Value* hit = build.compare("aten.eq.Tensor", place, numbers(build, bins, DType::Float32));
  Value* counted = build.cast(both(build, hit, inside), resultDType(node));
  return {build.sum(counted, {0}, false)};
}

// (rows, matrices, ends): each row times the matrix of its group; ends[g] is the first row behind group g, and rows
// behind all are 0. Every row is multiplied with every matrix and the one that counts is taken.
Results groupedProduct(Builder& build, const Node& node) {
  if (!node.hasValue(0) || !node.hasValue(1) || !node.hasValue(2)) return {};
  Value *x = node.value(0), *matrices = node.value(1), *ends = build.cast(node.value(2), DType::Int64);
  if (rankOf(x) != 2 || rankOf(matrices) != 3 || rankOf(ends) != 1) return {};
  if (!node.isNone(3) || dtypeOf(x) != dtypeOf(matrices) || resultDType(node) != dtypeOf(x)) return {};
  const int64_t rows = sizesOf(x)[0], inner = sizesOf(x)[1];
  const int64_t groups = sizesOf(matrices)[0], columns = sizesOf(matrices)[2];
  if (rows == 0 || groups == 0 || sizesOf(ends)[0] != groups || groups * rows * columns > kMostElements) return {};
  Value* all = build.bmm(build.expand(build.view(x, {1, rows, inner}), {groups, rows, inner}), matrices);
  // A row's group is the number of groups that end at it or before it.
  Value* row = numbers(build, rows, DType::Int64);
  Value* ended = build.compare("aten.le.Tensor", ends, build.view(row, {rows, 1}));
  Value* group = build.sum(build.cast(ended, DType::Int64), {1}, false);
  Value* last = build.scalar(groups - 1, DType::Int64);
  Value* behind = build.view(build.compare("aten.gt.Tensor", group, last), {rows, 1});
  ir::ValueList place{build.binary("aten.minimum.default", group, last), row};
  Value* taken = build.node("aten.index.Tensor", {all, place}, node.output()->type());
  return {build.where(behind, build.scalar(0.0, dtypeOf(x)), taken)};
}

}  // namespace

void registerExperts(DecompositionRegistry& registry) {
  registry.add({"aten.histc.default"}, histogram);
  registry.add({"aten._grouped_mm.default", "aten.grouped_mm.default", "transformers.grouped_mm_fallback.default"},
               groupedProduct);
}

}  // namespace exportdeck::passes::decompositions
