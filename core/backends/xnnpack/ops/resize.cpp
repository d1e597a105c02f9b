// Resizing of images.
#include <array>
#include <cmath>

#include "backends/xnnpack/ops/repeat.h"
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
Verdict judgeBilinear(const ir::Node& node) {
  if (node.value(0)->type().rank() != 4) return Verdict::refuse("its input is not 4-d");
  if (!node.boolArg(2) && node.argCount() > 3 && !scalesAreExact(node, node.args()[3])) {
    return Verdict::refuse("its scale factor does not give whole sizes, and then PyTorch samples at other places",
                           "Give the output size instead of the scale factor.");
  }
  return Verdict::take();
}

void emitBilinear(Lowering& lowering, const ir::Node& node) {
  const ir::TensorType& type = node.output()->type();
  Node made;
  made.kind = NodeKind::StaticResizeBilinear2d;
  made.flags = node.boolArg(2) ? kFlagAlignCorners : 0;
  made.inputs = {lowering.channelsLast(node.value(0))};
  made.output = lowering.result(node, channelsLastOrder(4));
  made.params = SizesParam{{type.size(2), type.size(3)}};
  lowering.add(std::move(made));
}

// --- nearest: every pixel repeated, where both sizes grow by whole factors
// Whether result element i is source element i / times. PyTorch takes float steps, which for some factors fall short of
// the next element.
bool repeats(int64_t in, int64_t out, std::optional<double> scale) {
  const int64_t times = out / in;
  if (out % in != 0) return false;
  // Sizes that are equal or double are done in integers.
  if (times <= 2) return true;
  const float step =
      scale && *scale > 0 ? static_cast<float>(1.0 / *scale) : static_cast<float>(in) / static_cast<float>(out);
  for (int64_t i = 0; i < out; ++i) {
    if (static_cast<int64_t>(std::floor(static_cast<float>(i) * step)) != i / times) return false;
  }
  return true;
}

// aten.upsample_nearest2d.vec(input, output_size, scale_factors)
Verdict judgeNearest(const ir::Node& node) {
  const ir::TensorType& in = node.value(0)->type();
  if (in.rank() != 4) return Verdict::refuse("its input is not 4-d");
  const auto* scales = node.isNone(2) ? nullptr : std::get_if<ir::FloatList>(&node.args()[2]);
  for (int64_t dim = 2; dim < 4; ++dim) {
    std::optional<double> scale;
    if (scales) scale = scales->at(static_cast<size_t>(dim) - 2);
    if (!repeats(in.size(dim), node.output()->type().size(dim), scale)) {
      return Verdict::refuse("it does not enlarge by a whole factor", "Enlarge by such a factor, or bilinearly.");
    }
  }
  return Verdict::take();
}

void emitNearest(Lowering& lowering, const ir::Node& node) {
  const ir::TensorType& in = node.value(0)->type();
  const ir::TensorType& out = node.output()->type();
  const int64_t n = in.size(0), c = in.size(1), h = in.size(2), w = in.size(3);
  ValueId value = lowering.channelsLast(node.value(0));
  value = repeated(lowering, value, n * h * w, c, out.size(3) / w);
  value = repeated(lowering, value, n * h, out.size(3) * c, out.size(2) / h);
  lowering.addReshape(value, lowering.result(node, channelsLastOrder(4)));
}

constexpr std::array<Rule, 2> kRules = {{
    inChannelsLast("aten.upsample_bilinear2d.vec", judgeBilinear, emitBilinear),
    inChannelsLast("aten.upsample_nearest2d.vec", judgeNearest, emitNearest),
}};

}  // namespace

std::span<const Rule> resizeRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
