// Pixel shuffles: channels become pixels and back, as reshapes and one transpose of six dimensions on channels last.
#include <array>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

Verdict judge(const ir::Node& node) {
  if (node.value(0)->type().rank() != 4) {
    return Verdict::refuse("its input has no batch dimension", "Give the input a batch dimension of 1.");
  }
  return Verdict::take();
}

// Reshapes the operand to `before`, reorders it, and reshapes it to the result.
void emitMoved(Lowering& lowering, const ir::Node& node, const ir::Sizes& before, const ir::Sizes& order) {
  const ir::DType dtype = node.output()->type().dtype;
  const ValueId split = lowering.addTemporary(dtype, before);
  lowering.addReshape(lowering.channelsLast(node.value(0)), split);
  const ValueId moved = lowering.addTemporary(dtype, reordered(before, order));
  lowering.addTranspose(split, moved, order);
  lowering.addReshape(moved, lowering.result(node, channelsLastOrder(4)));
}

// [N,H,W,C·r·r] -> [N,H,W,C,r,r] -> [N,H,r,W,r,C]
void emitShuffle(Lowering& lowering, const ir::Node& node) {
  const ir::TensorType& in = node.value(0)->type();
  const int64_t r = node.intArg(1);
  emitMoved(lowering, node, {in.size(0), in.size(2), in.size(3), in.size(1) / (r * r), r, r}, {0, 1, 4, 2, 5, 3});
}

// [N,H·r,W·r,C] -> [N,H,r,W,r,C] -> [N,H,W,C,r,r]
void emitUnshuffle(Lowering& lowering, const ir::Node& node) {
  const ir::TensorType& in = node.value(0)->type();
  const int64_t r = node.intArg(1);
  emitMoved(lowering, node, {in.size(0), in.size(2) / r, r, in.size(3) / r, r, in.size(1)}, {0, 1, 3, 5, 2, 4});
}

constexpr std::array<Rule, 2> kRules = {{
    inChannelsLast("aten.pixel_shuffle.default", judge, emitShuffle),
    inChannelsLast("aten.pixel_unshuffle.default", judge, emitUnshuffle),
}};

}  // namespace

std::span<const Rule> shuffleRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
