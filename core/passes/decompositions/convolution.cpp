// Every convolution becomes aten.convolution, which is batched and takes 1 or 2 spatial dimensions.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

struct Convolution {
  Value *x, *weight, *bias;
  Sizes stride, padding, dilation;
  bool transposed;
  Sizes outputPadding;
  int64_t groups;
};

Value* emit(Builder& build, const Convolution& c, const Sizes& result) {
  return build.node("aten.convolution.default",
                    {c.x, c.weight, c.bias ? ir::Argument(c.bias) : ir::None{}, intList(c.stride), intList(c.padding),
                     intList(c.dilation), c.transposed, intList(c.outputPadding), c.groups},
                    {dtypeOf(c.x), result});
}

size_t spatialDims(const Convolution& c) {
  return rankOf(c.weight) - 2;
}

Value* addChannels(Builder& build, Value* x, Value* bias, size_t spatial) {
  if (!bias) return x;
  Sizes sizes{bias->type().elements()};
  sizes.insert(sizes.end(), spatial, 1);
  return build.add(x, build.view(bias, sizes));
}

Value* padded(Builder& build, Value* x, const Sizes& pads, Sizes sizes) {
  for (size_t i = 0; i < pads.size() / 2; ++i) sizes[sizes.size() - 1 - i] += pads[2 * i] + pads[2 * i + 1];
  return build.node("aten.constant_pad_nd.default", {x, intList(pads), int64_t{0}}, {dtypeOf(x), sizes});
}

// A 3-d convolution is the sum over its depth taps of 2-d convolutions on the slices that each tap sees, with the
// output's depth in the batch.
Value* convolve3d(Builder& build, const Convolution& c, const Sizes& result) {
  const Sizes w = sizesOf(c.weight);
  const int64_t batch = result[0], depth = result[2];
  Value* x = c.x;
  if (c.padding[0] > 0) x = padded(build, x, {0, 0, 0, 0, c.padding[0], c.padding[0]}, sizesOf(x));
  const Sizes in = sizesOf(x);
  Value* total = nullptr;
  for (int64_t tap = 0; tap < w[2]; ++tap) {
    const int64_t start = tap * c.dilation[0];
    Value* seen = build.slice(x, 2, start, start + (depth - 1) * c.stride[0] + 1, c.stride[0]);
    seen = build.view(build.permute(seen, {0, 2, 1, 3, 4}), {batch * depth, in[1], in[3], in[4]});
    Convolution flat{seen,
                     build.select(c.weight, 2, tap),
                     nullptr,
                     {c.stride[1], c.stride[2]},
                     {c.padding[1], c.padding[2]},
                     {c.dilation[1], c.dilation[2]},
                     false,
                     {0, 0},
                     c.groups};
    if (tap == 0) flat.bias = c.bias;
    Value* part = emit(build, flat, {batch * depth, result[1], result[3], result[4]});
    total = total ? build.add(total, part) : part;
  }
  return build.permute(build.view(total, {batch, depth, result[1], result[3], result[4]}), {0, 2, 1, 3, 4});
}

// Depths apart by `step`, zeros between them; `front` zeros before and as many behind as `depth` leaves. Negative ones
// cut.
Value* spreadDepth(Builder& build, Value* x, int64_t step, int64_t front, int64_t depth) {
  Sizes sizes = sizesOf(x);
  if (step > 1) {
    Value* apart = build.view(x, {sizes[0] * sizes[1], sizes[2], 1, sizes[3] * sizes[4]});
    apart = padded(build, apart, {0, 0, 0, step - 1}, sizesOf(apart));
    sizes[2] *= step;
    x = build.slice(build.view(apart, sizes), 2, 0, sizes[2] - step + 1);
    sizes[2] -= step - 1;
  }
  const int64_t back = depth - front - sizes[2];
  const int64_t first = std::max<int64_t>(-front, 0), last = sizes[2] - std::max<int64_t>(-back, 0);
  if (first >= last) return nullptr;
  x = build.slice(x, 2, first, last);
  const Sizes pads{0, 0, 0, 0, std::max<int64_t>(front, 0), std::max<int64_t>(back, 0)};
  return pads[4] + pads[5] > 0 ? padded(build, x, pads, sizesOf(x)) : x;
}

