// Pooling over one, two or three dimensions by the two-dimensional kernels, reductions and slices.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

Sizes strideOf(const Node& node, size_t argument, const Sizes& kernel) {
  const Sizes given = node.isNone(argument) ? Sizes{} : Sizes(node.ints(argument));
  return given.empty() ? kernel : spread(given, kernel.size());
}

Value* maxPool2d(Builder& build, Value* x, const Sizes& kernel, const Sizes& stride, const Sizes& padding,
                 const Sizes& dilation, bool ceilMode, const Sizes& result) {
  const bool bothOnes = kernel == Sizes{1, 1} && stride == Sizes{1, 1} && padding == Sizes{0, 0};
  if (bothOnes) return x;
  return build
      .nodeMulti("aten.max_pool2d_with_indices.default",
                 {x, intList(kernel), intList(stride), intList(padding), intList(dilation), ceilMode},
                 {{dtypeOf(x), result}, {DType::Int64, result}})
      .front();
}

Results maxPool2dNode(Builder& build, const Node& node) {
  const Sizes kernel = spread(node.ints(1), 2);
  return {maxPool2d(build, node.value(0), kernel, strideOf(node, 2, kernel), spread(node.ints(3), 2),
                    spread(node.ints(4), 2), node.boolArg(5), resultSizes(node))};
}

// The length becomes the width of an image of height 1.
Results maxPool1d(Builder& build, const Node& node) {
  const Sizes kernel = node.ints(1);
  Sizes wide = resultSizes(node);
  wide.insert(wide.end() - 1, 1);
  Value* image = build.unsqueeze(node.value(0), -2);
  Value* pooled = maxPool2d(build, image, {1, kernel.at(0)}, {1, strideOf(node, 2, kernel).at(0)},
                            {0, node.ints(3).at(0)}, {1, node.ints(4).at(0)}, node.boolArg(5), wide);
  return {build.squeeze(pooled, -2)};
}

// First over height and width with the depth in the batch, then over the depth with height and width merged.
Results maxPool3d(Builder& build, const Node& node) {
  const Sizes kernel = spread(node.ints(1), 3), stride = strideOf(node, 2, kernel), padding = spread(node.ints(3), 3),
              dilation = spread(node.ints(4), 3);
  Value* x = node.value(0);
  const Sizes in = sizesOf(x), out = resultSizes(node);
  const size_t r = in.size();
  const int64_t outer = product(Sizes(in.begin(), in.end() - 3)), area = out[r - 2] * out[r - 1];
  Value* planes = build.view(x, {outer, in[r - 3], in[r - 2], in[r - 1]});
  const bool ceilMode = node.boolArg(5);
  planes = maxPool2d(build, planes, {kernel[1], kernel[2]}, {stride[1], stride[2]}, {padding[1], padding[2]},
                     {dilation[1], dilation[2]}, ceilMode, {outer, in[r - 3], out[r - 2], out[r - 1]});
  planes = build.view(planes, {1, outer, in[r - 3], area});
  planes = maxPool2d(build, planes, {kernel[0], 1}, {stride[0], 1}, {padding[0], 0}, {dilation[0], 1}, ceilMode,
                     {1, outer, out[r - 3], area});
  return {build.view(planes, out)};
}

// Only the maxima: where they lie is not decomposed.
Results maxPool3dWithIndices(Builder& build, const Node& node) {
  if (!node.graph().isUnused(node.output(1))) return {};
  return {maxPool3d(build, node).front(), nullptr};
}

Value* avgPool2d(Builder& build, Value* x, const Sizes& kernel, const Sizes& stride, const Sizes& padding,
                 bool ceilMode, bool countPad, const ir::Argument& divisor, const Sizes& result) {
  return build.node("aten.avg_pool2d.default",
                    {x, intList(kernel), intList(stride), intList(padding), ceilMode, countPad, divisor},
                    {dtypeOf(x), result});
}

Results avgPool1d(Builder& build, const Node& node) {
  const Sizes kernel = node.ints(1);
  Sizes wide = resultSizes(node);
  wide.insert(wide.end() - 1, 1);
  Value* image = build.unsqueeze(node.value(0), -2);
  Value* pooled = avgPool2d(build, image, {1, kernel.at(0)}, {1, strideOf(node, 2, kernel).at(0)},
                            {0, node.ints(3).at(0)}, node.boolArg(4), node.boolArg(5), ir::None{}, wide);
  return {build.squeeze(pooled, -2)};
}

