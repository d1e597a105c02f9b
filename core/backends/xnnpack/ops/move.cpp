// Operators that move data: reshapes, permutations, slices, padding.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>

#include "backends/xnnpack/integers.h"
#include "backends/xnnpack/ops/repeat.h"
#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

// --- reshapes: the result type says all
// Ways to read the operand so that what lies in memory is the result in some order: as it lies, as the result's readers
// wish it, or plainly.
std::vector<Passage> reshapePassages(const Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  const ir::Shape from = x->type().shape, to = node.output()->type().shape;
  std::vector<Passage> out;
  for (const Order& order : lowering.orders(x)) {
    if (auto reached = throughReshape(order, from, to)) out.push_back({order, std::move(*reached)});
  }
  for (const Wish& wish : lowering.wishes(node)) {
    for (const Order& order : wish) {
      if (auto needed = throughReshape(order, to, from)) out.push_back({std::move(*needed), order});
    }
  }
  out.push_back({plainOrder(from.size()), plainOrder(to.size())});
  return out;
}

void emitReshape(Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  const Passage way = lowering.cheapest(node, x, reshapePassages(lowering, node));
  const ValueId from = lowering.memory(x, way.from);
  if (lowering.tensor(from).dims == reordered(node.output()->type().shape, way.to)) {
    lowering.alias(node, way.to, from);
    return;
  }
  lowering.addReshape(from, lowering.result(node, way.to));
}

Wish wishesOfReshape(const ir::Node& node, const ir::Value& operand, const Wish& result) {
  Wish out;
  for (const Order& order : result) {
    if (auto needed = throughReshape(order, node.output()->type().shape, operand.type().shape))
      out.push_back(std::move(*needed));
  }
  return out.empty() ? Wish{plainOrder(operand.type().rank())} : out;
}

Verdict judgeCopy(const ir::Node& node) {
  if (node.value(0)->type().shape != node.output()->type().shape) return Verdict::refuse("it changes the shape");
  return Verdict::take();
}

// A copy is the same value: what needs storage of its own (an output) is copied where the outputs are bound.
void emitCopy(Lowering& lowering, const ir::Node& node) {
  for (const Order& order : lowering.orders(node.value(0)))
    lowering.alias(node, order, lowering.value(node.value(0), order));
}

// --- expansions
// From the last dimension on, while there is little to repeat.
void emitExpand(Lowering& lowering, const ir::Node& node) {
  const ir::TensorType& from = node.value(0)->type();
  const ir::Shape to = node.output()->type().shape;
  if (from.shape == to) return emitCopy(lowering, node);
  ir::Shape sizes = from.shape;
  sizes.insert(sizes.begin(), to.size() - sizes.size(), 1);
  ValueId value = lowering.plain(node.value(0));
  ir::SymInt behind = 1;  // elements of what is repeated
  for (size_t dim = to.size(); dim-- > 0;) {
    if (sizes[dim] != to[dim]) {
      const ir::SymInt rows =
          std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(dim), ir::SymInt(1), ir::multiply);
      value = repeated(lowering, value, rows, behind, to[dim]);
    }
    behind *= to[dim];
  }
  lowering.addReshape(value, lowering.plainResult(node));
}

// --- permutations
ir::Sizes permutation(const ir::Node& node) {
  const size_t rank = node.output()->type().rank();
  ir::Sizes order(rank);
  if (node.is("aten.permute_copy.default")) {
    order = node.ints(1);
    for (int64_t& dim : order) dim = ir::wrapDim(dim, rank);
    return order;
  }
  std::iota(order.begin(), order.end(), int64_t{0});
  const int64_t first = node.is("aten.t_copy.default") ? 0 : ir::wrapDim(node.intArg(1), rank);
  const int64_t second =
      node.is("aten.t_copy.default") ? static_cast<int64_t>(rank) - 1 : ir::wrapDim(node.intArg(2), rank);
  std::swap(order[static_cast<size_t>(first)], order[static_cast<size_t>(second)]);
  return order;
}

// A permutation is the same memory under other names: readers that want it in another order transpose it then.
void emitPermute(Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  const ir::Sizes order = permutation(node);
  for (const Order& from : lowering.orders(x))
    lowering.alias(node, throughPermutation(from, order), lowering.value(x, from));
}

