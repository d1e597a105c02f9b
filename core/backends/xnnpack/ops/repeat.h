// Repeating parts of a tensor: by joining them with themselves.
#pragma once

#include "backends/xnnpack/lowering.h"

namespace exportdeck::backends::xnnpack {

// `value` seen as so many rows of so many elements: [rows, times, elements], each row that often in a row. The value
// itself for once.
ValueId repeated(Lowering& lowering, ValueId value, const ir::SymInt& rows, const ir::SymInt& elements, int64_t times);

}  // namespace exportdeck::backends::xnnpack
