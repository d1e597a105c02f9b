// Pooling with a window.
#include <algorithm>
#include <array>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

struct Pair {
  int64_t height = 0, width = 0;
};

Pair pair(const ir::Sizes& list, Pair fallback) {
  if (list.empty()) return fallback;
  return {list[0], list.size() == 1 ? list[0] : list[1]};
}

struct Window {
  Pair kernel, stride, padding, dilation{1, 1};
};

// aten.max_pool2d(self, kernel, stride, padding, dilation, ceil_mode) and the form with indices.
Window maxWindow(const ir::Node& node) {
  Window w;
  w.kernel = pair(node.ints(1), {1, 1});
  w.stride = pair(node.ints(2), w.kernel);
  w.padding = pair(node.ints(3), {0, 0});
  w.dilation = pair(node.ints(4), {1, 1});
  return w;
}

// aten.avg_pool2d(self, kernel, stride, padding, ceil_mode, count_include_pad, divisor_override)
Window averageWindow(const ir::Node& node) {
  Window w;
  w.kernel = pair(node.ints(1), {1, 1});
  w.stride = pair(node.ints(2), w.kernel);
  w.padding = pair(node.ints(3), {0, 0});
  return w;
}

// Rows (or columns) behind the last one that the last window reads, counted from the first of the input.
int64_t reach(int64_t results, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation) {
  return (results - 1) * stride + dilation * (kernel - 1) + 1 - padding;
}

// Rounding up adds a partial window: more padding at the bottom and right makes it a whole one.
Padding paddingFor(const Window& w, const ir::TensorType& input, const ir::TensorType& result) {
  const int64_t bottom =
      reach(result.size(2), w.kernel.height, w.stride.height, w.padding.height, w.dilation.height) - input.size(2);
  const int64_t right =
      reach(result.size(3), w.kernel.width, w.stride.width, w.padding.width, w.dilation.width) - input.size(3);
  Padding p;
  p.top = static_cast<uint32_t>(w.padding.height);
  p.left = static_cast<uint32_t>(w.padding.width);
  p.bottom = static_cast<uint32_t>(std::max(w.padding.height, bottom));
  p.right = static_cast<uint32_t>(std::max(w.padding.width, right));
  return p;
}

PoolParams params(const Window& w, const Padding& padding) {
  PoolParams p;
  p.padding = padding;
  p.height = static_cast<uint32_t>(w.kernel.height);
  p.width = static_cast<uint32_t>(w.kernel.width);
  p.strideHeight = static_cast<uint32_t>(w.stride.height);
  p.strideWidth = static_cast<uint32_t>(w.stride.width);
  p.dilationHeight = static_cast<uint32_t>(w.dilation.height);
  p.dilationWidth = static_cast<uint32_t>(w.dilation.width);
  return p;
}

Verdict judgeRank(const ir::Node& node) {
  if (node.value(0)->type().rank() != 4) {
    return Verdict::refuse("its input has no batch dimension", "Give the input a batch dimension of 1.");
  }
  return Verdict::take();
}

Verdict judgeMax(const ir::Node& node) {
  if (node.outputs().size() > 1 && !node.graph().isUnused(node.output(1)))
    return Verdict::refuse("its indices are used");
  return judgeRank(node);
}

void emitMax(Lowering& lowering, const ir::Node& node) {
  const Window w = maxWindow(node);
  Node made;
  made.kind = NodeKind::MaxPooling2d;
  made.inputs = {lowering.channelsLast(node.value(0))};
  made.output = lowering.result(node, channelsLastOrder(4));
  made.params = params(w, paddingFor(w, node.value(0)->type(), node.output()->type()));
  lowering.add(std::move(made));
}

bool isPadded(const Window& w) {
  return w.padding.height != 0 || w.padding.width != 0;
}

Verdict judgeAverage(const ir::Node& node) {
  if (Verdict verdict = judgeRank(node); !verdict.taken) return verdict;
  const Window w = averageWindow(node);
  if (!node.isNone(6) && (node.intArg(6) != w.kernel.height * w.kernel.width || isPadded(w))) {
    return Verdict::refuse("its divisor is not the size of its window");
  }
  // A window that reaches beyond the padding, which only rounding up makes, is averaged by rules of its own.
  const ir::TensorType& input = node.value(0)->type();
  const ir::TensorType& result = node.output()->type();
  const bool beyond =
      reach(result.size(2), w.kernel.height, w.stride.height, w.padding.height, 1) > input.size(2) + w.padding.height ||
      reach(result.size(3), w.kernel.width, w.stride.width, w.padding.width, 1) > input.size(3) + w.padding.width;
  if (beyond) return Verdict::refuse("ceil_mode gives it partial windows", "Set ceil_mode=False or pad the input.");
  return Verdict::take();
}

// XNNPACK leaves padding out of the average; where it counts, the input is padded with zeros first.
void emitAverage(Lowering& lowering, const ir::Node& node) {
  const Window w = averageWindow(node);
  const bool padFirst = isPadded(w) && node.boolArg(5);
  ValueId input = lowering.channelsLast(node.value(0));
  Padding padding{static_cast<uint32_t>(w.padding.height), static_cast<uint32_t>(w.padding.width),
                  static_cast<uint32_t>(w.padding.height), static_cast<uint32_t>(w.padding.width)};
  if (padFirst) {
    ir::Shape dims = lowering.tensor(input).dims;
    dims[1] += 2 * w.padding.height;
    dims[2] += 2 * w.padding.width;
    const ir::Sizes amounts{0, w.padding.height, w.padding.width, 0};
    Node pad;
    pad.kind = NodeKind::StaticConstantPad;
    pad.inputs = {input};
    pad.output = lowering.addTemporary(node.output()->type().dtype, dims);
    pad.params = PadParams{amounts, amounts, 0};
    input = pad.output;
    padding = {};
    lowering.add(std::move(pad));
  }
  Node made;
  made.kind = NodeKind::AvgPooling2d;
  made.inputs = {input};
  made.output = lowering.result(node, channelsLastOrder(4));
  made.params = params(w, padding);
  lowering.add(std::move(made));
}

constexpr std::array<Rule, 3> kRules = {{
    movingIntegers(inChannelsLast("aten.max_pool2d.default", judgeMax, emitMax), movesAlways),
    movingIntegers(inChannelsLast("aten.max_pool2d_with_indices.default", judgeMax, emitMax), movesAlways),
    inChannelsLast("aten.avg_pool2d.default", judgeAverage, emitAverage),
}};

}  // namespace

std::span<const Rule> poolingRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
