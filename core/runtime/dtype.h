// Element types of host tensors, by PyTorch's names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace exportdeck::runtime {

enum class ElementKind : uint8_t { Bool, Signed, Unsigned, Float, Half, BFloat, Other };

struct Element {
  const char* name;  // PyTorch's: "float32"
  int scalarType;    // the runtime's number (schema/scalar_type.fbs)
  size_t size;       // bytes
  ElementKind kind;

  bool isFloating() const {
    return kind == ElementKind::Float || kind == ElementKind::Half || kind == ElementKind::BFloat;
  }
  bool isLowPrecision() const { return kind == ElementKind::Half || kind == ElementKind::BFloat; }
};
const Element* elementNamed(std::string_view name);  // null: unknown
const Element* elementOf(int scalarType);

// Reads and writes one element; kind Other is not supported (checked).
double readElement(const Element& element, const std::byte* at);
void writeElement(const Element& element, double value, std::byte* at);

}  // namespace exportdeck::runtime
