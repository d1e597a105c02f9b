// Weights as integers: made of floats, and read as floats. All is computed while it is read, a few rows at a time.
#pragma once

#include <memory>

#include "ir/graph.h"

namespace exportdeck::passes {

// Symmetric integers of a float32 matrix: with 8 bits from -127 to 127 and a scale a row, with 4 bits from -8 to 7 and
// a scale a group (a divisor of the row's length). The 4-bit scales are numbers that bfloat16 has, as XNNPACK reads
// them. Reads the matrix once for the scales. Null where an element is infinite or no number.
std::shared_ptr<const ir::Integers> integersOf(const ir::Constant& matrix, int bits, int64_t group);

// A constant of the name and sizes of `from`, float32, with the integers.
ir::ConstantPtr floatsOf(const ir::Constant& from, std::shared_ptr<const ir::Integers> integers);
// The same of numbers that are rounded to half precision. Null where one is too large for it.
ir::ConstantPtr roundedToHalf(const ir::Constant& from);

enum class FirstOfPair : uint8_t { LowBits, HighBits };
// 4-bit integers, two a byte, each stored as itself + 8. Their number is even.
std::shared_ptr<const ByteSource> packedPairs(std::shared_ptr<const ByteSource> integers, FirstOfPair first);

}  // namespace exportdeck::passes
