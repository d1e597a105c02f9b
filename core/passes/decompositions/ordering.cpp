// Sorting, and choosing by rank.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

struct Sorted {
  Value *values, *indices;
};

// A full sort is the choice of all elements. Equal ones may come in any order.
Sorted sorted(Builder& build, Value* x, int64_t dim, bool descending) {
  if (rankOf(x) == 0) return {x, build.full({}, int64_t{0}, DType::Int64)};
  const Results both = build.nodeMulti("aten.topk.default", {x, x->type().size(dim), dim, descending, true},
                                       {{dtypeOf(x), sizesOf(x)}, {DType::Int64, sizesOf(x)}});
  return {both[0], both[1]};
}

// Truth values are sorted as numbers.
Sorted sortedAny(Builder& build, Value* x, int64_t dim, bool descending) {
  dim = ir::wrapDim(dim, rankOf(x));
  if (dtypeOf(x) != DType::Bool) return sorted(build, x, dim, descending);
  const Sorted numbers = sorted(build, build.cast(x, DType::Int32), dim, descending);
  return {build.cast(numbers.values, DType::Bool), numbers.indices};
}

Results sort(Builder& build, const Node& node) {
  const Sorted both = sortedAny(build, node.value(0), node.intArg(1), node.boolArg(2));
  return {both.values, both.indices};
}
Results argsort(Builder& build, const Node& node) {
  return {sortedAny(build, node.value(0), node.intArg(1), node.boolArg(2)).indices};
}
Results msort(Builder& build, const Node& node) {
  return {sortedAny(build, node.value(0), 0, false).values};
}

// a comes before b for sure: NaN counts as larger than all.
Value* precedes(Builder& build, Value* a, Value* b, bool descending) {
  if (descending) std::swap(a, b);
  Value* less = build.compare("aten.lt.Tensor", a, b);
  if (!isFloating(dtypeOf(a))) return less;
  const auto both = [&](std::string_view op, Value* x, Value* y) {
    return build.node(op, {x, y}, {DType::Bool, broadcastSizes(sizesOf(x), sizesOf(y))});
  };
  Value *isNumber = build.compare("aten.eq.Tensor", a, a), *isNan = build.compare("aten.ne.Tensor", b, b);
  Value* numberBeforeNan = both("aten.logical_and.default", isNumber, isNan);
  return both("aten.logical_or.default", less, numberBeforeNan);
}

// Equal elements stay in their order: the place of each is the number of those that come before it, each pair compared.
Value* stableIndices(Builder& build, Value* x, int64_t dim, bool descending) {
  constexpr int64_t kMostPairs = int64_t{1} << 22;
  const Sizes sizes = sizesOf(x);
  const auto last = static_cast<int64_t>(sizes.size()) - 1;
  const int64_t count = sizes[static_cast<size_t>(dim)];
  if (x->type().elements() * count > kMostPairs) return nullptr;
  Value* rows = build.transpose(dtypeOf(x) == DType::Bool ? build.cast(x, DType::Int32) : x, dim, last);
  const Sizes rowSizes = sizesOf(rows);
  Value *self = build.unsqueeze(rows, -1), *others = build.unsqueeze(rows, -2);
  std::vector<double> earlier;
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < count; ++j) earlier.push_back(j < i ? 1 : 0);
  }
  Value* isEarlier = build.constant("earlier", {DType::Bool, {count, count}}, bytesOfDoubles(earlier, DType::Bool));
  // Of the others: those before it for sure, and the earlier ones that are not behind it.
  Value* notBehind = build.logicalNot(precedes(build, self, others, descending));
  Value* before = build.where(isEarlier, notBehind, precedes(build, others, self, descending));
  Value* places = build.sum(build.cast(before, DType::Int64), {last + 1}, false);
  std::vector<double> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0.0);
  Value* own = build.constant("places", {DType::Int64, {count}}, bytesOfDoubles(numbers, DType::Int64));
  Value* indices = build.node(
      "aten.scatter.src", {build.full(rowSizes, int64_t{0}, DType::Int64), last, places, build.expand(own, rowSizes)},
      {DType::Int64, rowSizes});
  return build.transpose(indices, dim, last);
}

