// Normalisations become those with a kernel: batch norm with known statistics, and layer norm.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

[[noreturn]] void refuseTraining(const Node& node) {
  throw ExportError(Diagnostic{Code::TrainingMode,
                               Severity::Error,
                               concat(node.op(), " was exported in training mode"),
                               node.origin(),
                               "It would change its running statistics on every call",
                               {"Call model.eval() before torch.export.export()."}});
}

// A per-channel vector in the shape that broadcasts over x [n, c, ...].
Value* perChannel(Builder& build, Value* vector, size_t rank) {
  Sizes sizes{vector->type().elements()};
  if (rank > 2) sizes.insert(sizes.end(), rank - 2, 1);
  return build.view(vector, sizes);
}

Value* scaledAndShifted(Builder& build, Value* x, Value* weight, Value* bias) {
  if (weight) x = build.mul(x, perChannel(build, weight, rankOf(x)));
  if (bias) x = build.add(x, perChannel(build, bias, rankOf(x)));
  return x;
}

ir::Argument orNone(Value* value) {
  return value ? ir::Argument(value) : ir::None{};
}

Value* knownBatchNorm(Builder& build, Value* x, Value* weight, Value* bias, Value* mean, Value* variance,
                      double momentum, double eps) {
  const ir::TensorType nothing(dtypeOf(x), {0});
  return build
      .nodeMulti("aten._native_batch_norm_legit_no_training.default",
                 {x, orNone(weight), orNone(bias), mean, variance, momentum, eps},
                 {{dtypeOf(x), sizesOf(x)}, nothing, nothing})
      .front();
}

// For short rows the kernel takes the variance as mean(x * x) - mean(x) * mean(x), which loses all digits where the
// mean is large (kernels/portable/cpu/op_native_layer_norm.cpp; the optimised kernel calls it below this length). Rows
// that were shifted to the mean 0 have the same norm.
constexpr int64_t kLongRow = 256;
Value* centred(Builder& build, Value* x, const Sizes& dims) {
  int64_t length = 1;
  for (const int64_t dim : dims) length *= x->type().size(dim);
  return length < kLongRow ? build.sub(x, build.mean(x, dims, true)) : x;
}

// Layer norm over the last dimension of x [rows, columns], without weights.
Value* normalisedRows(Builder& build, Value* x, double eps) {
  const Sizes sizes = sizesOf(x);
  x = centred(build, x, {1});
  const ir::TensorType statistics(dtypeOf(x), {sizes[0], 1});
  return build
      .nodeMulti("aten.native_layer_norm.default", {x, intList({sizes[1]}), ir::None{}, ir::None{}, eps},
                 {{dtypeOf(x), sizes}, statistics, statistics})
      .front();
}

// (x, weight, bias, mean, variance, training, momentum, eps, cudnn)
Results batchNorm(Builder& build, const Node& node) {
  Value *x = node.value(0), *weight = node.valueOrNull(1), *bias = node.valueOrNull(2);
  Value *mean = node.valueOrNull(3), *variance = node.valueOrNull(4);
  const double eps = node.floatArg(7);
  if (!node.boolArg(5)) {
    if (!mean || !variance) return {};
    return {knownBatchNorm(build, x, weight, bias, mean, variance, node.floatArg(6), eps)};
  }
  if (mean || variance) refuseTraining(node);
  // Without running statistics the batch's own count, in evaluation too.
  Sizes order = range(rankOf(x));
  if (order.size() < 2) return {};
  std::swap(order[0], order[1]);
  Value* channels = build.permute(x, order);
  const Sizes sizes = sizesOf(channels);
  const int64_t elements = x->type().elements();
  if (elements == 0) return {};
  Value* rows = normalisedRows(build, build.view(channels, {sizes[0], elements / sizes[0]}), eps);
  return {scaledAndShifted(build, build.permute(build.view(rows, sizes), order), weight, bias)};
}

// (x, weight, bias, mean, variance, useInputStatistics, momentum, eps, cudnn)
Results instanceNorm(Builder& build, const Node& node) {
  Value *x = node.value(0), *weight = node.valueOrNull(1), *bias = node.valueOrNull(2);
  Value *mean = node.valueOrNull(3), *variance = node.valueOrNull(4);
  if (!node.boolArg(5)) {
    if (!mean || !variance) return {};
    return {knownBatchNorm(build, x, weight, bias, mean, variance, node.floatArg(6), node.floatArg(7))};
  }
  if (mean || variance) refuseTraining(node);
  const Sizes sizes = sizesOf(x);
  if (sizes.size() < 3 || product(sizes) == 0) return {};
  Value* rows = build.view(x, {sizes[0] * sizes[1], product(sizes) / (sizes[0] * sizes[1])});
  return {scaledAndShifted(build, build.view(normalisedRows(build, rows, node.floatArg(7)), sizes), weight, bias)};
}

