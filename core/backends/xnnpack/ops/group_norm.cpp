// Group norm and instance norm, on channels last.
//
// The statistics are taken in two steps: over the spatial dimensions as XNNPACK's global pooling does, then over the
// channels of a group. All that follows a step is one number a channel, so only the subtraction, the square and the
// last product and sum run over the whole tensor, and nothing is transposed between two convolutions.
#include <array>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

bool isInstanceNorm(const ir::Node& node) {
  return node.is("aten.instance_norm.default");
}

int64_t groupsOf(const ir::Node& node) {
  return isInstanceNorm(node) ? node.value(0)->type().size(1) : node.intArg(1);
}

// The bias is behind it.
size_t weightArg(const ir::Node& node) {
  return isInstanceNorm(node) ? 1 : 2;
}

bool isConstantOrNone(const ir::Node& node, size_t arg) {
  return node.isNone(arg) || node.value(arg)->isConstant();
}

Verdict judge(const ir::Node& node) {
  const ir::TensorType& type = node.output()->type();
  if (type.rank() != 3 && type.rank() != 4) return Verdict::refuse("XNNPACK has channels in 3 and 4 dimensions only");
  if (type.dtype != ir::DType::Float32) return Verdict::refuse("XNNPACK sums exactly enough in float32 only");
  const size_t weight = weightArg(node);
  if (!isConstantOrNone(node, weight) || !isConstantOrNone(node, weight + 1))
    return Verdict::refuse("its weight or bias is computed at run time");
  if (isInstanceNorm(node) && (!node.boolArg(5) || !node.isNone(3) || !node.isNone(4)))
    return Verdict::refuse("it uses running statistics");
  return Verdict::take();
}

class Emitter {
 public:
  Emitter(Lowering& lowering, const ir::Node& node)
      : lowering_(lowering),
        node_(node),
        type_(node.output()->type()),
        batch_(type_.size(0)),
        channels_(type_.size(1)),
        groups_(groupsOf(node)),
        ones_(ones(channels_ / groups_)) {}

  void emit() {
    const ValueId x = lowering_.channelsLast(node_.value(0));
    const ValueId centred = step(NodeKind::Subtract, {x, mean(x)});
    const ValueId variance = mean(step(NodeKind::Square, {centred}));
    const ValueId raised = step(NodeKind::Add, {variance, number(node_.floatArg(isInstanceNorm(node_) ? 7 : 4))});
    const ValueId deviation = step(NodeKind::SquareRoot, {raised});
    const size_t weight = weightArg(node_), bias = weight + 1;
    const ValueId factor =
        lowering_.addStep(NodeKind::Div, {perChannel(weight), deviation}, lowering_.tensor(deviation).dims);
    Node last;
    last.kind = node_.isNone(bias) ? NodeKind::Multiply : NodeKind::Add;
    if (node_.isNone(bias)) {
      last.inputs = {centred, factor};
    } else {
      const ValueId added = perChannel(bias);
      last.inputs = {step(NodeKind::Multiply, {centred, factor}), added};
    }
    last.output = lowering_.result(node_, channelsLastOrder(type_.rank()));
    lowering_.add(std::move(last));
  }

 private:
  ValueId number(double value) { return lowering_.addNumber(value, type_.dtype); }

  // A weight or bias; 1 for no weight. It broadcasts along the channels, which are last.
  ValueId perChannel(size_t arg) {
    if (node_.isNone(arg)) return number(1);
    return lowering_.addOperand(node_.value(arg)->constant(), StaticForm::plain({channels_}, type_.dtype, "value"));
  }

  // The mean of each group, for each of its channels: [N, 1, C] or [N, 1, 1, C].
  ValueId mean(ValueId id) {
    ir::Sizes kept = lowering_.tensor(id).dims;
    const int64_t area = type_.elements() / (batch_ * channels_);
    ValueId out = pooled(id, {batch_, 1, area, channels_}, {batch_, 1, 1, channels_});
    const int64_t size = channels_ / groups_;
    if (size > 1) {
      out = pooled(out, {batch_ * groups_, 1, size, 1}, {batch_ * groups_, 1, 1, 1});
      // Each number again for every channel of its group.
      const ValueId each = lowering_.viewed(out, {batch_ * groups_, 1});
      const ValueId row = lowering_.addOperand(ones_, StaticForm::plain({1, size}, type_.dtype, "value"));
      out = lowering_.addStep(NodeKind::Multiply, {each, row}, {batch_ * groups_, size});
    }
    for (size_t dim = 1; dim + 1 < kept.size(); ++dim) kept[dim] = 1;
    return lowering_.viewed(out, kept);
  }

  static ir::ConstantPtr ones(int64_t count) {
    const std::vector<float> values(static_cast<size_t>(count), 1.0f);
    const auto bytes = std::as_bytes(std::span(values));
    return std::make_shared<ir::Constant>(ir::Constant{"ones", ir::TensorType(ir::DType::Float32, {count}),
                                                       bytesInMemory(Bytes(bytes.begin(), bytes.end()))});
  }

  ValueId pooled(ValueId id, const ir::Sizes& view, const ir::Sizes& result) {
    // Four dimensions of a channels-last image are pooled as they are.
    const bool isImage = lowering_.tensor(id).dims.size() == 4 && view[2] != 1 && view.back() == channels_;
    return lowering_.addStep(NodeKind::GlobalAvgPooling2d, {isImage ? id : lowering_.viewed(id, view)}, result,
                             kFlagKeepDims);
  }

  // On operands of which the first has the dimensions of the result.
  ValueId step(NodeKind kind, std::vector<ValueId> inputs) {
    ir::Sizes dims = lowering_.tensor(inputs.front()).dims;
    return lowering_.addStep(kind, std::move(inputs), std::move(dims));
  }

  Lowering& lowering_;
  const ir::Node& node_;
  const ir::TensorType& type_;
  int64_t batch_, channels_, groups_;
  ir::ConstantPtr ones_;  // as many as a group has channels
};

void emit(Lowering& lowering, const ir::Node& node) {
  Emitter(lowering, node).emit();
}

constexpr std::array<Rule, 2> kRules = {{
    inChannelsLast("aten.group_norm.default", judge, emit, true),
    inChannelsLast("aten.instance_norm.default", judge, emit, true),
}};

}  // namespace

std::span<const Rule> groupNormRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