// (x, *, stable, dim, descending): where only the values are read, stability shows nowhere.
Results stableSort(Builder& build, const Node& node) {
  const bool stable = !node.isNone(1) && node.boolArg(1);
  Value* x = node.value(0);
  if (!stable || node.graph().isUnused(node.output(1)) || rankOf(x) == 0) {
    const Sorted both = sortedAny(build, x, node.intArg(2), node.boolArg(3));
    return {both.values, both.indices};
  }
  const int64_t dim = ir::wrapDim(node.intArg(2), rankOf(x));
  Value* indices = stableIndices(build, x, dim, node.boolArg(3));
  if (!indices) return {};
  return {build.node("aten.gather.default", {x, dim, indices}, x->type()), indices};
}
Results stableArgsort(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const bool stable = node.boolArg(1) && rankOf(x) > 0;
  if (!stable) return {sortedAny(build, x, node.intArg(2), node.boolArg(3)).indices};
  Value* indices = stableIndices(build, x, ir::wrapDim(node.intArg(2), rankOf(x)), node.boolArg(3));
  return indices ? Results{indices} : Results{};
}

// The element of rank `place` along a dimension, kept with size 1; where NaNs win, NaN if one is among them.
Value* ranked(Builder& build, Value* x, int64_t dim, int64_t place, bool nanWins) {
  Value* chosen = build.slice(sorted(build, x, dim, false).values, dim, place, place + 1);
  if (!nanWins || !isFloating(dtypeOf(x))) return chosen;
  Value* isNan = build.compare("aten.ne.Tensor", x, x);
  Value* anyNan = build.node("aten.any.dim", {isNan, dim, true}, {DType::Bool, sizesOf(chosen)});
  return build.where(anyNan, build.scalar(std::numeric_limits<double>::quiet_NaN(), dtypeOf(x)), chosen);
}

// Only the values: which of equal elements PyTorch names depends on how it searches.
Results rankedNode(Builder& build, const Node& node, int64_t dim, bool keepDim, int64_t place, bool nanWins) {
  Value* x = node.value(0);
  if (!node.graph().isUnused(node.output(1)) || dtypeOf(x) == DType::Bool) return {};
  if (rankOf(x) == 0) return {x, nullptr};
  dim = ir::wrapDim(dim, rankOf(x));
  if (x->type().size(dim) == 0) return {};
  Value* chosen = ranked(build, x, dim, place, nanWins);
  return {keepDim ? chosen : build.squeeze(chosen, dim), nullptr};
}

// Of an even number of elements the lower one of the middle.
Results medianAlong(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const int64_t count = rankOf(x) == 0 ? 1 : x->type().size(ir::wrapDim(node.intArg(1), rankOf(x)));
  return rankedNode(build, node, node.intArg(1), node.boolArg(2), (count - 1) / 2, true);
}
Results medianOfAll(Builder& build, const Node& node) {
  const int64_t count = node.value(0)->type().elements();
  if (count == 0 || dtypeOf(node.value(0)) == DType::Bool) return {};
  Value* chosen = ranked(build, build.view(node.value(0), {count}), 0, (count - 1) / 2, true);
  return {build.view(chosen, {})};
}
Results kthValue(Builder& build, const Node& node) {
  return rankedNode(build, node, node.intArg(2), node.boolArg(3), node.intArg(1) - 1, false);
}

}  // namespace

void registerOrdering(DecompositionRegistry& registry) {
  registry.add({"aten.sort.default"}, sort);
  registry.add({"aten.sort.stable"}, stableSort);
  registry.add({"aten.argsort.default"}, argsort);
  registry.add({"aten.argsort.stable"}, stableArgsort);
  registry.add({"aten.msort.default"}, msort);
  registry.add({"aten.median.dim"}, medianAlong);
  registry.add({"aten.median.default"}, medianOfAll);
  registry.add({"aten.kthvalue.default"}, kthValue);
}

}  // namespace exportdeck::passes::decompositions