// (x, groups, weight, bias, eps, cudnn). By layer norm: the group norm kernel takes the variance as a difference at
// every length.
Results groupNorm(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const Sizes sizes = sizesOf(x);
  const int64_t rows = sizes.at(0) * node.intArg(1);
  if (product(sizes) == 0) return {};
  Value* normalised = normalisedRows(build, build.view(x, {rows, product(sizes) / rows}), node.floatArg(4));
  return {scaledAndShifted(build, build.view(normalised, sizes), node.valueOrNull(2), node.valueOrNull(3))};
}

// (x, normalizedShape, weight, bias, eps, cudnn)
Results layerNorm(Builder& build, const Node& node) {
  Value* x = node.value(0);
  Sizes statistics = sizesOf(x);
  const size_t inner = node.ints(1).size();
  std::fill(statistics.end() - static_cast<std::ptrdiff_t>(inner), statistics.end(), 1);
  Sizes dims = range(statistics.size());
  dims.erase(dims.begin(), dims.end() - static_cast<std::ptrdiff_t>(inner));
  x = centred(build, x, dims);
  const ir::TensorType type(dtypeOf(x), statistics);
  return {build
              .nodeMulti("aten.native_layer_norm.default",
                         {x, intList(node.ints(1)), orNone(node.valueOrNull(2)), orNone(node.valueOrNull(3)),
                          node.floatArg(4)},
                         {x->type(), type, type})
              .front()};
}

double epsilonOf(DType dtype) {
  switch (dtype) {
    case DType::Float64:
      return 2.220446049250313e-16;
    case DType::Float16:
      return 0.0009765625;
    case DType::BFloat16:
      return 0.0078125;
    default:
      return 1.1920928955078125e-07;
  }
}

// (x, normalizedShape, weight, eps): x / sqrt(mean(x * x) + eps) * weight, computed in float32 for the short types.
Results rmsNorm(Builder& build, const Node& node) {
  const DType dtype = dtypeOf(node.value(0));
  const DType wide = sizeOf(dtype) < 4 ? DType::Float32 : dtype;
  Value* x = build.cast(node.value(0), wide);
  Sizes dims;
  for (size_t i = 0; i < node.ints(1).size(); ++i) dims.push_back(-1 - static_cast<int64_t>(i));
  const double eps = node.isNone(3) ? epsilonOf(wide) : node.floatArg(3);
  Value* scale = build.unary("aten.rsqrt.default", build.add(build.mean(build.mul(x, x), dims, true), eps));
  Value* result = build.mul(x, scale);
  if (Value* weight = node.valueOrNull(2)) result = build.mul(result, build.cast(weight, wide));
  return {build.cast(result, resultDType(node))};
}

// The norm over all dimensions but one, as that dimension's vector.
Value* normExcept(Builder& build, Value* v, int64_t dim) {
  Sizes dims;
  for (int64_t i = 0; i < static_cast<int64_t>(rankOf(v)); ++i) {
    if (i != dim) dims.push_back(i);
  }
  return build.unary("aten.sqrt.default", build.sum(build.mul(v, v), dims, true));
}

// g * v / |v|; known weights are computed at export, in double precision.
Results weightNorm(Builder& build, const Node& node) {
  Value *v = node.value(0), *g = node.value(1);
  const Sizes sizes = sizesOf(v);
  if (node.intArg(2) == -1) return {};
  const int64_t dim = ir::wrapDim(node.intArg(2), sizes.size());
  if (rankOf(v) < 2) return {};
  if (!v->isConstant() || !g->isConstant()) return {build.mul(v, build.div(g, normExcept(build, v, dim)))};
  const auto extent = static_cast<size_t>(sizes[static_cast<size_t>(dim)]);
  const auto inner = static_cast<size_t>(product(Sizes(sizes.begin() + dim + 1, sizes.end())));
  auto make = [vData = v->constant(), gData = g->constant(), extent, inner] {
    std::vector<double> values = readAsDoubles(*vData);
    const std::vector<double> scales = readAsDoubles(*gData);
    std::vector<double> squares(extent, 0);
    for (size_t i = 0; i < values.size(); ++i) squares[i / inner % extent] += values[i] * values[i];
    for (size_t i = 0; i < values.size(); ++i) {
      const size_t row = i / inner % extent;
      values[i] *= scales[row] / std::sqrt(squares[row]);
    }
    return bytesOfDoubles(values, vData->type.dtype);
  };
  const ir::TensorType type = v->type();
  return {build.constant(std::make_shared<const ir::Constant>(ir::Constant{
      concat(v->constant()->name, "*", g->constant()->name), type, bytesMade(type.bytes(), std::move(make))}))};
}

}  // namespace

void registerNormalisation(DecompositionRegistry& registry) {
  registry.add({"aten.batch_norm.default"}, batchNorm);
  registry.add({"aten.instance_norm.default"}, instanceNorm);
  registry.add({"aten.group_norm.default"}, groupNorm);
  registry.add({"aten.layer_norm.default"}, layerNorm);
  registry.add({"aten.rms_norm.default"}, rmsNorm);
  registry.add({"aten._weight_norm.default"}, weightNorm);
}

}  // namespace exportdeck::passes::decompositions
