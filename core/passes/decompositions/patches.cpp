// Images as columns of patches and back, and channels regrouped.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

struct Patches {
  Sizes kernel, dilation, padding, stride;
  int64_t height, width;               // with padding
  std::vector<double> places() const;  // [kernel taps, positions]: the element of the padded image that each tap sees
};

std::vector<double> Patches::places() const {
  const auto positions = [&](size_t i, int64_t size) {
    return (size - dilation[i] * (kernel[i] - 1) - 1) / stride[i] + 1;
  };
  const int64_t rows = positions(0, height), columns = positions(1, width);
  std::vector<double> out;
  for (int64_t ky = 0; ky < kernel[0]; ++ky) {
    for (int64_t kx = 0; kx < kernel[1]; ++kx) {
      for (int64_t y = 0; y < rows; ++y) {
        for (int64_t x = 0; x < columns; ++x) {
          out.push_back(
              static_cast<double>((y * stride[0] + ky * dilation[0]) * width + x * stride[1] + kx * dilation[1]));
        }
      }
    }
  }
  return out;
}

Value* indexOf(Builder& build, const std::vector<double>& places) {
  return build.constant("patches", {DType::Int64, {static_cast<int64_t>(places.size())}},
                        bytesOfDoubles(places, DType::Int64));
}

// (x, kernel, dilation, padding, stride)
Results im2col(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (rankOf(x) == 3) x = build.unsqueeze(x, 0);
  Patches p{spread(node.ints(1), 2), spread(node.ints(2), 2), spread(node.ints(3), 2), spread(node.ints(4), 2), 0, 0};
  Sizes sizes = sizesOf(x);
  sizes[2] += 2 * p.padding[0];
  sizes[3] += 2 * p.padding[1];
  if (p.padding != Sizes{0, 0}) {
    const Sizes pads{p.padding[1], p.padding[1], p.padding[0], p.padding[0]};
    x = build.node("aten.constant_pad_nd.default", {x, intList(pads), int64_t{0}}, {dtypeOf(x), sizes});
  }
  p.height = sizes[2];
  p.width = sizes[3];
  const std::vector<double> places = p.places();
  Value* flat = build.view(x, {sizes[0], sizes[1], p.height * p.width});
  Value* seen = build.node("aten.index_select.default", {flat, int64_t{2}, indexOf(build, places)},
                           {dtypeOf(x), {sizes[0], sizes[1], static_cast<int64_t>(places.size())}});
  return {build.view(seen, resultSizes(node))};
}

// (x, outputSize, kernel, dilation, padding, stride): what several patches hold of one place is added up.
Results col2im(Builder& build, const Node& node) {
  const Sizes result = resultSizes(node);
  Patches p{spread(node.ints(2), 2), spread(node.ints(3), 2), spread(node.ints(4), 2), spread(node.ints(5), 2), 0, 0};
  p.height = result.end()[-2] + 2 * p.padding[0];
  p.width = result.back() + 2 * p.padding[1];
  const ir::SymInt batch = result.size() == 4 ? result[0] : ir::SymInt(1), channels = result.end()[-3];
  const std::vector<double> places = p.places();
  const Sizes spreadSizes{batch, channels, static_cast<int64_t>(places.size())};
  Value* source = build.view(node.value(0), spreadSizes);
  Value* index = build.expand(build.view(indexOf(build, places), {1, 1, spreadSizes[2]}), spreadSizes);
  const Sizes flat{batch, channels, p.height * p.width};
  Value* image =
      build.node("aten.scatter_add.default", {build.full(flat, int64_t{0}, dtypeOf(source)), int64_t{2}, index, source},
                 {dtypeOf(source), flat});
  image = build.view(image, {batch, channels, p.height, p.width});
  image = build.slice(image, 2, p.padding[0], p.height - p.padding[0]);
  image = build.slice(image, 3, p.padding[1], p.width - p.padding[1]);
  return {build.view(image, result)};
}

// Channels as a grid of groups, turned round.
Results channelShuffle(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const Sizes sizes = sizesOf(x);
  const int64_t groups = node.intArg(1);
  Sizes grid = sizes;
  grid[1] = sizes[1] / groups;
  grid.insert(grid.begin() + 1, groups);
  return {build.view(build.transpose(build.view(x, grid), 1, 2), sizes)};
}

}  // namespace

void registerPatches(DecompositionRegistry& registry) {
  registry.add({"aten.im2col.default"}, im2col);
  registry.add({"aten.col2im.default"}, col2im);
  registry.add({"aten.channel_shuffle.default", "aten.native_channel_shuffle.default"}, channelShuffle);
}

}  // namespace exportdeck::passes::decompositions
