// Reordering the dimensions of a dense block of elements.
#pragma once

#include <cstddef>

#include "ir/type.h"

namespace exportdeck::backends::xnnpack {

// Dimension i of `out` is dimension order[i] of `in`, which has `sizes` in row-major order; elements of 1, 2, 4 or 8
// bytes.
void reorderElements(const std::byte* in, std::byte* out, const ir::Sizes& sizes, const ir::Sizes& order,
                     size_t elementSize);

}  // namespace exportdeck::backends::xnnpack
