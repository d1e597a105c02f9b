#include "runtime/dtype.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "base/diagnostic.h"

namespace exportdeck::runtime {

namespace {

constexpr Element kElements[] = {
    {"uint8", 0, 1, ElementKind::Unsigned},         {"int8", 1, 1, ElementKind::Signed},
    {"int16", 2, 2, ElementKind::Signed},           {"int32", 3, 4, ElementKind::Signed},
    {"int64", 4, 8, ElementKind::Signed},           {"float16", 5, 2, ElementKind::Half},
    {"float32", 6, 4, ElementKind::Float},          {"float64", 7, 8, ElementKind::Float},
    {"complex32", 8, 4, ElementKind::Other},        {"complex64", 9, 8, ElementKind::Other},
    {"complex128", 10, 16, ElementKind::Other},     {"bool", 11, 1, ElementKind::Bool},
    {"bfloat16", 15, 2, ElementKind::BFloat},       {"float8_e5m2", 23, 1, ElementKind::Other},
    {"float8_e4m3fn", 24, 1, ElementKind::Other},   {"float8_e5m2fnuz", 25, 1, ElementKind::Other},
    {"float8_e4m3fnuz", 26, 1, ElementKind::Other}, {"uint16", 27, 2, ElementKind::Unsigned},
    {"uint32", 28, 4, ElementKind::Unsigned},       {"uint64", 29, 8, ElementKind::Unsigned},
};

template <typename Number>
Number load(const std::byte* at) {
  Number value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <typename Number>
void store(double value, std::byte* at) {
  const auto number = static_cast<Number>(value);
  std::memcpy(at, &number, sizeof number);
}

double fromHalf(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

// Finite values only, rounded to nearest even; those too large become infinite.
uint16_t toHalf(double value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (magnitude >= 65520) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int unit = std::max(exponent - 11, -24);  // exponent of the last place
  const auto steps = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -unit)));
  // Steps of 1024 and more carry into the exponent by themselves.
  return static_cast<uint16_t>(sign + (unit == -24 ? steps : ((unit + 24) << 10) + steps));
}

uint64_t rawUnsigned(const std::byte* at, size_t size) {
  switch (size) {
    case 1:
      return load<uint8_t>(at);
    case 2:
      return load<uint16_t>(at);
    case 4:
      return load<uint32_t>(at);
    default:
      return load<uint64_t>(at);
  }
}

int64_t rawSigned(const std::byte* at, size_t size) {
  switch (size) {
    case 1:
      return load<int8_t>(at);
    case 2:
      return load<int16_t>(at);
    case 4:
      return load<int32_t>(at);
    default:
      return load<int64_t>(at);
  }
}

}  // namespace

const Element* elementNamed(std::string_view name) {
  for (const Element& element : kElements) {
    if (name == element.name) return &element;
  }
  return nullptr;
}

const Element* elementOf(int scalarType) {
  for (const Element& element : kElements) {
    if (scalarType == element.scalarType) return &element;
  }
  return nullptr;
}

double readElement(const Element& element, const std::byte* at) {
  switch (element.kind) {
    case ElementKind::Bool:
      return load<uint8_t>(at) != 0;
    case ElementKind::Signed:
      return static_cast<double>(rawSigned(at, element.size));
    case ElementKind::Unsigned:
      return static_cast<double>(rawUnsigned(at, element.size));
    case ElementKind::Float:
      return element.size == 4 ? load<float>(at) : load<double>(at);
    case ElementKind::Half:
      return fromHalf(load<uint16_t>(at));
    case ElementKind::BFloat:
      return std::bit_cast<float>(static_cast<uint32_t>(load<uint16_t>(at)) << 16);
    case ElementKind::Other:
      break;
  }
  check(false, "an element of this dtype is read as a number");
  return 0;
}

void writeElement(const Element& element, double value, std::byte* at) {
  switch (element.kind) {
    case ElementKind::Bool:
      return store<uint8_t>(value != 0, at);
    case ElementKind::Signed:
    case ElementKind::Unsigned: {
      // Two's complement: the low bytes of the 64-bit number, little-endian.
      const auto number = static_cast<int64_t>(value);
      std::memcpy(at, &number, element.size);
      return;
    }
    case ElementKind::Float:
      return element.size == 4 ? store<float>(value, at) : store<double>(value, at);
    case ElementKind::Half: {
      const uint16_t bits = toHalf(value);
      std::memcpy(at, &bits, sizeof bits);
      return;
    }
    case ElementKind::BFloat: {
      const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
      const auto rounded = static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
      std::memcpy(at, &rounded, sizeof rounded);
      return;
    }
    case ElementKind::Other:
      break;
  }
  check(false, "an element of this dtype is written as a number");
}

}  // namespace exportdeck::runtime
