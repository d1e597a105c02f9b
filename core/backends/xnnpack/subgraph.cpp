#include "backends/xnnpack/subgraph.h"

#include <algorithm>

#include "base/text.h"

namespace exportdeck::backends::xnnpack {

void removeUnused(Subgraph& subgraph) {
  std::vector<bool> needed(subgraph.values.size());
  for (size_t i = 0; i < needed.size(); ++i) needed[i] = subgraph.values[i].isInput || subgraph.values[i].isOutput;
  std::vector<Node> kept;
  for (auto node = subgraph.nodes.rbegin(); node != subgraph.nodes.rend(); ++node) {
    if (!needed[node->output]) continue;
    for (const ValueId input : node->inputs) {
      if (input != kNoValue) needed[input] = true;
    }
    kept.push_back(std::move(*node));
  }
  std::reverse(kept.begin(), kept.end());

  std::vector<ValueId> number(needed.size(), kNoValue);
  std::vector<TensorValue> values;
  for (size_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    number[i] = static_cast<ValueId>(values.size());
    values.push_back(std::move(subgraph.values[i]));
  }
  for (Node& node : kept) {
    for (ValueId& input : node.inputs) input = input == kNoValue ? kNoValue : number[input];
    node.output = number[node.output];
  }
  subgraph.values = std::move(values);
  subgraph.nodes = std::move(kept);
}

namespace {

const char* name(NodeKind kind) {
  switch (kind) {
    case NodeKind::Add:
      return "add";
    case NodeKind::FullyConnected:
      return "fully_connected";
    case NodeKind::Softmax:
      return "softmax";
    case NodeKind::Sigmoid:
      return "sigmoid";
    case NodeKind::StaticTranspose:
      return "transpose";
    case NodeKind::Clamp:
      return "clamp";
    case NodeKind::Conv2d:
      return "conv2d";
    case NodeKind::Div:
      return "div";
    case NodeKind::StaticResizeBilinear2d:
      return "resize_bilinear";
    case NodeKind::StaticConstantPad:
      return "pad";
    case NodeKind::AvgPooling2d:
      return "avg_pool2d";
    case NodeKind::Minimum:
      return "minimum";
    case NodeKind::DepthwiseConv2d:
      return "depthwise_conv2d";
    case NodeKind::MaxPooling2d:
      return "max_pool2d";
    case NodeKind::Multiply:
      return "multiply";
    case NodeKind::Subtract:
      return "subtract";
    case NodeKind::Floor:
      return "floor";
    case NodeKind::Convert:
      return "convert";
    case NodeKind::GlobalAvgPooling2d:
      return "global_avg_pool2d";
    case NodeKind::StaticReshape:
      return "reshape";
    case NodeKind::SquareRoot:
      return "sqrt";
    case NodeKind::Ceiling:
      return "ceil";
    case NodeKind::Hardswish:
      return "hardswish";
    case NodeKind::LeakyRelu:
      return "leaky_relu";
    case NodeKind::Maximum:
      return "maximum";
    case NodeKind::Negate:
      return "negate";
    case NodeKind::Square:
      return "square";
    case NodeKind::Elu:
      return "elu";
    case NodeKind::Abs:
      return "abs";
    case NodeKind::PRelu:
      return "prelu";
    case NodeKind::Concatenate2:
      return "concatenate2";
    case NodeKind::Concatenate3:
      return "concatenate3";
    case NodeKind::Concatenate4:
      return "concatenate4";
    case NodeKind::Concatenate5:
      return "concatenate5";
    case NodeKind::StaticSlice:
      return "slice";
    case NodeKind::BatchMatrixMultiply:
      return "batch_matrix_multiply";
    case NodeKind::ConvTranspose2d:
      return "conv_transpose2d";
    case NodeKind::ReciprocalSquareRoot:
      return "rsqrt";
    case NodeKind::Log:
      return "log";
    case NodeKind::Gelu:
      return "gelu";
    case NodeKind::Tanh:
      return "tanh";
    case NodeKind::Exp:
      return "exp";
    case NodeKind::Sin:
      return "sin";
    case NodeKind::Copy:
      return "copy";
    case NodeKind::Cos:
      return "cos";
  }
  return "?";
}

std::string text(const Padding& p) {
  return concat(p.top, ",", p.right, ",", p.bottom, ",", p.left);
}

struct ParamsText {
  std::string operator()(const std::monostate&) const { return {}; }
  std::string operator()(const ConvParams& p) const {
    std::string out =
        concat(" kernel ", p.kernelHeight, "x", p.kernelWidth, " stride ", p.strideHeight, "x", p.strideWidth,
               " dilation ", p.dilationHeight, "x", p.dilationWidth, " pad ", text(p.padding), " groups ", p.groups,
               "x(", p.groupInputChannels, "->", p.groupOutputChannels, ")");
    if (p.adjustmentHeight || p.adjustmentWidth) out += concat(" adjust ", p.adjustmentHeight, "x", p.adjustmentWidth);
    return out;
  }
  std::string operator()(const PoolParams& p) const {
    return concat(" window ", p.height, "x", p.width, " stride ", p.strideHeight, "x", p.strideWidth, " dilation ",
                  p.dilationHeight, "x", p.dilationWidth, " pad ", text(p.padding));
  }
  std::string operator()(const PadParams& p) const {
    return concat(" before [", join(p.before, ","), "] after [", join(p.after, ","), "] value ", p.value);
  }
  std::string operator()(const SliceParams& p) const {
    return concat(" offsets [", join(p.offsets, ","), "] sizes [", p.sizes.text(), "]");
  }
  std::string operator()(const SizesParam& p) const { return concat(" [", p.sizes.text(), "]"); }
  std::string operator()(const FloatParam& p) const { return concat(" ", p.value); }
  std::string operator()(const AxisParam& p) const { return concat(" axis ", p.axis); }
};

struct QuantisationText {
  std::string operator()(const std::monostate&) const { return {}; }
  std::string operator()(const TensorScale& q) const { return concat(" scale ", q.scale, " zero ", q.zeroPoint); }
  std::string operator()(const ChannelScales& q) const {
    return concat(q.bits == 4 ? " 4 bits," : "", " scales of dimension ", q.axis);
  }
  std::string operator()(const GroupScales& q) const { return concat(" 4 bits, scales of groups of ", q.group); }
  std::string operator()(const DynamicScale& q) const { return concat(" scales of the last ", q.dims); }
};

std::string text(const TensorValue& value) {
  return concat(ir::info(value.dtype).name, "[", value.dims.text(), "]",
                std::visit(QuantisationText{}, value.quantisation));
}

std::string text(const Subgraph& subgraph, const Node& node) {
  std::string out = concat("v", node.output, " = ", name(node.kind), "(");
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    out += i ? ", " : "";
    out += node.inputs[i] == kNoValue ? std::string("none") : concat("v", node.inputs[i]);
  }
  out += concat(") ", text(subgraph.values[node.output]), std::visit(ParamsText{}, node.params));
  if (node.flags) out += concat(" flags ", node.flags);
  if (node.range.bounded()) out += concat(" range ", node.range.min, "..", node.range.max);
  return out;
}

}  // namespace

std::string print(const Subgraph& subgraph) {
  std::string out;
  for (size_t i = 0; i < subgraph.values.size(); ++i) {
    const TensorValue& value = subgraph.values[i];
    if (value.isInput) out += concat("v", i, ": input ", value.externalId, " ", text(value), "\n");
    if (value.data) out += concat("v", i, ": static ", text(value), "\n");
  }
  for (const Node& node : subgraph.nodes) out += text(subgraph, node) + "\n";
  for (size_t i = 0; i < subgraph.values.size(); ++i) {
    const TensorValue& value = subgraph.values[i];
    if (value.isOutput) out += concat("output ", value.externalId, ": v", i, "\n");
  }
  return out;
}

}  // namespace exportdeck::backends::xnnpack
