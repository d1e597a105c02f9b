// Resizing of images and sequences: by the two-dimensional kernels, else by a known matrix for each dimension.
#include <functional>

#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

// The two ways to say how large the result is; the kernels want exactly one.
struct Target {
  ir::Argument sizes = ir::None{}, scales = ir::None{};
};

// (x, outputSize, [alignCorners], scaleFactors) of a `.vec` form with one dimension, as height 1 and that width.
Target asImage(const Node& node, size_t scaleArgument, const Sizes& result) {
  if (!node.isNone(scaleArgument)) {
    const auto* given = std::get_if<ir::FloatList>(&node.args().at(scaleArgument));
    if (given && given->size() == 1) return {ir::None{}, ir::FloatList{1.0, given->front()}};
  }
  return {intList({1, result.back()}), ir::None{}};
}

Results onImage(Builder& build, const Node& node, std::string_view op, std::optional<bool> alignCorners,
                size_t scaleArgument) {
  Sizes result = resultSizes(node);
  const Target target = asImage(node, scaleArgument, result);
  result.insert(result.end() - 1, 1);
  std::vector<ir::Argument> args{build.unsqueeze(node.value(0), -2), target.sizes};
  if (alignCorners) args.emplace_back(*alignCorners);
  args.push_back(target.scales);
  return {build.squeeze(build.node(op, std::move(args), {resultDType(node), result}), -2)};
}

Results nearest1d(Builder& build, const Node& node) {
  return onImage(build, node, "aten.upsample_nearest2d.vec", std::nullopt, 2);
}
Results linear1d(Builder& build, const Node& node) {
  return onImage(build, node, "aten.upsample_bilinear2d.vec", node.boolArg(2), 3);
}

// The forms with separate scales: (x, outputSize, scaleH, scaleW).
Results nearest2dSizes(Builder& build, const Node& node) {
  if (!node.isNone(2) || !node.isNone(3)) return {};
  return {
      build.node("aten.upsample_nearest2d.vec", {node.value(0), node.args()[1], ir::None{}}, node.output()->type())};
}
Results bilinear2dSizes(Builder& build, const Node& node) {
  if (!node.isNone(3) || !node.isNone(4)) return {};
  return {build.node("aten.upsample_bilinear2d.vec", {node.value(0), node.args()[1], node.boolArg(2), ir::None{}},
                     node.output()->type())};
}

// How far apart the samples lie in the source. Float as in PyTorch, so that both pick the same samples.
float stepOf(const Node& node, size_t scaleArgument, size_t index, int64_t in, int64_t out, bool alignCorners) {
  if (alignCorners) return out > 1 ? static_cast<float>(in - 1) / static_cast<float>(out - 1) : 0.0f;
  const auto* scales =
      node.isNone(scaleArgument) ? nullptr : std::get_if<ir::FloatList>(&node.args().at(scaleArgument));
  if (scales && (*scales)[index] > 0) return static_cast<float>(1.0 / (*scales)[index]);
  return static_cast<float>(in) / static_cast<float>(out);
}

// (x, outputSize, scaleFactors): every result element is one source element.
Results nearest(Builder& build, const Node& node, float offset) {
  Value* x = node.value(0);
  const Sizes result = resultSizes(node);
  for (size_t dim = 2; dim < result.size(); ++dim) {
    const int64_t in = x->type().size(static_cast<int64_t>(dim)), out = result[dim];
    const float step = stepOf(node, 2, dim - 2, in, out, false);
    std::vector<double> source(static_cast<size_t>(out));
    for (int64_t i = 0; i < out; ++i) {
      const auto at = static_cast<int64_t>(std::floor((static_cast<float>(i) + offset) * step));
      source[static_cast<size_t>(i)] = static_cast<double>(std::min(at, in - 1));
    }
    Value* index = build.constant("nearest", {DType::Int64, {out}}, bytesOfDoubles(source, DType::Int64));
    Sizes sizes = sizesOf(x);
    sizes[dim] = out;
    x = build.node("aten.index_select.default", {x, static_cast<int64_t>(dim), index}, {dtypeOf(x), sizes});
  }
  return {x};
}
Results nearest3d(Builder& build, const Node& node) {
  return nearest(build, node, 0.0f);
}
Results nearestExact(Builder& build, const Node& node) {
  return nearest(build, node, 0.5f);
}

// Weights of the samples around a place in the source: row i of a matrix [out, in].
using Row = std::vector<double>;

void addWeight(Row& row, int64_t at, double weight) {
  row[static_cast<size_t>(std::clamp<int64_t>(at, 0, static_cast<int64_t>(row.size()) - 1))] += weight;
}

void linearWeights(Row& row, float place) {
  const float at = std::max(place, 0.0f);
  const auto low = std::min(static_cast<int64_t>(at), static_cast<int64_t>(row.size()) - 1);
  const double share = std::clamp(static_cast<double>(at) - static_cast<double>(low), 0.0, 1.0);
  addWeight(row, low, 1 - share);
  addWeight(row, low + 1, share);
}

// Cubic convolution with a = -0.75; samples beyond the border are those at the border.
void cubicWeights(Row& row, float place) {
  constexpr double kA = -0.75;
  const double low = std::floor(static_cast<double>(place));
  const double t = static_cast<double>(place) - low;
  const auto inner = [](double d) { return ((kA + 2) * d - (kA + 3)) * d * d + 1; };
  const auto outer = [](double d) { return ((kA * d - 5 * kA) * d + 8 * kA) * d - 4 * kA; };
  const auto at = static_cast<int64_t>(low);
  addWeight(row, at - 1, outer(t + 1));
  addWeight(row, at, inner(t));
  addWeight(row, at + 1, inner(1 - t));
  addWeight(row, at + 2, outer(2 - t));
}

