// Dim orders: the runtime's way to say in which order a tensor's dimensions lie in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"

namespace exportdeck::runtime {

// `order` names the dimensions from outermost to innermost. Both return dense bytes; `elementSize` is in bytes.
Bytes fromRowMajor(std::span<const std::byte> rowMajor, const std::vector<int64_t>& sizes,
                   const std::vector<uint8_t>& order, size_t elementSize);
Bytes toRowMajor(std::span<const std::byte> laid, const std::vector<int64_t>& sizes, const std::vector<uint8_t>& order,
                 size_t elementSize);

}  // namespace exportdeck::runtime
