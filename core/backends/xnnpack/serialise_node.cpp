#include "backends/xnnpack/serialise_node.h"

#include "base/diagnostic.h"

namespace exportdeck::backends::xnnpack {

namespace fb = fb_xnnpack;

static_assert(static_cast<int>(NodeKind::Add) == fb::XNodeUnion_XNNAdd);
static_assert(static_cast<int>(NodeKind::StaticReshape) == fb::XNodeUnion_XNNStaticReshape);
static_assert(static_cast<int>(NodeKind::PRelu) == fb::XNodeUnion_XNNPReLU);
static_assert(static_cast<int>(NodeKind::ConvTranspose2d) == fb::XNodeUnion_XNNConvTranspose2d);
static_assert(static_cast<int>(NodeKind::Cos) == fb::XNodeUnion_XNNCos);

std::vector<uint32_t> toUnsigned(const ir::Sizes& sizes) {
  std::vector<uint32_t> out;
  for (const int64_t size : sizes) {
    check(size >= 0 && size <= std::numeric_limits<uint32_t>::max(), "a size does not fit XNNPACK's 32 bits");
    out.push_back(static_cast<uint32_t>(size));
  }
  return out;
}

std::vector<uint32_t> largest(const ir::Shape& sizes) {
  ir::Sizes bounds;
  for (const ir::SymInt& size : sizes) {
    check(size.upper().has_value(), "a size of an XNNPACK value has no upper bound");
    bounds.push_back(*size.upper());
  }
  return toUnsigned(bounds);
}

namespace {

// 0 stands for a size that XNNPACK finds when it runs.
std::vector<uint32_t> orFound(const ir::Shape& sizes) {
  ir::Sizes known;
  for (const ir::SymInt& size : sizes) known.push_back(size.isStatic() ? size.value() : 0);
  return toUnsigned(known);
}

class NodeWriter {
 public:
  NodeWriter(flatbuffers::FlatBufferBuilder& builder, const Node& node) : builder_(builder), node_(node) {}

  flatbuffers::Offset<void> write() {
    switch (node_.kind) {
      case NodeKind::Add:
      case NodeKind::Div:
      case NodeKind::Minimum:
      case NodeKind::Multiply:
      case NodeKind::Subtract:
      case NodeKind::Maximum:
      case NodeKind::PRelu:
      case NodeKind::BatchMatrixMultiply:
        return fb::Create_XNNNode2x1(builder_, in(0), in(1), out(), node_.flags).Union();
      case NodeKind::FullyConnected:
        return fb::CreateXNNFullyConnected(builder_, in(0), in(1), in(2), out(), node_.flags).Union();
      case NodeKind::Conv2d:
      case NodeKind::DepthwiseConv2d:
      case NodeKind::ConvTranspose2d:
        return convolution();
      case NodeKind::AvgPooling2d:
      case NodeKind::MaxPooling2d:
        return pooling();
      case NodeKind::Concatenate2:
      case NodeKind::Concatenate3:
      case NodeKind::Concatenate4:
      case NodeKind::Concatenate5:
        return concatenation();
      case NodeKind::StaticTranspose: {
        const auto order = toUnsigned(sizes());
        return fb::CreateXNNStaticTransposeDirect(builder_, count(order), &order, in(0), out(), node_.flags).Union();
      }
      case NodeKind::StaticReshape: {
        const auto shape = orFound(sizes());
        return fb::CreateXNNStaticReshapeDirect(builder_, count(shape), &shape, in(0), out(), node_.flags).Union();
      }
      case NodeKind::StaticResizeBilinear2d: {
        const auto size = toUnsigned(sizes());
        return fb::CreateXNNStaticResizeBilinear2D(builder_, size.at(0), size.at(1), in(0), out(), node_.flags).Union();
      }
      case NodeKind::StaticConstantPad:
        return padding();
      case NodeKind::StaticSlice:
        return slice();
      case NodeKind::LeakyRelu:
        return fb::CreateXNNLeakyReLU(builder_, number(), in(0), out(), node_.flags).Union();
      case NodeKind::Elu:
        return fb::CreateXNNELU(builder_, number(), in(0), out(), node_.flags).Union();
      default:
        return fb::Create_XNNNode1x1(builder_, in(0), out(), node_.flags).Union();
    }
  }

 private:
  static uint32_t count(const std::vector<uint32_t>& list) { return static_cast<uint32_t>(list.size()); }
  uint32_t in(size_t i) const { return i < node_.inputs.size() ? node_.inputs[i] : kNoValue; }
  uint32_t out() const { return node_.output; }
  const ir::Shape& sizes() const { return std::get<SizesParam>(node_.params).sizes; }
  float number() const { return std::get<FloatParam>(node_.params).value; }

  flatbuffers::Offset<void> convolution() {
    const auto& p = std::get<ConvParams>(node_.params);
    return fb::Create_XNNNodeConv(builder_, p.padding.top, p.padding.right, p.padding.bottom, p.padding.left,
                                  p.kernelHeight, p.kernelWidth, p.strideHeight, p.strideWidth, p.dilationHeight,
                                  p.dilationWidth, p.groupInputChannels, p.groupOutputChannels, p.groups,
                                  p.adjustmentHeight, p.adjustmentWidth, in(0), in(1), in(2), out(), node_.flags)
        .Union();
  }

  flatbuffers::Offset<void> pooling() {
    const auto& p = std::get<PoolParams>(node_.params);
    return fb::Create_XNNPooling2D(builder_, p.padding.top, p.padding.right, p.padding.bottom, p.padding.left, p.height,
                                   p.width, p.strideHeight, p.strideWidth, p.dilationHeight, p.dilationWidth, in(0),
                                   out(), node_.flags)
        .Union();
  }

  flatbuffers::Offset<void> concatenation() {
    const uint32_t axis = std::get<AxisParam>(node_.params).axis;
    return fb::Create_XNNCat(builder_, axis, in(0), in(1), in(2), in(3), out(), node_.flags, in(4)).Union();
  }

  flatbuffers::Offset<void> padding() {
    const auto& p = std::get<PadParams>(node_.params);
    const auto before = toUnsigned(p.before), after = toUnsigned(p.after);
    return fb::CreateXNNStaticConstantPadDirect(builder_, &before, &after, p.value, in(0), out(), node_.flags).Union();
  }

  flatbuffers::Offset<void> slice() {
    const auto& p = std::get<SliceParams>(node_.params);
    const auto offsets = toUnsigned(p.offsets), extents = orFound(p.sizes);
    return fb::CreateXNNStaticSliceDirect(builder_, count(offsets), &offsets, &extents, in(0), out(), node_.flags)
        .Union();
  }

  flatbuffers::FlatBufferBuilder& builder_;
  const Node& node_;
};

}  // namespace

flatbuffers::Offset<void> serialiseNode(flatbuffers::FlatBufferBuilder& builder, const Node& node) {
  return NodeWriter(builder, node).write();
}

}  // namespace exportdeck::backends::xnnpack
