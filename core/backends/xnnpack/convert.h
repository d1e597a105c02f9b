// Conversion of constants between element types.
#pragma once

#include <span>

#include "base/bytes.h"
#include "ir/type.h"

namespace exportdeck::backends::xnnpack {

// From bool, integers and real floating types to Float32 or Float16; rounds to nearest even.
bool canConvert(ir::DType from, ir::DType to);
Bytes convertElements(std::span<const std::byte> bytes, ir::DType from, ir::DType to);

float halfToFloat(uint16_t half);
uint16_t floatToHalf(float value);

}  // namespace exportdeck::backends::xnnpack
