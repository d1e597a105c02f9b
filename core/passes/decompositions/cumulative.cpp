// Running extremes, and reductions of scattered elements: all pairs are compared at once where there are few.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

constexpr int64_t kMostPairs = int64_t{1} << 22;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Step by step; of equal elements the later one is named, and NaN stays.
Results runningExtreme(Builder& build, const Node& node, std::string_view reaches) {
  constexpr int64_t kLongest = 128;
  Value* x = node.value(0);
  if (rankOf(x) == 0 || dtypeOf(x) == DType::Bool) return {};
  const int64_t dim = ir::wrapDim(node.intArg(1), rankOf(x)), size = x->type().size(dim);
  if (size == 0 || size > kLongest) return {};
  Results values{build.slice(x, dim, 0, 1)};
  Results places{build.full(sizesOf(values.front()), int64_t{0}, DType::Int64)};
  for (int64_t i = 1; i < size; ++i) {
    Value* next = build.slice(x, dim, i, i + 1);
    Value* taken = build.compare(reaches, next, values.back());
    if (isFloating(dtypeOf(x))) {
      Value* isNan = build.compare("aten.ne.Tensor", next, next);
      taken = build.node("aten.logical_or.default", {taken, isNan}, {DType::Bool, sizesOf(next)});
    }
    values.push_back(build.where(taken, next, values.back()));
    places.push_back(build.where(taken, build.scalar(i, DType::Int64), places.back()));
  }
  return {build.cat(values, dim), build.cat(places, dim)};
}
Results runningMaximum(Builder& build, const Node& node) {
  return runningExtreme(build, node, "aten.ge.Tensor");
}
Results runningMinimum(Builder& build, const Node& node) {
  return runningExtreme(build, node, "aten.le.Tensor");
}

// Row i holds the elements up to i, and -inf behind them.
Results runningLogSumExp(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (rankOf(x) == 0 || dtypeOf(x) != resultDType(node) || !isFloatResult(node)) return {};
  const auto last = static_cast<int64_t>(rankOf(x)) - 1;
  const int64_t dim = ir::wrapDim(node.intArg(1), rankOf(x)), size = x->type().size(dim);
  if (size == 0 || x->type().elements() * size > kMostPairs) return {};
  std::vector<double> triangle;
  for (int64_t i = 0; i < size; ++i) {
    for (int64_t j = 0; j < size; ++j) triangle.push_back(j <= i ? 1 : 0);
  }
  Value* upTo = build.constant("up_to", {DType::Bool, {size, size}}, bytesOfDoubles(triangle, DType::Bool));
  Value* moved = build.transpose(x, dim, last);
  Value* rows = build.where(upTo, build.unsqueeze(moved, -2), build.scalar(-kInfinity, dtypeOf(x)));
  Value* sums = build.reduce("aten.logsumexp.default", rows, {last + 1}, false);
  return {build.transpose(sums, dim, last)};
}

struct Scattered {
  Value* hit;     // [..., place, element]
  Value* source;  // [..., 1, element]
};

// Which element of the source goes to which place, along the last dimension. Null where shapes differ elsewhere.
Scattered scattered(Builder& build, const Node& node, int64_t dim) {
  Value *x = node.value(0), *index = node.value(2), *source = node.value(3);
  const auto last = static_cast<int64_t>(rankOf(x)) - 1;
  Sizes expected = sizesOf(x), sizes = sizesOf(index);
  if (sizes.size() != expected.size() || rankOf(source) != rankOf(x)) return {};
  const int64_t places = expected[static_cast<size_t>(dim)], count = sizes[static_cast<size_t>(dim)];
  expected[static_cast<size_t>(dim)] = count;
  if (expected != sizes || count == 0 || product(sizes) * places > kMostPairs) return {};
  for (size_t i = 0; i < sizes.size(); ++i) {
    source = build.slice(source, static_cast<int64_t>(i), 0, sizes[i]);
  }
  std::vector<double> numbers(static_cast<size_t>(places));
  std::iota(numbers.begin(), numbers.end(), 0.0);
  Value* place = build.constant("places", {DType::Int64, {places, 1}}, bytesOfDoubles(numbers, DType::Int64));
  Value* target = build.unsqueeze(build.transpose(build.cast(index, DType::Int64), dim, last), -2);
  return {build.compare("aten.eq.Tensor", target, place), build.unsqueeze(build.transpose(source, dim, last), -2)};
}

