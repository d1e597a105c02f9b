// Repeating parts of a tensor: by joining them with themselves.
#pragma once

#include "backends/xnnpack/lowering.h"

namespace exportdeck::backends::xnnpack {

// `value` seen as so many rows of so many elements: [rows, times, elements], each row that often in a row. The value
// itself for once.
ValueId repeated(Lowering& lowering, ValueId value, int64_t rows, int64_t elements, int64_t times);

}  // namespace exportdeck::backends::xnnpack
