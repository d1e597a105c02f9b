#include "ir/memory_order.h"

namespace exportdeck::ir {

bool isChannelsLast(const TensorType& type) {
  if (type.rank() != 4 || type.strides.size() != 4 || !type.isStatic()) return false;
  const int64_t channels = type.size(1), height = type.size(2), width = type.size(3);
  if (channels < 2 || height * width < 2) return false;
  return type.strides == Sizes{channels * height * width, 1, width * channels, channels};
}

}  // namespace exportdeck::ir