double linearFilter(double distance) {
  return std::max(1 - std::abs(distance), 0.0);
}

// Cubic convolution with a = -0.5, as PyTorch's antialiasing takes it.
double cubicFilter(double distance) {
  constexpr double kA = -0.5;
  const double d = std::abs(distance);
  if (d < 1) return ((kA + 2) * d - (kA + 3)) * d * d + 1;
  return d < 2 ? (((d - 5) * d + 8) * d - 4) * kA : 0;
}

// Antialiasing: the filter is as wide as what one result element covers in the source, and its weights sum to 1.
void filterWeights(Row& row, int64_t i, double step, double (*filter)(double), double reach) {
  const double widening = std::max(step, 1.0), centre = step * (static_cast<double>(i) + 0.5);
  const double support = reach * widening;
  const auto size = static_cast<int64_t>(row.size());
  const auto first = std::max<int64_t>(static_cast<int64_t>(centre - support + 0.5), 0);
  const auto last = std::min<int64_t>(static_cast<int64_t>(centre + support + 0.5), size);
  double total = 0;
  for (int64_t at = first; at < last; ++at) total += filter((static_cast<double>(at) - centre + 0.5) / widening);
  for (int64_t at = first; at < last; ++at) {
    row[static_cast<size_t>(at)] = filter((static_cast<double>(at) - centre + 0.5) / widening) / total;
  }
}

// Fills the row of result element i. `step` is the distance of samples in the source.
using Weights = std::function<void(Row& row, int64_t i, float step)>;

// (x, outputSize, alignCorners, scaleFactors): one matrix product for each dimension, with that dimension moved to the
// end.
Results byMatrices(Builder& build, const Node& node, const Weights& weights) {
  Value* x = node.value(0);
  const Sizes result = resultSizes(node);
  const bool alignCorners = node.boolArg(2);
  if (!isFloatResult(node)) return {};
  for (size_t dim = 2; dim < result.size(); ++dim) {
    const auto d = static_cast<int64_t>(dim);
    const int64_t in = x->type().size(d), out = result[dim];
    const float step = stepOf(node, 3, dim - 2, in, out, alignCorners);
    std::vector<double> matrix;
    for (int64_t i = 0; i < out; ++i) {
      Row row(static_cast<size_t>(in), 0.0);
      weights(row, i, step);
      matrix.insert(matrix.end(), row.begin(), row.end());
    }
    Value* known = build.constant("resampling", {dtypeOf(x), {out, in}}, bytesOfDoubles(matrix, dtypeOf(x)));
    x = build.transpose(build.linear(build.transpose(x, d, -1), known, nullptr), d, -1);
  }
  return {x};
}

Results atPlaces(Builder& build, const Node& node, void (*weights)(Row&, float)) {
  const bool alignCorners = node.boolArg(2);
  return byMatrices(build, node, [=](Row& row, int64_t i, float step) {
    weights(row, alignCorners ? step * static_cast<float>(i) : step * (static_cast<float>(i) + 0.5f) - 0.5f);
  });
}
Results bicubic(Builder& build, const Node& node) {
  return atPlaces(build, node, cubicWeights);
}
Results trilinear(Builder& build, const Node& node) {
  return atPlaces(build, node, linearWeights);
}

Results antialiased(Builder& build, const Node& node, double (*filter)(double), double reach) {
  if (node.boolArg(2)) return {};
  return byMatrices(build, node, [=](Row& row, int64_t i, float step) {
    filterWeights(row, i, static_cast<double>(step), filter, reach);
  });
}
Results bilinearAntialiased(Builder& build, const Node& node) {
  return antialiased(build, node, linearFilter, 1);
}
Results bicubicAntialiased(Builder& build, const Node& node) {
  return antialiased(build, node, cubicFilter, 2);
}

// (x, grid, interpolation, padding, alignCorners)
Results gridSampler(Builder& build, const Node& node) {
  if (rankOf(node.value(0)) != 4) return {};
  return {build.node("aten.grid_sampler_2d.default", node.args(), node.output()->type())};
}

}  // namespace

void registerResampling(DecompositionRegistry& registry) {
  registry.add({"aten.upsample_nearest1d.vec"}, nearest1d);
  registry.add({"aten.upsample_linear1d.vec"}, linear1d);
  registry.add({"aten.upsample_nearest2d.default"}, nearest2dSizes);
  registry.add({"aten.upsample_bilinear2d.default"}, bilinear2dSizes);
  registry.add({"aten.upsample_nearest3d.vec"}, nearest3d);
  registry.add({"aten._upsample_nearest_exact1d.vec", "aten._upsample_nearest_exact2d.vec",
                "aten._upsample_nearest_exact3d.vec"},
               nearestExact);
  registry.add({"aten.upsample_bicubic2d.vec"}, bicubic);
  registry.add({"aten.upsample_trilinear3d.vec"}, trilinear);
  registry.add({"aten._upsample_bilinear2d_aa.vec"}, bilinearAntialiased);
  registry.add({"aten._upsample_bicubic2d_aa.vec"}, bicubicAntialiased);
  registry.add({"aten.grid_sampler.default"}, gridSampler);
}

}  // namespace exportdeck::passes::decompositions