// Defaults and single numbers written out.
Results avgPool2dNode(Builder& build, const Node& node) {
  const Sizes kernel = spread(node.ints(1), 2), stride = strideOf(node, 2, kernel), padding = spread(node.ints(3), 2);
  if (kernel == Sizes(node.ints(1)) && !node.isNone(2) && stride == Sizes(node.ints(2)) &&
      padding == Sizes(node.ints(3)))
    return {};
  return {avgPool2d(build, node.value(0), kernel, stride, padding, node.boolArg(4), node.boolArg(5), node.args()[6],
                    resultSizes(node))};
}

// Like max_pool3d: means over height and width, then means of those over the depth; each divides by its own share of
// the window.
Results avgPool3d(Builder& build, const Node& node) {
  if (!node.isNone(6)) return {};
  const Sizes kernel = spread(node.ints(1), 3), stride = strideOf(node, 2, kernel), padding = spread(node.ints(3), 3);
  const Sizes in = sizesOf(node.value(0)), out = resultSizes(node);
  const size_t r = in.size();
  const int64_t outer = product(Sizes(in.begin(), in.end() - 3)), area = out[r - 2] * out[r - 1];
  const bool ceilMode = node.boolArg(4), countPad = node.boolArg(5);
  Value* planes = build.view(node.value(0), {outer, in[r - 3], in[r - 2], in[r - 1]});
  planes = avgPool2d(build, planes, {kernel[1], kernel[2]}, {stride[1], stride[2]}, {padding[1], padding[2]}, ceilMode,
                     countPad, ir::None{}, {outer, in[r - 3], out[r - 2], out[r - 1]});
  planes = avgPool2d(build, build.view(planes, {1, outer, in[r - 3], area}), {kernel[0], 1}, {stride[0], 1},
                     {padding[0], 0}, ceilMode, countPad, ir::None{}, {1, outer, out[r - 3], area});
  return {build.view(planes, out)};
}

// Windows of an adaptive pooling of `size` elements to `out`: [floor(i * size / out), ceil((i + 1) * size / out)).
struct Window {
  int64_t start, end;
};
Window window(int64_t i, int64_t size, int64_t out) {
  return {i * size / out, ((i + 1) * size + out - 1) / out};
}

bool divides(const Sizes& sizes, const Sizes& out) {
  return sizes.end()[-2] % out.end()[-2] == 0 && sizes.back() % out.back() == 0;
}

Value* adaptiveAverage(Builder& build, Value* x, const Sizes& result) {
  const Sizes sizes = sizesOf(x);
  if (sizes == result) return x;
  const int64_t height = result.end()[-2], width = result.back();
  if (height == 1 && width == 1) return build.mean(x, {-2, -1}, true);
  if (divides(sizes, result)) {
    const Sizes kernel{sizes.end()[-2] / height, sizes.back() / width};
    return avgPool2d(build, x, kernel, kernel, {0, 0}, false, true, ir::None{}, result);
  }
  return build.node("aten._adaptive_avg_pool2d.default", {x, intList({height, width})}, {dtypeOf(x), result});
}

Results adaptiveAvgPool2d(Builder& build, const Node& node) {
  return {adaptiveAverage(build, node.value(0), resultSizes(node))};
}

Results adaptiveAvgPool1d(Builder& build, const Node& node) {
  Sizes wide = resultSizes(node);
  wide.insert(wide.end() - 1, 1);
  if (wide.back() == 1) return {build.mean(node.value(0), {-1}, true)};
  return {build.squeeze(adaptiveAverage(build, build.unsqueeze(node.value(0), -2), wide), -2)};
}

Results adaptiveAvgPool3d(Builder& build, const Node& node) {
  const Sizes sizes = sizesOf(node.value(0)), result = resultSizes(node);
  if (sizes == result) return {node.value(0)};
  Value* x = node.value(0);
  if (product(Sizes(result.end() - 3, result.end())) == 1) return {build.mean(x, {-3, -2, -1}, true)};
  // Means of windows of the depth, then those over height and width with the depth among the channels.
  const int64_t depth = result.end()[-3], in = sizes.end()[-3];
  Results parts;
  for (int64_t i = 0; i < depth; ++i) {
    const Window w = window(i, in, depth);
    parts.push_back(build.mean(build.slice(x, -3, w.start, w.end), {-3}, true));
  }
  x = build.cat(parts, -3);
  const int64_t outer = product(Sizes(result.begin(), result.end() - 3));
  x = build.view(x, {outer, depth, sizes.end()[-2], sizes.back()});
  return {build.view(adaptiveAverage(build, x, {outer, depth, result.end()[-2], result.back()}), result)};
}

