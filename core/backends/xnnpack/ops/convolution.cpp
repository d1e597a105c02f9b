// Convolutions: 1-d and 2-d, grouped, depthwise, transposed.
#include <array>

#include "backends/xnnpack/integers.h"
#include "backends/xnnpack/rules.h"
#include "base/text.h"

namespace exportdeck::backends::xnnpack {

namespace {

// aten.convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
enum Arg : size_t { kInput, kWeight, kBias, kStride, kPadding, kDilation, kTransposed, kOutputPadding, kGroups };

// A list argument for height and width; one number stands for all, a 1-d convolution has height 1.
std::pair<int64_t, int64_t> heightWidth(const ir::Node& node, size_t arg, int64_t neutral) {
  const ir::Sizes list = node.ints(arg);
  const bool is1d = node.value(kInput)->type().rank() == 3;
  if (is1d) return {neutral, list.at(0)};
  return {list.at(0), list.size() == 1 ? list[0] : list.at(1)};
}

Verdict judgeTransposed(const ir::Node& node) {
  const auto stride = heightWidth(node, kStride, 1), extra = heightWidth(node, kOutputPadding, 0);
  if (extra.first >= stride.first || extra.second >= stride.second) {
    return Verdict::refuse("its output padding is not smaller than its stride");
  }
  return Verdict::take();
}

Verdict judge(const ir::Node& node) {
  const ir::TensorType& input = node.value(kInput)->type();
  const ir::Value* weight = node.value(kWeight);
  if (!weight->isConstant()) return Verdict::refuse("its weight is computed at run time");
  if (node.value(kInput)->isConstant()) return Verdict::refuse("its input is a constant");
  if (const ir::Value* bias = node.valueOrNull(kBias); bias && !bias->isConstant()) {
    return Verdict::refuse("its bias is computed at run time");
  }
  if (weight->type().rank() != input.rank()) {
    return Verdict::refuse("its input has no batch dimension", "Give the input a batch dimension of 1.");
  }
  if (input.rank() != 3 && input.rank() != 4) {
    return Verdict::refuse(concat("XNNPACK has no ", input.rank() - 2, "-d convolution"));
  }
  for (const size_t arg : {kPadding, kOutputPadding}) {
    const auto amount = heightWidth(node, arg, 0);
    if (amount.first < 0 || amount.second < 0) return Verdict::refuse("its padding is negative");
  }
  return node.boolArg(kTransposed) ? judgeTransposed(node) : Verdict::take();
}

// XNNPACK takes filters and biases in float32 also where it computes in float16.
constexpr ir::DType kFilterDtype = ir::DType::Float32;

struct Geometry {
  ConvParams params;
  NodeKind kind = NodeKind::Conv2d;
  int64_t groups = 1, outputChannels = 0, inputChannels = 0;  // a group's, for the channels
  int64_t kernelHeight = 1, kernelWidth = 1;
};

uint32_t u32(int64_t value) {
  return static_cast<uint32_t>(value);
}

Geometry geometry(const ir::Node& node) {
  const ir::TensorType& weight = node.value(kWeight)->type();
  const bool transposed = node.boolArg(kTransposed);
  Geometry g;
  g.groups = node.intArg(kGroups);
  g.inputChannels = transposed ? weight.size(0) / g.groups : weight.size(1);
  g.outputChannels = transposed ? weight.size(1) : weight.size(0) / g.groups;
  g.kernelHeight = weight.rank() == 3 ? 1 : weight.size(2);
  g.kernelWidth = weight.size(-1);
  // One filter a channel; several a channel are groups of one input channel, which the general node does as well.
  const bool depthwise = !transposed && g.groups > 1 && g.inputChannels == 1 && g.outputChannels == 1;
  g.kind = transposed ? NodeKind::ConvTranspose2d : depthwise ? NodeKind::DepthwiseConv2d : NodeKind::Conv2d;

  const auto stride = heightWidth(node, kStride, 1), padding = heightWidth(node, kPadding, 0);
  const auto dilation = heightWidth(node, kDilation, 1), extra = heightWidth(node, kOutputPadding, 0);
  ConvParams& p = g.params;
  p.padding = {u32(padding.first), u32(padding.second), u32(padding.first), u32(padding.second)};
  p.kernelHeight = u32(g.kernelHeight);
  p.kernelWidth = u32(g.kernelWidth);
  p.strideHeight = u32(stride.first);
  p.strideWidth = u32(stride.second);
  p.dilationHeight = u32(dilation.first);
  p.dilationWidth = u32(dilation.second);
  p.groups = u32(g.groups);
  p.groupInputChannels = u32(g.inputChannels);
  p.groupOutputChannels = u32(g.outputChannels);
  p.adjustmentHeight = transposed ? u32(extra.first) : 0;
  p.adjustmentWidth = transposed ? u32(extra.second) : 0;
  return g;
}

// PyTorch has [out, in/groups, h, w], for transposed ones [in, out/groups, h, w]; XNNPACK has [out, h, w, in/groups]
// for both, and [1, h, w, channels] for depthwise.
ValueId filter(Lowering& lowering, const ir::Constant& weight, const Geometry& g) {
  const int64_t out = g.groups * g.outputChannels;
  StaticForm form;
  form.dtype = kFilterDtype;
  if (g.kind == NodeKind::DepthwiseConv2d) {
    form = {{out, 1, g.kernelHeight, g.kernelWidth},
            {1, 2, 3, 0},
            kFilterDtype,
            {1, g.kernelHeight, g.kernelWidth, out},
            "depthwise"};
  } else if (g.kind == NodeKind::ConvTranspose2d) {
    form = {{g.groups, g.inputChannels, g.outputChannels, g.kernelHeight, g.kernelWidth},
            {0, 2, 3, 4, 1},
            kFilterDtype,
            {out, g.kernelHeight, g.kernelWidth, g.inputChannels},
            "transposed"};
  } else {
    form = {{out, g.inputChannels, g.kernelHeight, g.kernelWidth},
            {0, 2, 3, 1},
            kFilterDtype,
            {out, g.kernelHeight, g.kernelWidth, g.inputChannels},
            "conv"};
  }
  if (!lowering.integers()) return lowering.addPacked(weight, form);
  return lowering.addPackedIntegers(weight, form, g.kind == NodeKind::DepthwiseConv2d ? 3 : 0);
}

bool takesIntegers(const ir::Node& node, const std::vector<TensorScale>& operands, const TensorScale& result) {
  const ir::Value* bias = node.valueOrNull(kBias);
  return !node.boolArg(kTransposed) &&
         multipliesIntegers(*node.value(kWeight), bias, operands.front().scale, result.scale);
}

// [N, L, C] as [N, 1, L, C].
ir::Shape withHeight(const ir::Shape& sizes) {
  return {sizes[0], 1, sizes[1], sizes[2]};
}

void emit(Lowering& lowering, const ir::Node& node) {
  const Geometry g = geometry(node);
  const bool is1d = node.value(kInput)->type().rank() == 3;
  Node made;
  made.kind = g.kind;
  made.params = g.params;

  ValueId input = lowering.channelsLast(node.value(kInput));
  if (is1d) {
    const ValueId high = lowering.addTemporaryLike(input, withHeight(lowering.tensor(input).dims));
    lowering.addReshape(input, high);
    input = high;
  }
  ValueId bias = kNoValue;
  const ir::Value* value = node.valueOrNull(kBias);
  if (value && lowering.integers()) {
    bias = lowering.addPackedBias(*value->constant(), *node.value(kWeight)->constant(),
                                  lowering.scaleOf(node.value(kInput)).scale);
  } else if (value) {
    bias = lowering.addPacked(*value->constant(), StaticForm::plain(value->type().sizes(), kFilterDtype, "bias"));
  }
  made.inputs = {input, filter(lowering, *node.value(kWeight)->constant(), g), bias};
  const ValueId result = lowering.result(node, channelsLastOrder(node.output()->type().rank()));
  made.output = is1d ? lowering.addTemporaryLike(result, withHeight(lowering.tensor(result).dims)) : result;
  const ValueId high = made.output;
  lowering.add(std::move(made));
  if (is1d) lowering.addReshape(high, result);
}

constexpr std::array<Rule, 1> kRules = {
    {onIntegers(inChannelsLast("aten.convolution.default", judge, emit, true), takesIntegers)}};

}  // namespace

std::span<const Rule> convolutionRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