// What an absent element is for a reduction; nothing where it is not known.
std::optional<double> neutral(const std::string& reduce) {
  if (reduce == "amax") return -kInfinity;
  if (reduce == "amin") return kInfinity;
  if (reduce == "prod") return 1;
  return reduce == "sum" || reduce == "mean" ? std::optional<double>(0) : std::nullopt;
}

Value* combined(Builder& build, const std::string& reduce, Value* self, Value* found) {
  if (reduce == "amax") return build.binary("aten.maximum.default", self, found);
  if (reduce == "amin") return build.binary("aten.minimum.default", self, found);
  return reduce == "prod" ? build.mul(self, found) : build.add(self, found);
}

Value* reducedOver(Builder& build, const std::string& reduce, Value* x, int64_t dim) {
  if (reduce == "sum" || reduce == "mean") return build.sum(x, {dim}, false);
  if (reduce != "prod") return build.reduce(concat("aten.", reduce, ".default"), x, {dim}, false);
  Sizes sizes = sizesOf(x);
  sizes.pop_back();
  return build.node("aten.prod.dim_int", {x, dim, false, ir::None{}}, {dtypeOf(x), sizes});
}

// (x, dim, index, source, reduce, *, includeSelf): sums that include x have a kernel.
Results scatterReduce(Builder& build, const Node& node) {
  const std::string reduce = node.stringArg(4);
  const bool includeSelf = node.boolArg(5);
  Value* x = node.value(0);
  if (reduce == "sum" && includeSelf) {
    return {build.node("aten.scatter_add.default", {x, node.intArg(1), node.value(2), node.value(3)},
                       node.output()->type())};
  }
  const std::optional<double> absent = neutral(reduce);
  if (!absent || rankOf(x) == 0 || dtypeOf(x) != DType::Float32) return {};
  const int64_t dim = ir::wrapDim(node.intArg(1), rankOf(x)), last = static_cast<int64_t>(rankOf(x)) - 1;
  const Scattered pairs = scattered(build, node, dim);
  if (!pairs.hit) return {};
  Value* self = build.transpose(x, dim, last);
  Value* chosen = build.where(pairs.hit, pairs.source, build.scalar(*absent, dtypeOf(x)));
  Value* found = reducedOver(build, reduce, chosen, last + 1);
  Value* count = build.sum(build.cast(pairs.hit, dtypeOf(x)), {last + 1}, false);
  Value* any = build.compare("aten.gt.Scalar", count, int64_t{0});
  if (includeSelf) found = combined(build, reduce, self, found);
  if (reduce == "mean") found = build.div(found, includeSelf ? build.add(count, 1) : count);
  return {build.transpose(build.where(any, found, self), dim, last)};
}

// Of zeros, the reciprocal tells.
Value* isNegative(Builder& build, Value* x) {
  Value* below = build.compare("aten.lt.Scalar", x, int64_t{0});
  if (!isFloating(dtypeOf(x))) return below;
  Value* reciprocal = build.unary("aten.reciprocal.default", x);
  Value* belowZero = build.compare("aten.lt.Scalar", reciprocal, int64_t{0});
  return build.node("aten.logical_or.default", {below, belowZero}, {DType::Bool, sizesOf(x)});
}
Results signBit(Builder& build, const Node& node) {
  if (dtypeOf(node.value(0)) == DType::Bool) return {};
  return {isNegative(build, node.value(0))};
}
Results copySign(Builder& build, const Node& node) {
  if (!node.hasValue(1) || !isFloatResult(node) || dtypeOf(node.value(1)) == DType::Bool) return {};
  Value* size =
      build.expand(build.unary("aten.abs.default", build.cast(node.value(0), resultDType(node))), resultSizes(node));
  Value* negative = isNegative(build, node.value(1));
  return {build.where(negative, build.unary("aten.neg.default", size), size)};
}

}  // namespace

void registerCumulative(DecompositionRegistry& registry) {
  registry.add({"aten.cummax.default"}, runningMaximum);
  registry.add({"aten.cummin.default"}, runningMinimum);
  registry.add({"aten.logcumsumexp.default"}, runningLogSumExp);
  registry.add({"aten.scatter_reduce.two"}, scatterReduce);
  registry.add({"aten.signbit.default"}, signBit);
  registry.add({"aten.copysign.Tensor"}, copySign);
}

}  // namespace exportdeck::passes::decompositions
