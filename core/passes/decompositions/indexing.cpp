// Reading and writing by index, in the forms that the kernels have.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

Value* int64Constant(Builder& build, std::string name, const std::vector<double>& values) {
  return build.constant(std::move(name), {DType::Int64, {static_cast<int64_t>(values.size())}},
                        bytesOfDoubles(values, DType::Int64));
}

// Each class as a column: true where x is that class.
Results oneHot(Builder& build, const Node& node) {
  const int64_t classes = node.intArg(1);
  if (classes <= 0) return {};
  std::vector<double> numbers(static_cast<size_t>(classes));
  std::iota(numbers.begin(), numbers.end(), 0.0);
  Value* hit =
      build.compare("aten.eq.Tensor", build.unsqueeze(node.value(0), -1), int64Constant(build, "classes", numbers));
  return {build.cast(hit, resultDType(node))};
}

// The index has x's rank; all dimensions but `dim` broadcast.
Results takeAlongDim(Builder& build, const Node& node) {
  Value *x = node.value(0), *index = build.cast(node.value(1), DType::Int64);
  if (node.isNone(2)) {
    x = build.view(x, {x->type().elements()});
    index = build.view(index, {index->type().elements()});
  }
  const int64_t dim = node.isNone(2) ? 0 : ir::wrapDim(node.intArg(2), rankOf(x));
  const auto at = static_cast<size_t>(dim);
  Sizes xSizes = sizesOf(x), indexSizes = sizesOf(index);
  if (xSizes.empty()) return {x};
  const int64_t xCount = xSizes[at], indexCount = indexSizes[at];
  xSizes[at] = indexSizes[at] = 1;
  Sizes both = broadcastSizes(xSizes, indexSizes);
  both[at] = xCount;
  x = build.expand(x, both);
  both[at] = indexCount;
  index = build.expand(index, both);
  return {build.node("aten.gather.default", {x, dim, index}, node.output()->type())};
}

// (x, dim, index, ...) as an index_put along one dimension.
Results putAlong(Builder& build, const Node& node, Value* values, bool accumulate) {
  Value* x = node.value(0);
  if (rankOf(x) == 0) return {};
  Value* index = node.value(2);
  if (rankOf(index) == 0) index = build.view(index, {1});
  ir::ValueList indices(static_cast<size_t>(ir::wrapDim(node.intArg(1), rankOf(x))), nullptr);
  indices.push_back(index);
  return {build.node("aten.index_put.default", {x, indices, values, accumulate}, node.output()->type())};
}

Results indexAdd(Builder& build, const Node& node) {
  Value* source = node.value(3);
  if (rankOf(source) != rankOf(node.value(0))) return {};
  if (node.floatArg(4) != 1) source = build.mul(source, build.scalar(*numberOf(node.args()[4]), dtypeOf(source)));
  return putAlong(build, node, source, true);
}

Results indexCopy(Builder& build, const Node& node) {
  if (rankOf(node.value(3)) != rankOf(node.value(0))) return {};
  return putAlong(build, node, node.value(3), false);
}

Results indexFill(Builder& build, const Node& node) {
  const DType dtype = resultDType(node);
  Value* value =
      node.hasValue(3) ? build.cast(node.value(3), dtype) : build.scalar(*numberOf(node.args().at(3)), dtype);
  return putAlong(build, node, value, false);
}

// Values take the tensor's dtype.
Results indexPut(Builder& build, const Node& node) {
  if (dtypeOf(node.value(2)) == resultDType(node)) return {};
  return {build.node("aten.index_put.default",
                     {node.value(0), node.args()[1], build.cast(node.value(2), resultDType(node)), node.args()[3]},
                     node.output()->type())};
}

// (x, values, offset, dim1, dim2): the places of the diagonal among all elements are known, so it is one index_put.
Results diagonalScatter(Builder& build, const Node& node) {
  Value *x = node.value(0), *values = node.value(1);
  const Sizes strides = ir::rowMajorStrides(sizesOf(x));
  const auto dim1 = static_cast<size_t>(ir::wrapDim(node.intArg(3), rankOf(x)));
  const auto dim2 = static_cast<size_t>(ir::wrapDim(node.intArg(4), rankOf(x)));
  // The other dimensions keep their order, the diagonal is the last.
  Sizes steps;
  for (size_t dim = 0; dim < strides.size(); ++dim) {
    if (dim != dim1 && dim != dim2) steps.push_back(strides[dim]);
  }
  steps.push_back(strides[dim1] + strides[dim2]);
  const int64_t offset = node.intArg(2);
  const int64_t first = offset < 0 ? -offset * strides[dim1] : offset * strides[dim2];
  const Sizes sizes = sizesOf(values);
  const int64_t count = product(sizes);
  if (sizes.size() != steps.size() || static_cast<uint64_t>(count) * sizeof(int64_t) > kLargestFilledConstant)
    return {};
  std::vector<double> places;
  for (int64_t at = 0; at < count; ++at) {
    int64_t place = first, rest = at;
    for (size_t dim = sizes.size(); dim-- > 0; rest /= sizes[dim]) place += rest % sizes[dim] * steps[dim];
    places.push_back(static_cast<double>(place));
  }
  Value* flat = build.view(x, {product(sizesOf(x))});
  Value* put = build.node("aten.index_put.default",
                          {flat, ir::ValueList{int64Constant(build, "diagonal", places)},
                           build.view(build.cast(values, dtypeOf(x)), {count}), false},
                          flat->type());
  return {build.view(put, sizesOf(x))};
}

