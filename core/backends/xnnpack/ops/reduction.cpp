// Means, sums and extremes over neighbouring dimensions.
//
// XNNPACK's blob format has reductions over height and width only: global average pooling, and max pooling with a
// window as large as the input. A run of neighbouring dimensions becomes the width of [A, 1, D, C], where A and C hold
// the dimensions before and behind it. The spatial dimensions of a channels-last value are such a run as they lie.
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

// Sorted; none given means all.
ir::Sizes reducedDims(const ir::Node& node) {
  const size_t rank = node.value(0)->type().rank();
  ir::Sizes dims = node.isNone(1) ? ir::Sizes{} : node.ints(1);
  if (dims.empty()) {
    dims.resize(rank);
    std::iota(dims.begin(), dims.end(), int64_t{0});
  }
  for (int64_t& dim : dims) dim = ir::wrapDim(dim, rank);
  std::sort(dims.begin(), dims.end());
  return dims;
}

// --- judging
Verdict judgeRun(const ir::Node& node) {
  if (node.value(0)->type().rank() == 0) return Verdict::refuse("its operand is a single number without dimensions");
  const ir::Sizes dims = reducedDims(node);
  if (dims.back() - dims.front() + 1 != static_cast<int64_t>(dims.size())) {
    return Verdict::refuse("XNNPACK reduces only dimensions that are neighbours");
  }
  return Verdict::take();
}

Verdict judgeSum(const ir::Node& node) {
  if (node.output()->type().dtype != ir::DType::Float32)
    return Verdict::refuse("XNNPACK sums exactly enough in float32 only");
  return judgeRun(node);
}

Verdict judgeIndexed(const ir::Node& node) {
  if (!node.graph().isUnused(node.output(1))) return Verdict::refuse("its indices are used");
  return judgeRun(node);
}

// --- emitting
// The operand in a memory order, as [before, height, width, behind] of which height and width are reduced.
struct Run {
  Order order;
  ir::SymInt before = 1, height = 1, width = 1, behind = 1;
  ir::Shape viewed() const { return {before, height, width, behind}; }
  ir::Shape reduced() const { return {before, 1, 1, behind}; }
  ir::SymInt length() const { return height * width; }
};

// The places in memory of the reduced dimensions, where they are neighbours there.
std::optional<std::pair<size_t, size_t>> placesIn(const Order& order, const ir::Sizes& dims) {
  size_t first = order.size(), last = 0;
  for (const int64_t dim : dims) {
    first = std::min(first, placeOf(dim, order));
    last = std::max(last, placeOf(dim, order));
  }
  if (last - first + 1 != dims.size()) return std::nullopt;
  return std::pair(first, last);
}

bool keepsDims(const ir::Node& node) {
  return node.output()->type().rank() == node.value(0)->type().rank();
}

Order resultOrder(const ir::Node& node, Order order, const ir::Sizes& dims) {
  if (keepsDims(node)) return order;
  for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim) order = withoutDimension(order, *dim);
  return order;
}

Run runOf(const Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  const ir::Sizes dims = reducedDims(node);
  std::vector<Passage> candidates;
  for (const Order& order : lowering.orders(x)) {
    if (placesIn(order, dims)) candidates.push_back({order, resultOrder(node, order, dims)});
  }
  const Order plain = plainOrder(x->type().rank());
  candidates.push_back({plain, resultOrder(node, plain, dims)});
  Run run;
  run.order = lowering.cheapest(node, x, candidates).from;
  const auto [first, last] = *placesIn(run.order, dims);
  const ir::Shape sizes = reordered(x->type().shape, run.order);
  // As it is where it has these four dimensions already.
  const bool isImage = sizes.size() == 4 && first == 1 && last == 2;
  for (size_t place = 0; place < sizes.size(); ++place) {
    (place < first               ? run.before
     : place > last              ? run.behind
     : isImage && place == first ? run.height
                                 : run.width) *= sizes[place];
  }
  return run;
}

// Any order in which the reduced dimensions are neighbours will do.
Wish wishes(const ir::Node& node, const ir::Value& operand, const Wish& result) {
  const ir::Sizes dims = reducedDims(node);
  const size_t rank = operand.type().rank();
  Wish out = keepsDims(node) ? result : Wish{};
  out.push_back(plainOrder(rank));
  if (rank == 3 || rank == 4) out.push_back(channelsLastOrder(rank));
  std::erase_if(out, [&](const Order& order) { return !placesIn(order, dims); });
  return out;
}

ValueId addMaximum(Lowering& lowering, ValueId from, const Run& run) {
  PoolParams params;
  params.height = static_cast<uint32_t>(run.height.value());
  params.width = static_cast<uint32_t>(run.width.value());
  Node made;
  made.kind = NodeKind::MaxPooling2d;
  made.inputs = {from};
  made.params = params;
  return lowering.addStep(std::move(made), run.reduced());
}

ValueId addNegated(Lowering& lowering, ValueId from) {
  return lowering.addStep(NodeKind::Negate, {from}, lowering.tensor(from).dims);
}

enum class Kind { Mean, Sum, Maximum, Minimum };

template <Kind K>
void emit(Lowering& lowering, const ir::Node& node) {
  const Run run = runOf(lowering, node);
  ValueId id = lowering.memory(node.value(0), run.order);
  if constexpr (K == Kind::Minimum) id = addNegated(lowering, id);
  id = lowering.viewed(id, run.viewed());
  id = K == Kind::Mean || K == Kind::Sum
           ? lowering.addResultStep(NodeKind::GlobalAvgPooling2d, id, run.reduced(), kFlagKeepDims)
           : addMaximum(lowering, id, run);
  if constexpr (K == Kind::Sum) {
    const ValueId length = lowering.addNumber(static_cast<double>(run.length().value()), lowering.tensor(id).dtype);
    id = lowering.addStep(NodeKind::Multiply, {id, length}, run.reduced());
  }
  if constexpr (K == Kind::Minimum) id = addNegated(lowering, id);
  const Order order = resultOrder(node, run.order, reducedDims(node));
  lowering.alias(node, order, lowering.viewed(id, reordered(node.output()->type().shape, order)));
}

constexpr Rule rule(std::string_view op, Verdict (*judge)(const ir::Node&), void (*lower)(Lowering&, const ir::Node&)) {
  return {.op = op, .judge = judge, .lower = lower, .wishes = wishes};
}

constexpr std::array<Rule, 6> kRules = {{
    onIntegers(rule("aten.mean.dim", judgeRun, emit<Kind::Mean>), takesAnyScales),
    rule("aten.sum.dim_IntList", judgeSum, emit<Kind::Sum>),
    rule("aten.amax.default", judgeRun, emit<Kind::Maximum>),
    rule("aten.amin.default", judgeRun, emit<Kind::Minimum>),
    rule("aten.max.dim", judgeIndexed, emit<Kind::Maximum>),
    rule("aten.min.dim", judgeIndexed, emit<Kind::Minimum>),
}};

}  // namespace

std::span<const Rule> reductionRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
