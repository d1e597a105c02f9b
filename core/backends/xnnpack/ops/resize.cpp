// Bilinear resizing.
#include <array>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

// PyTorch steps by 1/scale where a scale was given, XNNPACK by input/output: the same only where input·scale is whole.
bool scalesAreExact(const ir::Node& node, const ir::Argument& scales) {
  const auto* list = std::get_if<ir::FloatList>(&scales);
  if (!list) return true;
  for (size_t i = 0; i < list->size(); ++i) {
    const auto dim = static_cast<int64_t>(i) + 2;
    if (static_cast<double>(node.value(0)->type().size(dim)) * (*list)[i] !=
        static_cast<double>(node.output()->type().size(dim))) {
      return false;
    }
  }
  return true;
}

// aten.upsample_bilinear2d.vec(input, output_size, align_corners, scale_factors)
Verdict judge(const ir::Node& node) {
  if (node.value(0)->type().rank() != 4) return Verdict::refuse("its input is not 4-d");
  if (!node.boolArg(2) && node.argCount() > 3 && !scalesAreExact(node, node.args()[3])) {
    return Verdict::refuse("its scale factor does not give whole sizes, and then PyTorch samples at other places",
                           "Give the output size instead of the scale factor.");
  }
  return Verdict::take();
}

void emit(Lowering& lowering, const ir::Node& node) {
  const ir::TensorType& type = node.output()->type();
  Node made;
  made.kind = NodeKind::StaticResizeBilinear2d;
  made.flags = node.boolArg(2) ? kFlagAlignCorners : 0;
  made.inputs = {lowering.channelsLast(node.value(0))};
  made.output = lowering.result(node, channelsLastOrder(4));
  made.params = SizesParam{{type.size(2), type.size(3)}};
  lowering.add(std::move(made));
}

constexpr std::array<Rule, 1> kRules = {{inChannelsLast("aten.upsample_bilinear2d.vec", judge, emit)}};

}  // namespace

std::span<const Rule> resizeRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
