// Sizes as a program states them: numbers, or upper bounds of what may come.
#pragma once

#include <cstdint>

#include "ir/graph.h"

namespace exportdeck::pte {

// Every size of the value as a number, a symbolic one by its upper bound. Throws ShapeUnsupported where a size has no
// bound or does not fit the format (int32), and where the whole tensor's bytes do not fit 63 bits.
ir::Sizes boundedSizes(const ir::Value& value);
uint64_t boundedBytes(const ir::Value& value);

// XNNPACK's kernels may read this far past the end of a tensor (XNN_EXTRA_BYTES); the bytes must exist, not mean
// anything.
inline constexpr uint64_t kXnnpackOverRead = 64;

constexpr uint64_t roundUp(uint64_t number, uint64_t multiple) {
  return (number + multiple - 1) / multiple * multiple;
}

}  // namespace exportdeck::pte
