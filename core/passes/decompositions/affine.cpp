// torchao's quantisation by blocks, and products of 8-bit integers.
//
// Source of the arithmetic: torchao 0.18, quantization/quant_primitives.py.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

// A tensor in blocks that have a scale each: its dimensions are split where blocks are neither single elements nor the
// whole of one.
struct Blocks {
  Sizes split;       // the sizes after splitting
  Sizes scales;      // the same with the dimensions inside blocks as 1
  ir::Sizes inside;  // the split dimensions that lie inside blocks
};

Blocks blocksOf(const Sizes& sizes, const ir::Sizes& block) {
  check(block.size() == sizes.size(), "a block size is given for other dimensions than the tensor has");
  Blocks out;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    const bool isWhole = sizes[dim].isStatic() && sizes[dim].value() == block[dim];
    if (block[dim] > 1 && !isWhole) {
      out.split.push_back(sizes[dim].value() / block[dim]);
      out.scales.push_back(out.split.back());
    }
    if (block[dim] > 1) out.inside.push_back(static_cast<int64_t>(out.split.size()));
    out.split.push_back(block[dim] > 1 ? ir::SymInt(block[dim]) : sizes[dim]);
    out.scales.push_back(block[dim] > 1 ? ir::SymInt(1) : sizes[dim]);
  }
  return out;
}

struct Range {
  double low, high;
};
Range rangeOf(const Node& node, size_t low, size_t high, DType dtype) {
  if (!node.isNone(low) && !node.isNone(high)) return {node.floatArg(low), node.floatArg(high)};
  return dtype == DType::UInt8 ? Range{0, 255} : Range{-128, 127};
}

bool isByte(DType dtype) {
  return dtype == DType::Int8 || dtype == DType::UInt8;
}

// (input, block_size, scale, zero_point, input_dtype, quant_min, quant_max, output_dtype)
Results dequantise(Builder& build, const Node& node) {
  const DType dtype = resultDType(node);
  if (!isFloating(dtype)) return {};
  const Blocks blocks = blocksOf(sizesOf(node.value(0)), node.ints(1));
  Value* x = build.cast(build.view(node.value(0), blocks.split), dtype);
  Value* zero = node.valueOrNull(3);
  if (zero) x = build.sub(x, build.cast(build.view(zero, blocks.scales), dtype));
  x = build.mul(x, build.view(node.value(2), blocks.scales));
  return {build.cast(build.view(x, resultSizes(node)), dtype)};
}

// (input, block_size, scale, zero_point, output_dtype, quant_min, quant_max)
Results quantise(Builder& build, const Node& node) {
  const DType dtype = resultDType(node);
  if (!isByte(dtype)) return {};
  const Blocks blocks = blocksOf(resultSizes(node), node.ints(1));
  Value* scale = build.view(node.value(2), blocks.scales);
  Value* x = build.view(node.value(0), blocks.split);
  x = build.unary("aten.round.default", build.mul(x, build.unary("aten.reciprocal.default", scale)));
  if (Value* zero = node.valueOrNull(3)) x = build.add(x, build.cast(build.view(zero, blocks.scales), dtypeOf(x)));
  const auto [low, high] = rangeOf(node, 5, 6, dtype);
  return {build.cast(build.view(build.clamp(x, low, high), resultSizes(node)), dtype)};
}

// (input, mapping_type, block_size, target_dtype, quant_min, quant_max, eps, scale_dtype, zero_point_dtype, keepdim)
Results choose(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const std::string mapping = node.stringArg(1);
  const auto [low, high] = rangeOf(node, 4, 5, node.dtypeArg(3));
  if (dtypeOf(x) != DType::Float32 || (mapping != "ASYMMETRIC" && mapping != "SYMMETRIC")) return {};
  const double smallest = node.isNone(6) ? static_cast<double>(std::numeric_limits<float>::min()) : node.floatArg(6);
  const Blocks blocks = blocksOf(sizesOf(x), node.ints(2));
  x = build.view(x, blocks.split);
  const auto bound = [&](const char* op) {
    return blocks.inside.empty() ? x : build.reduce(op, x, blocks.inside, true);
  };
  Value* least = build.clamp(bound("aten.amin.default"), std::nullopt, 0.0);
  Value* most = build.clamp(bound("aten.amax.default"), 0.0, std::nullopt);
  Value *scale = nullptr, *zero = nullptr;
  if (mapping == "SYMMETRIC") {
    Value* magnitude = build.binary("aten.maximum.default", build.unary("aten.neg.default", least), most);
    scale = build.clamp(build.binary("aten.div.Tensor", magnitude, (high - low) / 2), smallest, std::nullopt);
    zero = build.full(sizesOf(scale), std::trunc((high + low + 1) / 2), DType::Float32);
  } else {
    scale = build.clamp(build.binary("aten.div.Tensor", build.sub(most, least), high - low), smallest, std::nullopt);
    Value* below = build.unary("aten.round.default", build.div(least, scale));
    zero = build.clamp(build.add(build.unary("aten.neg.default", below), low), low, high);
  }
  return {build.cast(build.view(scale, sizesOf(node.output(0))), dtypeOf(node.output(0))),
          build.cast(build.view(zero, sizesOf(node.output(1))), dtypeOf(node.output(1)))};
}

// Sums of products below 2^24 are exact in float32, which backends multiply fast.
Results integerProduct(Builder& build, const Node& node) {
  constexpr int64_t kLongestExact = (int64_t{1} << 24) / (128 * 128);
  const bool isExact = node.value(0)->type().dim(1).upper().value_or(kLongestExact + 1) <= kLongestExact;
  const DType dtype = isExact ? DType::Float32 : DType::Int32;
  Value* product = build.mm(build.cast(node.value(0), dtype), build.cast(node.value(1), dtype));
  return {build.cast(product, DType::Int32)};
}

}  // namespace

void registerAffine(DecompositionRegistry& registry) {
  registry.add({"torchao.dequantize_affine.default"}, dequantise);
  registry.add({"torchao.quantize_affine.default"}, quantise);
  registry.add({"torchao.choose_qparams_affine.default"}, choose);
  registry.add({"aten._int_mm.default"}, integerProduct);
}

}  // namespace exportdeck::passes::decompositions
