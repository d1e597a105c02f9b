// Softmax and means.
#include <algorithm>
#include <array>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

// Softmax runs along the last dimension in memory: the last one, or the channels of a channels-last value.
bool isAlongChannels(const ir::Node& node) {
  const size_t rank = node.output()->type().rank();
  return (rank == 3 || rank == 4) && ir::wrapDim(node.intArg(1), rank) == 1;
}

Verdict judgeSoftmax(const ir::Node& node) {
  const size_t rank = node.output()->type().rank();
  if (ir::wrapDim(node.intArg(1), rank) == static_cast<int64_t>(rank) - 1 || isAlongChannels(node))
    return Verdict::take();
  return Verdict::refuse("it is neither along the last dimension nor along the channels");
}

void emitSoftmax(Lowering& lowering, const ir::Node& node) {
  const bool last = ir::wrapDim(node.intArg(1), node.output()->type().rank()) ==
                    static_cast<int64_t>(node.output()->type().rank()) - 1;
  const Layout layout = last ? Layout::Plain : Layout::ChannelsLast;
  Node made;
  made.kind = NodeKind::Softmax;
  made.inputs = {lowering.value(node.value(0), layout)};
  made.output = lowering.result(node, layout);
  lowering.add(std::move(made));
}

// aten.mean.dim(self, dims, keepdim, dtype)
Verdict judgeMean(const ir::Node& node) {
  const size_t rank = node.value(0)->type().rank();
  if (rank != 4 || node.isNone(1)) return Verdict::refuse("XNNPACK averages only height and width of a 4-d tensor");
  ir::Sizes dims = node.ints(1);
  for (int64_t& dim : dims) dim = ir::wrapDim(dim, rank);
  std::sort(dims.begin(), dims.end());
  if (dims != ir::Sizes{2, 3}) return Verdict::refuse("XNNPACK averages only height and width of a 4-d tensor");
  return Verdict::take();
}

void emitMean(Lowering& lowering, const ir::Node& node) {
  const bool keep = node.boolArg(2);
  Node made;
  made.kind = NodeKind::GlobalAvgPooling2d;
  made.flags = keep ? kFlagKeepDims : 0;
  made.inputs = {lowering.channelsLast(node.value(0))};
  made.output = lowering.result(node, keep ? Layout::ChannelsLast : Layout::Plain);
  lowering.add(std::move(made));
}

constexpr std::array<Rule, 2> kRules = {{
    {"aten._softmax.default", judgeSoftmax, emitSoftmax},
    {"aten.mean.dim", judgeMean, emitMean},
}};

}  // namespace

std::span<const Rule> reductionRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
