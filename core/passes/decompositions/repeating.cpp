// Operators that repeat or reorder elements.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

// Repeats an empty list of dimensions or more of them than x has: x gets leading ones.
Value* repeated(Builder& build, Value* x, const Sizes& repeats) {
  Sizes sizes = sizesOf(x);
  if (sizes.size() < repeats.size()) sizes.insert(sizes.begin(), repeats.size() - sizes.size(), 1);
  x = build.view(x, sizes);
  if (std::all_of(repeats.begin(), repeats.end(), [](int64_t count) { return count == 1; })) return x;
  bool onlyOnes = true;
  for (size_t i = 0; i < sizes.size(); ++i) {
    onlyOnes = onlyOnes && (sizes[i] == 1 || repeats[i] == 1);
    sizes[i] *= repeats[i];
  }
  if (onlyOnes) return build.expand(x, sizes);
  return build.node("aten.repeat.default", {x, intList(repeats)}, {dtypeOf(x), sizes});
}

Results repeat(Builder& build, const Node& node) {
  const Sizes repeats = node.ints(1), sizes = sizesOf(node.value(0));
  bool plain = repeats.size() == sizes.size(), onlyOnes = true;
  for (size_t i = 0; i < sizes.size() && plain; ++i) onlyOnes = onlyOnes && (sizes[i] == 1 || repeats[i] == 1);
  if (plain && !onlyOnes) return {};
  return {repeated(build, node.value(0), repeats)};
}

Results tile(Builder& build, const Node& node) {
  Sizes repeats = node.ints(1);
  const size_t rank = rankOf(node.value(0));
  if (repeats.size() < rank) repeats.insert(repeats.begin(), rank - repeats.size(), 1);
  return {repeated(build, node.value(0), repeats)};
}

// Each element `repeats` times in a row: a new innermost dimension that is broadcast and merged.
Results repeatInterleave(Builder& build, const Node& node) {
  Value* x = node.value(0);
  int64_t dim = 0;
  if (node.isNone(2)) {
    x = build.view(x, {x->type().elements()});
  } else {
    dim = ir::wrapDim(node.intArg(2), rankOf(x));
    if (rankOf(x) == 0) x = build.view(x, {1});
  }
  Sizes wide = sizesOf(x);
  wide.insert(wide.begin() + dim + 1, node.intArg(1));
  return {build.view(build.expand(build.unsqueeze(x, dim + 1), wide), resultSizes(node))};
}

Value* flipped(Builder& build, Value* x, const Sizes& dims) {
  return build.node("aten.flip.default", {x, intList(dims)}, {dtypeOf(x), sizesOf(x)});
}

Results flip(Builder& build, const Node& node) {
  Sizes dims;
  bool changed = false;
  const Sizes sizes = sizesOf(node.value(0));
  for (const int64_t dim : node.ints(1)) {
    const int64_t at = ir::wrapDim(dim, sizes.size());
    changed = changed || at != dim;
    if (!sizes.empty() && sizes[static_cast<size_t>(at)] > 1) dims.push_back(at);
  }
  if (dims.empty()) return {node.value(0)};
  if (!changed && dims.size() == node.ints(1).size()) return {};
  return {flipped(build, node.value(0), dims)};
}

Results flipAlong(Builder& build, const Node& node, int64_t dim) {
  return {flipped(build, node.value(0), {dim})};
}
Results fliplr(Builder& build, const Node& node) {
  return flipAlong(build, node, 1);
}
Results flipud(Builder& build, const Node& node) {
  return flipAlong(build, node, 0);
}

// A roll by s is the last s elements before the others.
Value* rolled(Builder& build, Value* x, int64_t shift, int64_t dim) {
  const int64_t size = x->type().size(dim);
  if (size == 0) return x;
  const int64_t start = ((-shift % size) + size) % size;
  if (start == 0) return x;
  return build.cat({build.slice(x, dim, start, size), build.slice(x, dim, 0, start)}, dim);
}

Results roll(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const Sizes shifts = node.ints(1), dims = node.ints(2);
  if (dims.empty()) {
    return {build.view(rolled(build, build.view(x, {x->type().elements()}), shifts.front(), 0), resultSizes(node))};
  }
  for (size_t i = 0; i < shifts.size(); ++i) x = rolled(build, x, shifts[i], dims.at(i));
  return {x};
}

Results rot90(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const int64_t turns = ((node.intArg(1) % 4) + 4) % 4;
  const Sizes dims = node.ints(2);
  const int64_t a = ir::wrapDim(dims.at(0), rankOf(x)), b = ir::wrapDim(dims.at(1), rankOf(x));
  if (turns == 0) return {x};
  if (turns == 2) return {flipped(build, x, {a, b})};
  if (turns == 1) return {build.transpose(flipped(build, x, {b}), a, b)};
  return {flipped(build, build.transpose(x, a, b), {b})};
}

}  // namespace

void registerRepeating(DecompositionRegistry& registry) {
  registry.add({"aten.repeat.default"}, repeat);
  registry.add({"aten.tile.default"}, tile);
  registry.add({"aten.repeat_interleave.self_int"}, repeatInterleave);
  registry.add({"aten.flip.default"}, flip);
  registry.add({"aten.fliplr.default"}, fliplr);
  registry.add({"aten.flipud.default"}, flipud);
  registry.add({"aten.roll.default"}, roll);
  registry.add({"aten.rot90.default"}, rot90);
}

}  // namespace exportdeck::passes::decompositions