// A transposed 3-d convolution is the sum over its depth taps of transposed 2-d convolutions of all slices, each laid
// where the tap puts it.
Value* convolveTransposed3d(Builder& build, const Convolution& c, const Sizes& result) {
  const Sizes w = sizesOf(c.weight), in = sizesOf(c.x);
  const int64_t batch = in[0], depth = in[2];
  Value* slices = build.view(build.permute(c.x, {0, 2, 1, 3, 4}), {batch * depth, in[1], in[3], in[4]});
  Value* total = nullptr;
  for (int64_t tap = 0; tap < w[2]; ++tap) {
    const Convolution flat{slices,
                           build.select(c.weight, 2, tap),
                           nullptr,
                           {c.stride[1], c.stride[2]},
                           {c.padding[1], c.padding[2]},
                           {c.dilation[1], c.dilation[2]},
                           true,
                           {c.outputPadding[1], c.outputPadding[2]},
                           c.groups};
    Value* part = emit(build, flat, {batch * depth, result[1], result[3], result[4]});
    part = build.permute(build.view(part, {batch, depth, result[1], result[3], result[4]}), {0, 2, 1, 3, 4});
    part = spreadDepth(build, part, c.stride[0], tap * c.dilation[0] - c.padding[0], result[2]);
    if (part) total = total ? build.add(total, part) : part;
  }
  if (!total) total = build.full(result, 0.0, dtypeOf(c.x));
  return addChannels(build, total, c.bias, 3);
}

Results convolve(Builder& build, Convolution c, Sizes result) {
  const size_t spatial = spatialDims(c);
  if (spatial < 1 || spatial > 3) return {};
  c.stride = spread(c.stride, spatial);
  c.padding = spread(c.padding, spatial);
  c.dilation = spread(c.dilation, spatial);
  c.outputPadding = spread(c.outputPadding, spatial);
  const bool batched = rankOf(c.x) == spatial + 2;
  if (!batched) {
    c.x = build.unsqueeze(c.x, 0);
    result.insert(result.begin(), 1);
  }
  Value* out = spatial < 3    ? emit(build, c, result)
               : c.transposed ? convolveTransposed3d(build, c, result)
                              : convolve3d(build, c, result);
  return {batched ? out : build.squeeze(out, 0)};
}

Results forward(Builder& build, const Node& node) {
  const size_t spatial = rankOf(node.value(1)) - 2;
  return convolve(build,
                  {node.value(0), node.value(1), node.valueOrNull(2), node.ints(3), node.ints(4), node.ints(5), false,
                   Sizes(spatial, 0), node.intArg(6)},
                  resultSizes(node));
}

Results transposed(Builder& build, const Node& node) {
  return convolve(build,
                  {node.value(0), node.value(1), node.valueOrNull(2), node.ints(3), node.ints(4), node.ints(7), true,
                   node.ints(5), node.intArg(6)},
                  resultSizes(node));
}

// "valid" pads nothing; "same" pads so that the size stays, the odd one at the end.
Results namedPadding(Builder& build, const Node& node) {
  Value *x = node.value(0), *weight = node.value(1);
  const size_t spatial = rankOf(weight) - 2;
  Convolution c{x,
                weight,
                node.valueOrNull(2),
                node.ints(3),
                Sizes(spatial, 0),
                spread(node.ints(5), spatial),
                false,
                Sizes(spatial, 0),
                node.intArg(6)};
  if (node.stringArg(4) == "valid") return convolve(build, c, resultSizes(node));
  if (node.stringArg(4) != "same") return {};
  Sizes uneven(2 * spatial, 0);
  bool even = true;
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t total = c.dilation[i] * (weight->type().size(static_cast<int64_t>(i) + 2) - 1);
    c.padding[i] = total / 2;
    uneven[2 * (spatial - 1 - i) + 1] = total % 2;
    even = even && total % 2 == 0;
  }
  if (!even) c.x = padded(build, x, uneven, sizesOf(x));
  return convolve(build, c, resultSizes(node));
}

// What the kernels do not take of the general operator: three spatial dimensions, no batch, a bias of another form.
Results general(Builder& build, const Node& node) {
  Convolution c{node.value(0), node.value(1),   node.valueOrNull(2), node.ints(3),  node.ints(4),
                node.ints(5),  node.boolArg(6), node.ints(7),        node.intArg(8)};
  const size_t spatial = spatialDims(c);
  const bool listsFit = c.stride.size() == spatial && c.padding.size() == spatial && c.dilation.size() == spatial &&
                        c.outputPadding.size() == spatial;
  if (spatial <= 2 && rankOf(c.x) == spatial + 2 && listsFit) {
    if (!c.bias || (rankOf(c.bias) == 1 && dtypeOf(c.bias) == dtypeOf(c.x))) return {};
    Value* bias = build.cast(c.bias, dtypeOf(c.x));
    c.bias = nullptr;
    return {addChannels(build, emit(build, c, resultSizes(node)), bias, spatial)};
  }
  return convolve(build, c, resultSizes(node));
}

}  // namespace

void registerConvolution(DecompositionRegistry& registry) {
  registry.add({"aten.conv1d.default", "aten.conv2d.default", "aten.conv3d.default"}, forward);
  registry.add({"aten.conv1d.padding", "aten.conv2d.padding", "aten.conv3d.padding"}, namedPadding);
  registry.add({"aten.conv_transpose1d.default", "aten.conv_transpose2d.input", "aten.conv_transpose3d.input"},
               transposed);
  registry.add({"aten.convolution.default"}, general);
}

}  // namespace exportdeck::passes::decompositions
