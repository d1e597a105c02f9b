// Means, sums and extremes over neighbouring dimensions.
//
// XNNPACK's blob format has reductions over height and width only: global average pooling, and max pooling with a
// window as large as the input. A run of neighbouring dimensions becomes the width of [A, 1, D, C], where A and C hold
// the dimensions before and behind it. The spatial dimensions of a channels-last value are such a run as they lie.
#include <algorithm>
#include <array>
#include <numeric>

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
// The operand as [before, height, width, behind], of which height and width are reduced.
struct Run {
  Layout layout = Layout::Plain;
  int64_t before = 1, height = 1, width = 1, behind = 1;
  ir::Sizes viewed() const { return {before, height, width, behind}; }
  ir::Sizes reduced() const { return {before, 1, 1, behind}; }
  int64_t length() const { return height * width; }
};

Run runOf(const Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  const ir::Sizes sizes = x->type().sizes();
  const ir::Sizes dims = reducedDims(node);
  const bool isSpatial =
      (sizes.size() == 3 || sizes.size() == 4) && dims.front() == 2 && dims.size() == sizes.size() - 2;
  if (isSpatial && lowering.has(x, Layout::ChannelsLast)) {
    return {Layout::ChannelsLast, sizes[0], sizes.size() == 3 ? 1 : sizes[2], sizes.back(), sizes[1]};
  }
  Run run;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    const auto d = static_cast<int64_t>(dim);
    (d < dims.front() ? run.before : d > dims.back() ? run.behind : run.width) *= sizes[dim];
  }
  return run;
}

// `id` with other dimensions: itself where it has them.
ValueId viewedAs(Lowering& lowering, ValueId id, const ir::Sizes& dims) {
  if (lowering.tensor(id).dims == dims) return id;
  const ValueId to = lowering.addTemporary(lowering.tensor(id).dtype, dims);
  lowering.addReshape(id, to);
  return to;
}

ValueId addUnary(Lowering& lowering, NodeKind kind, ValueId from) {
  Node made;
  made.kind = kind;
  made.inputs = {from};
  made.output = lowering.addTemporary(lowering.tensor(from).dtype, lowering.tensor(from).dims);
  const ValueId id = made.output;
  lowering.add(std::move(made));
  return id;
}

ValueId addMean(Lowering& lowering, ValueId from, const Run& run) {
  Node made;
  made.kind = NodeKind::GlobalAvgPooling2d;
  made.flags = kFlagKeepDims;
  made.inputs = {from};
  made.output = lowering.addTemporary(lowering.tensor(from).dtype, run.reduced());
  const ValueId id = made.output;
  lowering.add(std::move(made));
  return id;
}

ValueId addMaximum(Lowering& lowering, ValueId from, const Run& run) {
  PoolParams params;
  params.height = static_cast<uint32_t>(run.height);
  params.width = static_cast<uint32_t>(run.width);
  Node made;
  made.kind = NodeKind::MaxPooling2d;
  made.inputs = {from};
  made.output = lowering.addTemporary(lowering.tensor(from).dtype, run.reduced());
  made.params = params;
  const ValueId id = made.output;
  lowering.add(std::move(made));
  return id;
}

ValueId addScaled(Lowering& lowering, ValueId from, int64_t factor) {
  Node made;
  made.kind = NodeKind::Multiply;
  made.inputs = {from, lowering.addNumber(static_cast<double>(factor), lowering.tensor(from).dtype)};
  made.output = lowering.addTemporary(lowering.tensor(from).dtype, lowering.tensor(from).dims);
  const ValueId id = made.output;
  lowering.add(std::move(made));
  return id;
}

enum class Kind { Mean, Sum, Maximum, Minimum };

template <Kind K>
void emit(Lowering& lowering, const ir::Node& node) {
  const Run run = runOf(lowering, node);
  ValueId id = run.layout == Layout::Plain ? lowering.flat(node.value(0)) : lowering.channelsLast(node.value(0));
  if constexpr (K == Kind::Minimum) id = addUnary(lowering, NodeKind::Negate, id);
  id = viewedAs(lowering, id, run.viewed());
  id = K == Kind::Mean || K == Kind::Sum ? addMean(lowering, id, run) : addMaximum(lowering, id, run);
  if constexpr (K == Kind::Sum) id = addScaled(lowering, id, run.length());
  if constexpr (K == Kind::Minimum) id = addUnary(lowering, NodeKind::Negate, id);
  // With the dimensions kept, a channels-last result stays so; without them it is [N, C] in either layout.
  const ir::Sizes sizes = node.output()->type().sizes();
  const bool staysLast = run.layout == Layout::ChannelsLast && sizes.size() == node.value(0)->type().rank();
  const Layout layout = staysLast ? Layout::ChannelsLast : Layout::Plain;
  lowering.alias(node, layout, viewedAs(lowering, id, inLayout(sizes, layout)));
}

constexpr std::array<Rule, 6> kRules = {{
    {"aten.mean.dim", judgeRun, emit<Kind::Mean>},
    {"aten.sum.dim_IntList", judgeSum, emit<Kind::Sum>},
    {"aten.amax.default", judgeRun, emit<Kind::Maximum>},
    {"aten.amin.default", judgeRun, emit<Kind::Minimum>},
    {"aten.max.dim", judgeIndexed, emit<Kind::Maximum>},
    {"aten.min.dim", judgeIndexed, emit<Kind::Minimum>},
}};

}  // namespace

std::span<const Rule> reductionRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
