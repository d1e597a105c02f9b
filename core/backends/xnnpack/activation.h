// Activations that bound their operand: clamps, which XNNPACK computes as part of the node before them.
#pragma once

#include <optional>

#include "backends/xnnpack/subgraph.h"
#include "ir/graph.h"

namespace exportdeck::backends::xnnpack {

// The bounds of relu, relu6, hardtanh and clamp with numbers; none for any other operator, and where the bounds cross.
std::optional<Range> activationRange(const ir::Node& node);

}  // namespace exportdeck::backends::xnnpack