// One maximum for each window; rows first, then columns.
Value* maximaAlong(Builder& build, Value* x, int64_t dim, int64_t out) {
  const int64_t size = x->type().size(dim);
  Results parts;
  for (int64_t i = 0; i < out; ++i) {
    const Window w = window(i, size, out);
    parts.push_back(build.amax(build.slice(x, dim, w.start, w.end), {dim}, true));
  }
  return build.cat(parts, dim);
}

// Only the maxima: where they lie is not decomposed.
Results adaptiveMaxPool(Builder& build, const Node& node, size_t dims) {
  if (!node.graph().isUnused(node.output(1))) return {};
  const Sizes sizes = sizesOf(node.value(0)), result = resultSizes(node);
  Value* x = node.value(0);
  if (dims == 2 && divides(sizes, result)) {
    const Sizes kernel{sizes.end()[-2] / result.end()[-2], sizes.back() / result.back()};
    return {maxPool2d(build, x, kernel, kernel, {0, 0}, {1, 1}, false, result), nullptr};
  }
  for (size_t i = 0; i < dims; ++i) {
    const auto dim = static_cast<int64_t>(sizes.size() - 1 - i);
    if (x->type().size(dim) != result[static_cast<size_t>(dim)])
      x = maximaAlong(build, x, dim, result[static_cast<size_t>(dim)]);
  }
  return {x, nullptr};
}

Results adaptiveMaxPool1d(Builder& build, const Node& node) {
  return adaptiveMaxPool(build, node, 1);
}
Results adaptiveMaxPool2d(Builder& build, const Node& node) {
  return adaptiveMaxPool(build, node, 2);
}
Results adaptiveMaxPool3d(Builder& build, const Node& node) {
  return adaptiveMaxPool(build, node, 3);
}

// (x, indices, size): each value back to the place in its plane that its index names, zero elsewhere.
Results maxUnpool2d(Builder& build, const Node& node) {
  const Sizes sizes = sizesOf(node.value(0)), result = resultSizes(node);
  const int64_t planes = product(Sizes(sizes.begin(), sizes.end() - 2)), area = sizes.end()[-2] * sizes.back();
  const Sizes flat{planes, result.end()[-2] * result.back()};
  Value* index = build.view(node.value(1), {planes, area});
  Value* placed = build.node(
      "aten.scatter.src",
      {build.full(flat, 0.0, resultDType(node)), int64_t{1}, index, build.view(node.value(0), {planes, area})},
      {resultDType(node), flat});
  return {build.view(placed, result)};
}

}  // namespace

void registerPooling(DecompositionRegistry& registry) {
  registry.add({"aten.max_pool1d.default"}, maxPool1d);
  registry.add({"aten.max_pool2d.default"}, maxPool2dNode);
  registry.add({"aten.max_pool3d.default"}, maxPool3d);
  registry.add({"aten.max_pool3d_with_indices.default"}, maxPool3dWithIndices);
  registry.add({"aten.avg_pool1d.default"}, avgPool1d);
  registry.add({"aten.avg_pool2d.default"}, avgPool2dNode);
  registry.add({"aten.avg_pool3d.default"}, avgPool3d);
  registry.add({"aten.adaptive_avg_pool1d.default"}, adaptiveAvgPool1d);
  registry.add({"aten.adaptive_avg_pool2d.default"}, adaptiveAvgPool2d);
  registry.add({"aten.adaptive_avg_pool3d.default", "aten._adaptive_avg_pool3d.default"}, adaptiveAvgPool3d);
  registry.add({"aten.max_unpool2d.default"}, maxUnpool2d);
  registry.add({"aten.adaptive_max_pool1d.default"}, adaptiveMaxPool1d);
  registry.add({"aten.adaptive_max_pool2d.default"}, adaptiveMaxPool2d);
  registry.add({"aten.adaptive_max_pool3d.default"}, adaptiveMaxPool3d);
}

}  // namespace exportdeck::passes::decompositions