// For each value the number of boundaries below it (or not above it); NaN lies above all.
Results countBelow(Builder& build, const Node& node, Value* x, Value* boundaries, bool right) {
  const DType dtype = ir::promote(dtypeOf(x), dtypeOf(boundaries));
  Value* above = build.compare(right ? "aten.gt.Tensor" : "aten.ge.Tensor", build.cast(boundaries, dtype),
                               build.unsqueeze(build.cast(x, dtype), -1));
  Value* counted = build.cast(build.logicalNot(above), DType::Int64);
  return {build.cast(build.sum(counted, {static_cast<int64_t>(rankOf(x))}, false), resultDType(node))};
}

Results bucketize(Builder& build, const Node& node) {
  return countBelow(build, node, node.value(0), node.value(1), node.boolArg(3));
}

// (boundaries, x, *, out_int32, right, side, sorter): one row of boundaries for all values.
Results searchSorted(Builder& build, const Node& node) {
  if (rankOf(node.value(0)) != 1 || !node.isNone(5)) return {};
  const bool right = node.boolArg(3) || (!node.isNone(4) && node.stringArg(4) == "right");
  return countBelow(build, node, node.value(1), node.value(0), right);
}

// Differences of neighbours, n times over; what is put before and after counts as part of x. (x, n, dim, prepend,
// append)
Results diff(Builder& build, const Node& node) {
  const DType dtype = resultDType(node);
  if (node.intArg(1) > 8 || rankOf(node.value(0)) == 0) return {};
  const int64_t dim = ir::wrapDim(node.intArg(2), rankOf(node.value(0)));
  Results parts;
  for (const size_t part : {size_t{3}, size_t{0}, size_t{4}}) {
    if (!node.isNone(part)) parts.push_back(build.cast(node.value(part), dtype));
  }
  Value* x = build.cat(parts, dim);
  for (int64_t i = 0; i < node.intArg(1) && !x->type().isEmpty(); ++i) {
    const ir::SymInt size = x->type().dim(dim);
    Value *after = build.slice(x, dim, 1, size), *before = build.slice(x, dim, 0, size - 1);
    x = dtype == DType::Bool ? build.compare("aten.ne.Tensor", after, before) : build.sub(after, before);
  }
  return {x};
}

// Step by step; long ones are left out.
Results cumprod(Builder& build, const Node& node) {
  constexpr int64_t kLongest = 128;
  Value* x = build.cast(node.value(0), resultDType(node));
  if (rankOf(x) == 0) return {x};
  const int64_t dim = ir::wrapDim(node.intArg(1), rankOf(x)), size = x->type().size(dim);
  if (size == 0 || size > kLongest) return {};
  Results parts{build.slice(x, dim, 0, 1)};
  for (int64_t i = 1; i < size; ++i) parts.push_back(build.mul(parts.back(), build.slice(x, dim, i, i + 1)));
  return {build.cat(parts, dim)};
}

}  // namespace

void registerIndexing(DecompositionRegistry& registry) {
  registry.add({"aten.one_hot.default"}, oneHot);
  registry.add({"aten.take_along_dim.default"}, takeAlongDim);
  registry.add({"aten.index_add.default"}, indexAdd);
  registry.add({"aten.index_copy.default"}, indexCopy);
  registry.add({"aten.index_fill.int_Scalar", "aten.index_fill.int_Tensor"}, indexFill);
  registry.add({"aten.index_put.default"}, indexPut);
  registry.add({"aten.diagonal_scatter.default"}, diagonalScatter);
  registry.add({"aten.bucketize.Tensor"}, bucketize);
  registry.add({"aten.searchsorted.Tensor"}, searchSorted);
  registry.add({"aten.diff.default"}, diff);
  registry.add({"aten.cumprod.default"}, cumprod);
}

}  // namespace exportdeck::passes::decompositions
