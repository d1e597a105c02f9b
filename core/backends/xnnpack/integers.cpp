#include "backends/xnnpack/integers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "passes/constant_math.h"

namespace exportdeck::backends::xnnpack {

namespace {

constexpr float kLargestRequantisation = 256;
constexpr float kSmallestSum = 0x1.0p-10f, kSmallestProduct = 0x1.0p-16f, kLargestFactor = 256;

bool isUsable(float scale) {
  return scale > 0 && std::isnormal(scale);
}

// By output channel, which comes first, or with one scale.
bool isByChannel(const ir::Value& weight) {
  if (!weight.isConstant() || !weight.constant()->integers) return false;
  const ir::Integers& integers = *weight.constant()->integers;
  return integers.group == 0 && (integers.scales.size() == 1 || integers.axis == 0) &&
         std::all_of(integers.scales.begin(), integers.scales.end(), isUsable);
}

// A matrix of 4-bit integers with a scale for each group of a multiple of 32 neighbours.
bool isByGroup(const ir::Value& weight) {
  if (!weight.isConstant() || !weight.constant()->integers) return false;
  const ir::Integers& integers = *weight.constant()->integers;
  return integers.bits == 4 && integers.group > 0 && integers.group % 32 == 0 &&
         weight.type().size(1) % integers.group == 0 &&
         std::all_of(integers.scales.begin(), integers.scales.end(), isUsable);
}

bool isLinearOnFloats(const ir::Node& linear) {
  const ir::Value* bias = linear.valueOrNull(2);
  return linear.value(1)->type().rank() == 2 && linear.output()->type().dtype == ir::DType::Float32 &&
         !linear.value(0)->isConstant() && linear.value(0)->type().dtype == ir::DType::Float32 &&
         (!bias || bias->isConstant());
}

}  // namespace

TensorScale meaningOf(const ir::Node& node) {
  return {static_cast<float>(node.floatArg(1)), static_cast<int32_t>(node.intArg(2))};
}

std::vector<float> channelScales(const ir::Constant& weight, size_t channels) {
  const std::vector<float>& scales = weight.integers->scales;
  return scales.size() == 1 ? std::vector<float>(channels, scales.front()) : scales;
}

std::optional<std::vector<int32_t>> biasIntegers(const ir::Constant& bias, const ir::Constant& weight, float scale) {
  const std::vector<double> values = passes::readAsDoubles(bias);
  const std::vector<float> scales = channelScales(weight, values.size());
  if (scales.size() != values.size()) return std::nullopt;
  std::vector<int32_t> out(values.size());
  for (size_t i = 0; i < out.size(); ++i) {
    const double integer = std::nearbyint(values[i] / (static_cast<double>(scale) * static_cast<double>(scales[i])));
    if (!(std::fabs(integer) < static_cast<double>(std::numeric_limits<int32_t>::max() / 2))) return std::nullopt;
    out[i] = static_cast<int32_t>(integer);
  }
  return out;
}

bool multipliesIntegers(const ir::Value& weight, const ir::Value* bias, float scale, float resultScale) {
  if (!isByChannel(weight)) return false;
  if (bias && (!bias->isConstant() || bias->type().rank() != 1)) return false;
  for (const float factor : weight.constant()->integers->scales) {
    const float requantisation = scale * factor / resultScale;
    if (!isUsable(requantisation) || requantisation >= kLargestRequantisation) return false;
  }
  return !bias || biasIntegers(*bias->constant(), *weight.constant(), scale).has_value();
}

bool keepsIntegers(const ir::Node& linear) {
  return isLinearOnFloats(linear) && isByChannel(*linear.value(1));
}

bool keepsGroups(const ir::Node& linear) {
  return isLinearOnFloats(linear) && isByGroup(*linear.value(1));
}

bool sumsIntegers(const std::vector<TensorScale>& operands, const TensorScale& result) {
  return std::all_of(operands.begin(), operands.end(), [&](const TensorScale& operand) {
    const float factor = operand.scale / result.scale;
    return factor >= kSmallestSum && factor < kLargestFactor;
  });
}

bool multipliesIntegers(const std::vector<TensorScale>& operands, const TensorScale& result) {
  const float factor = operands.at(0).scale * operands.at(1).scale / result.scale;
  return factor >= kSmallestProduct && factor < kLargestFactor;
}

bool isExact(double number, const TensorScale& scale) {
  const double integer = number / static_cast<double>(scale.scale) + scale.zeroPoint;
  return integer >= -128 && integer <= 127 && integer == std::floor(integer);
}

bool isBeyond(double number, const TensorScale& scale) {
  const double integer = number / static_cast<double>(scale.scale) + scale.zeroPoint;
  return integer <= -128 || integer >= 127;
}

}  // namespace exportdeck::backends::xnnpack
