// Reading and writing single elements of constant data.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/diagnostic.h"
#include "base/text.h"
#include "ir/type.h"

namespace exportdeck::passes {

// IEEE half precision; conversions round to nearest even.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(float value);
  explicit operator float() const;
};

// The upper half of a float; conversions round to nearest even.
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float value) {
    const uint32_t full = std::bit_cast<uint32_t>(value);
    bits = std::isnan(value) ? uint16_t{0x7fc0} : static_cast<uint16_t>((full + 0x7fff + ((full >> 16) & 1)) >> 16);
  }
  explicit operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
};

inline Half::operator float() const {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  const uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

inline Half::Half(float value) {
  const uint32_t full = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((full >> 16) & 0x8000u);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) {
    bits = sign | 0x7e00u;
  } else if (magnitude >= 65520.0f) {
    bits = sign | 0x7c00u;
  } else if (magnitude < 6.103515625e-05f) {  // 2^-14: below it half numbers are multiples of 2^-24
    bits = static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(magnitude, 24))));
  } else {
    const uint32_t rounded = (full & 0x7fffffffu) + 0xfffu + ((full >> 13) & 1);
    bits = static_cast<uint16_t>(sign | ((rounded - (112u << 23)) >> 13));
  }
}

template <typename To, typename From>
To convertElement(From value) {
  constexpr bool kSmallFloat = std::is_same_v<From, Half> || std::is_same_v<From, BFloat16>;
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (kSmallFloat) {
    return convertElement<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, Half> || std::is_same_v<To, BFloat16>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // What PyTorch does on x86: truncation through a 64-bit integer; values without one become its lowest.
    constexpr double kLimit = 9223372036854775808.0;
    const bool fits = static_cast<double>(value) >= -kLimit && static_cast<double>(value) < kLimit;
    return static_cast<To>(fits ? static_cast<int64_t>(value) : std::numeric_limits<int64_t>::min());
  } else {
    return static_cast<To>(value);
  }
}

// Calls visit(T{}) with the C++ type of a dtype's elements; complex and 8-bit floating types are refused.
template <typename Visit>
decltype(auto) visitElementType(ir::DType dtype, Visit visit) {
  switch (dtype) {
    case ir::DType::Bool:
      return visit(bool{});
    case ir::DType::UInt8:
      return visit(uint8_t{});
    case ir::DType::Int8:
      return visit(int8_t{});
    case ir::DType::Int16:
      return visit(int16_t{});
    case ir::DType::Int32:
      return visit(int32_t{});
    case ir::DType::Int64:
      return visit(int64_t{});
    case ir::DType::UInt16:
      return visit(uint16_t{});
    case ir::DType::UInt32:
      return visit(uint32_t{});
    case ir::DType::UInt64:
      return visit(uint64_t{});
    case ir::DType::Float16:
      return visit(Half{});
    case ir::DType::BFloat16:
      return visit(BFloat16{});
    case ir::DType::Float32:
      return visit(float{});
    case ir::DType::Float64:
      return visit(double{});
    default:
      break;
  }
  throw ExportError(Code::DtypeUnsupported,
                    concat("constants of type ", ir::info(dtype).torch, " cannot be computed with"),
                    {"Convert the tensor to float32 before the model is exported."});
}

// Whether visitElementType() takes it.
inline bool isComputable(ir::DType dtype) {
  return dtype <= ir::DType::Float64;
}

template <typename T>
T loadElement(const std::byte* data, size_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void storeElement(std::byte* data, size_t index, T value) {
  std::memcpy(data + index * sizeof(T), &value, sizeof(T));
}

}  // namespace exportdeck::passes