Wish wishesOfPermutation(const ir::Node& node, const ir::Value&, const Wish& result) {
  const ir::Sizes order = permutation(node);
  Wish out;
  for (const Order& wished : result) out.push_back(backThroughPermutation(wished, order));
  return out;
}

// --- slices
struct Range1d {
  int64_t start = 0, end = 0;
};

// Python's rules: negative positions count from the end, all are clamped.
Range1d sliceRange(const ir::Node& node, int64_t size) {
  const auto position = [&](size_t arg, int64_t fallback) {
    if (node.isNone(arg)) return fallback;
    const int64_t given = node.intArg(arg);
    return std::clamp<int64_t>(given < 0 ? given + size : given, 0, size);
  };
  return {position(2, 0), position(3, size)};
}

// Every step-th of a dimension is one column of that dimension seen as [size/step, step].
bool isColumn(const ir::Node& node) {
  const ir::TensorType& type = node.value(0)->type();
  const int64_t size = type.size(node.intArg(1)), step = node.intArg(4);
  return type.rank() < kMaxRank && size % step == 0 && node.output()->type().size(node.intArg(1)) == size / step;
}

Verdict judgeSlice(const ir::Node& node) {
  for (const size_t arg : {2u, 3u, 4u}) {
    if (node.hasValue(arg)) return Verdict::refuse("its positions are computed at run time");
  }
  if (node.intArg(4) != 1 && !isColumn(node)) return Verdict::refuse("its step does not divide the size");
  return Verdict::take();
}

void emitSliceNode(Lowering& lowering, ValueId from, ValueId to, size_t axis, int64_t offset) {
  SliceParams params;
  params.sizes = lowering.tensor(to).dims;
  params.offsets.assign(params.sizes.size(), 0);
  params.offsets[axis] = offset;
  Node made;
  made.kind = NodeKind::StaticSlice;
  made.inputs = {from};
  made.output = to;
  made.params = std::move(params);
  lowering.add(std::move(made));
}

// A slice with a step, see isColumn().
void emitColumn(Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  const auto dim = static_cast<size_t>(ir::wrapDim(node.intArg(1), x->type().rank()));
  const int64_t step = node.intArg(4);
  const Order order = lowering.commonOrder(node);
  const ValueId from = lowering.value(x, order);
  const size_t place = placeOf(static_cast<int64_t>(dim), order);
  ir::Shape split = lowering.tensor(from).dims;
  split[place] = split[place] / step;
  split.insert(split.begin() + static_cast<std::ptrdiff_t>(place) + 1, step);
  const ValueId columns = lowering.addTemporaryLike(from, split);
  lowering.addReshape(from, columns);
  split[place + 1] = 1;
  const ValueId column = lowering.addTemporaryLike(from, split);
  emitSliceNode(lowering, columns, column, place + 1,
                sliceRange(node, x->type().size(static_cast<int64_t>(dim))).start);
  lowering.addReshape(column, lowering.result(node, order));
}

void emitSlice(Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  const size_t rank = x->type().rank();
  const int64_t dim = ir::wrapDim(node.intArg(1), rank);
  if (x->type() == node.output()->type()) return emitCopy(lowering, node);
  if (node.intArg(4) != 1) return emitColumn(lowering, node);
  const Order order = lowering.commonOrder(node);
  const int64_t start = sliceRange(node, x->type().size(dim)).start;
  const ValueId from = lowering.value(x, order);
  emitSliceNode(lowering, from, lowering.result(node, order), placeOf(dim, order), start);
}

Verdict judgeSelect(const ir::Node& node) {
  if (node.hasValue(2)) return Verdict::refuse("its position is computed at run time");
  return Verdict::take();
}

