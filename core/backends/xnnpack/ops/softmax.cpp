// Softmax.
#include <array>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

// Softmax runs along the last dimension in memory: the last one, or the channels of a channels-last value.
bool isAlongLast(const ir::Node& node) {
  const size_t rank = node.output()->type().rank();
  return ir::wrapDim(node.intArg(1), rank) == static_cast<int64_t>(rank) - 1;
}

Verdict judge(const ir::Node& node) {
  const size_t rank = node.output()->type().rank();
  if (rank == 0) return Verdict::refuse("its operand is a single number without dimensions");
  const bool isAlongChannels = (rank == 3 || rank == 4) && ir::wrapDim(node.intArg(1), rank) == 1;
  if (isAlongLast(node) || isAlongChannels) return Verdict::take();
  return Verdict::refuse("it is neither along the last dimension nor along the channels");
}

void emit(Lowering& lowering, const ir::Node& node) {
  const Layout layout = isAlongLast(node) ? Layout::Plain : Layout::ChannelsLast;
  Node made;
  made.kind = NodeKind::Softmax;
  made.inputs = {lowering.value(node.value(0), layout)};
  made.output = lowering.result(node, layout);
  lowering.add(std::move(made));
}

constexpr std::array<Rule, 1> kRules = {{{"aten._softmax.default", judge, emit}}};

}  // namespace

std::span<const Rule> softmaxRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
