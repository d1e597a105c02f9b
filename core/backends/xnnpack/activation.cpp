#include "backends/xnnpack/activation.h"

namespace exportdeck::backends::xnnpack {

std::optional<Range> activationRange(const ir::Node& node) {
  Range range;
  if (node.is("aten.relu.default")) {
    range.min = 0;
  } else if (node.is("aten.relu6.default")) {
    range = {0, 6};
  } else if (node.is("aten.hardtanh.default") || node.is("aten.clamp.default")) {
    if (!node.isNone(1)) range.min = static_cast<float>(node.floatArg(1));
    if (!node.isNone(2)) range.max = static_cast<float>(node.floatArg(2));
  } else {
    return std::nullopt;
  }
  // A comparison with NaN is false, so NaN bounds are left out as well.
  if (!(range.min <= range.max)) return std::nullopt;
  return range;
}

}  // namespace exportdeck::backends::xnnpack