// A slice of one, then a reshape without that dimension.
void emitSelect(Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  const int64_t dim = ir::wrapDim(node.intArg(1), x->type().rank());
  const int64_t index = node.intArg(2);
  const int64_t size = x->type().size(dim);
  std::vector<Passage> candidates;
  for (const Order& order : lowering.orders(x)) candidates.push_back({order, withoutDimension(order, dim)});
  const Passage way = lowering.cheapest(node, x, candidates);
  const ValueId from = lowering.value(x, way.from);
  const size_t place = placeOf(dim, way.from);
  ir::Shape sizes = lowering.tensor(from).dims;
  sizes[place] = 1;
  const ValueId one = lowering.addTemporaryLike(from, sizes);
  emitSliceNode(lowering, from, one, place, index < 0 ? index + size : index);
  lowering.addReshape(one, lowering.result(node, way.to));
}

Wish wishesOfSelect(const ir::Node& node, const ir::Value& operand, const Wish& result) {
  const int64_t dim = ir::wrapDim(node.intArg(1), operand.type().rank());
  Wish out;
  for (const Order& order : result) {
    // The dimension behind the one before it, as in the plain order.
    Order with;
    for (const int64_t other : order) with.push_back(other >= dim ? other + 1 : other);
    const size_t behind = dim == 0 ? 0 : placeOf(dim - 1, with) + 1;
    with.insert(with.begin() + static_cast<std::ptrdiff_t>(behind), dim);
    out.push_back(std::move(with));
  }
  return out;
}

// --- padding
Verdict judgePad(const ir::Node& node) {
  for (const int64_t amount : node.ints(1)) {
    if (amount < 0) return Verdict::refuse("it crops (a negative padding)");
  }
  return Verdict::take();
}

// The list holds (before, after) pairs from the last dimension backwards.
void emitPad(Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  const size_t rank = x->type().rank();
  const Order order = lowering.commonOrder(node);
  const ir::Sizes amounts = node.ints(1);
  PadParams params;
  params.before.assign(rank, 0);
  params.after.assign(rank, 0);
  params.value = node.isNone(2) ? 0.0f : static_cast<float>(node.floatArg(2));
  for (size_t pair = 0; pair + 1 < amounts.size(); pair += 2) {
    const auto dim = static_cast<int64_t>(rank - 1 - pair / 2);
    const size_t place = placeOf(dim, order);
    params.before[place] = amounts[pair];
    params.after[place] = amounts[pair + 1];
  }
  Node made;
  made.kind = NodeKind::StaticConstantPad;
  made.inputs = {lowering.value(x, order)};
  made.output = lowering.result(node, order);
  made.params = std::move(params);
  lowering.add(std::move(made));
}

bool padsIntegers(const ir::Node& node, const TensorScale& scale) {
  return isExact(node.isNone(2) ? 0 : node.floatArg(2), scale);
}

constexpr Rule reshape(std::string_view op) {
  return {.op = op, .judge = takeAlways, .lower = emitReshape, .movesIntegers = movesAlways, .wishes = wishesOfReshape};
}
constexpr Rule permute(std::string_view op) {
  return {
      .op = op, .judge = takeAlways, .lower = emitPermute, .movesIntegers = movesAlways, .wishes = wishesOfPermutation};
}

constexpr std::array<Rule, 14> kRules = {{
    reshape("aten.view_copy.default"),
    reshape("aten.unsqueeze_copy.default"),
    reshape("aten.squeeze_copy.default"),
    reshape("aten.squeeze_copy.dim"),
    reshape("aten.squeeze_copy.dims"),
    movingIntegers(inAnyOrder("aten.clone.default", judgeCopy, emitCopy), movesAlways),
    movingIntegers(inAnyOrder("aten.alias_copy.default", judgeCopy, emitCopy), movesAlways),
    {.op = "aten.expand_copy.default", .judge = takeAlways, .lower = emitExpand},
    permute("aten.permute_copy.default"),
    permute("aten.transpose_copy.int"),
    permute("aten.t_copy.default"),
    movingIntegers(inAnyOrder("aten.slice_copy.Tensor", judgeSlice, emitSlice), movesAlways),
    {.op = "aten.select_copy.int",
     .judge = judgeSelect,
     .lower = emitSelect,
     .movesIntegers = movesAlways,
     .wishes = wishesOfSelect},
    movingIntegers(inAnyOrder("aten.constant_pad_nd.default", judgePad, emitPad), padsIntegers),
}};

}  // namespace

std::span<const Rule> moveRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
