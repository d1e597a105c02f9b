// Tensors that a caller hands over with their channels last in memory.
#pragma once

#include "ir/type.h"

namespace exportdeck::ir {

// Whether the strides that were recorded for a tensor are those of [N, C, H, W] with the channels last: dim order
// [0, 2, 3, 1]. False where that is the plain order too (one channel, or one place).
bool isChannelsLast(const TensorType& type);

}  // namespace exportdeck::ir
