// Operators that move data: reshapes, permutations, slices, padding.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

// --- reshapes: the result type says all
// Both sides have the same batch and channels, and the rest is spatial: channels last stays channels last.
bool keepsChannels(const ir::TensorType& from, const ir::TensorType& to) {
  const auto fits = [](const ir::TensorType& type) { return type.rank() == 3 || type.rank() == 4; };
  return fits(from) && fits(to) && from.size(0) == to.size(0) && from.size(1) == to.size(1);
}

void emitReshape(Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  if (lowering.has(x, Layout::ChannelsLast) && keepsChannels(x->type(), node.output()->type())) {
    lowering.addReshape(lowering.channelsLast(x), lowering.result(node, Layout::ChannelsLast));
    return;
  }
  const ValueId from = lowering.flat(x);
  if (lowering.tensor(from).dims == node.output()->type().sizes()) {
    lowering.alias(node, Layout::Plain, from);
    return;
  }
  lowering.addReshape(from, lowering.result(node, Layout::Plain));
}

Verdict judgeCopy(const ir::Node& node) {
  if (node.value(0)->type().shape != node.output()->type().shape) return Verdict::refuse("it changes the shape");
  return Verdict::take();
}

// A copy is the same value: what needs storage of its own (an output) is copied where the outputs are bound.
void emitCopy(Lowering& lowering, const ir::Node& node) {
  for (const Layout layout : {Layout::Plain, Layout::ChannelsLast}) {
    if (lowering.has(node.value(0), layout)) lowering.alias(node, layout, lowering.value(node.value(0), layout));
  }
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

// A permutation into or out of channels last needs no transpose: the value is there already under its other name.
void emitPermute(Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  const ir::Sizes order = permutation(node);
  const size_t rank = order.size();
  if (isIdentity(order)) return emitCopy(lowering, node);
  if (rank == 3 || rank == 4) {
    const ir::Sizes last = channelsLastOrder(rank);
    if (order == last && lowering.has(x, Layout::ChannelsLast)) {
      return lowering.alias(node, Layout::Plain, lowering.channelsLast(x));
    }
    // The result in channels last is x as it is.
    if (isIdentity(reordered(order, last)) && lowering.has(x, Layout::Plain)) {
      return lowering.alias(node, Layout::ChannelsLast, lowering.plain(x));
    }
  }
  const ValueId from = lowering.plain(x);
  lowering.addTranspose(from, lowering.result(node, Layout::Plain), order);
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
  const Layout layout = lowering.commonLayout({node.value(0)});
  const ValueId from = lowering.value(x, layout);
  const auto place = static_cast<size_t>(placeOf(static_cast<int64_t>(dim), x->type().rank(), layout));
  ir::Sizes split = lowering.tensor(from).dims;
  split[place] /= step;
  split.insert(split.begin() + static_cast<std::ptrdiff_t>(place) + 1, step);
  const ValueId columns = lowering.addTemporary(x->type().dtype, split);
  lowering.addReshape(from, columns);
  split[place + 1] = 1;
  const ValueId column = lowering.addTemporary(x->type().dtype, split);
  emitSliceNode(lowering, columns, column, place + 1,
                sliceRange(node, x->type().size(static_cast<int64_t>(dim))).start);
  lowering.addReshape(column, lowering.result(node, layout));
}

void emitSlice(Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  const size_t rank = x->type().rank();
  const int64_t dim = ir::wrapDim(node.intArg(1), rank);
  if (x->type() == node.output()->type()) return emitCopy(lowering, node);
  if (node.intArg(4) != 1) return emitColumn(lowering, node);
  const Layout layout = lowering.commonLayout({node.value(0)});
  const int64_t start = sliceRange(node, x->type().size(dim)).start;
  const ValueId from = lowering.value(x, layout);
  emitSliceNode(lowering, from, lowering.result(node, layout), static_cast<size_t>(placeOf(dim, rank, layout)), start);
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
  ir::Sizes sizes = x->type().sizes();
  sizes[static_cast<size_t>(dim)] = 1;
  const ValueId from = lowering.plain(x);
  const ValueId one = lowering.addTemporary(x->type().dtype, sizes);
  emitSliceNode(lowering, from, one, static_cast<size_t>(dim), index < 0 ? index + size : index);
  lowering.addReshape(one, lowering.result(node, Layout::Plain));
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
  const Layout layout = lowering.commonLayout({node.value(0)});
  const ir::Sizes amounts = node.ints(1);
  PadParams params;
  params.before.assign(rank, 0);
  params.after.assign(rank, 0);
  params.value = node.isNone(2) ? 0.0f : static_cast<float>(node.floatArg(2));
  for (size_t pair = 0; pair + 1 < amounts.size(); pair += 2) {
    const auto dim = static_cast<int64_t>(rank - 1 - pair / 2);
    const auto place = static_cast<size_t>(placeOf(dim, rank, layout));
    params.before[place] = amounts[pair];
    params.after[place] = amounts[pair + 1];
  }
  Node made;
  made.kind = NodeKind::StaticConstantPad;
  made.inputs = {lowering.value(x, layout)};
  made.output = lowering.result(node, layout);
  made.params = std::move(params);
  lowering.add(std::move(made));
}

constexpr std::array<Rule, 15> kRules = {{
    {"aten.view_copy.default", takeAlways, emitReshape},
    {"aten.unsqueeze_copy.default", takeAlways, emitReshape},
    {"aten.squeeze_copy.default", takeAlways, emitReshape},
    {"aten.squeeze_copy.dim", takeAlways, emitReshape},
    {"aten.squeeze_copy.dims", takeAlways, emitReshape},
    {"aten.clone.default", judgeCopy, emitCopy},
    {"aten.alias_copy.default", judgeCopy, emitCopy},
    {"aten.expand_copy.default", judgeCopy, emitCopy},
    {"aten.permute_copy.default", takeAlways, emitPermute},
    {"aten.transpose_copy.int", takeAlways, emitPermute},
    {"aten.t_copy.default", takeAlways, emitPermute},
    {"aten.slice_copy.Tensor", judgeSlice, emitSlice},
    {"aten.select_copy.int", judgeSelect, emitSelect},
    {"aten.constant_pad_nd.default", judgePad, emitPad},
}};

}  // namespace

std::span<const Rule> moveRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
