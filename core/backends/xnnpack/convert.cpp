#include "backends/xnnpack/convert.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/diagnostic.h"

namespace exportdeck::backends::xnnpack {

namespace {

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

double loadAsDouble(const std::byte* at, ir::DType dtype) {
  using ir::DType;
  switch (dtype) {
    case DType::Bool:
      return load<uint8_t>(at) ? 1.0 : 0.0;
    case DType::UInt8:
      return load<uint8_t>(at);
    case DType::Int8:
      return load<int8_t>(at);
    case DType::Int16:
      return load<int16_t>(at);
    case DType::Int32:
      return load<int32_t>(at);
    case DType::Int64:
      return static_cast<double>(load<int64_t>(at));
    case DType::Float16:
      return static_cast<double>(halfToFloat(load<uint16_t>(at)));
    case DType::BFloat16:
      return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(load<uint16_t>(at)) << 16));
    case DType::Float32:
      return static_cast<double>(load<float>(at));
    case DType::Float64:
      return load<double>(at);
    default:
      break;
  }
  throw ExportError(Code::Fault, "A constant of this element type cannot be converted");
}

}  // namespace

bool canConvert(ir::DType from, ir::DType to) {
  using ir::DType;
  if (to != DType::Float32 && to != DType::Float16) return false;
  switch (from) {
    case DType::Bool:
    case DType::UInt8:
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
    case DType::Float64:
      return true;
    default:
      return false;
  }
}

float halfToFloat(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1Fu;
  const uint32_t mantissa = half & 0x3FFu;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000u | (mantissa << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);  // subnormal
  return sign ? -magnitude : magnitude;
}

uint16_t floatToHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7E00u);
  const float magnitude = std::fabs(value);
  if (magnitude >= 65520.0f) return static_cast<uint16_t>(sign | 0x7C00u);  // rounds to infinity
  if (magnitude < std::ldexp(1.0f, -14)) {
    // Subnormal: nearbyint rounds to even in the default mode; 1024 is the smallest normal number and fits the
    // encoding.
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(magnitude, 24))));
  }
  const uint32_t rebased = (bits & 0x7FFFFFFFu) - (112u << 23);
  const uint32_t rounded = rebased + 0xFFFu + ((rebased >> 13) & 1u);
  return static_cast<uint16_t>(sign | (rounded >> 13));
}

Bytes convertElements(std::span<const std::byte> bytes, ir::DType from, ir::DType to) {
  const size_t step = ir::sizeOf(from);
  const size_t count = bytes.size() / step;
  Bytes out(count * ir::sizeOf(to));
  for (size_t i = 0; i < count; ++i) {
    const auto value = static_cast<float>(loadAsDouble(bytes.data() + i * step, from));
    if (to == ir::DType::Float32) {
      std::memcpy(out.data() + i * sizeof value, &value, sizeof value);
    } else {
      const uint16_t half = floatToHalf(value);
      std::memcpy(out.data() + i * sizeof half, &half, sizeof half);
    }
  }
  return out;
}

}  // namespace exportdeck::backends::xnnpack
