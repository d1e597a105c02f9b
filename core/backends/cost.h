// What a node costs, for coverage figures.
#pragma once

#include <cstdint>

#include "ir/graph.h"

namespace exportdeck::backends {

// Multiply-adds of convolutions and matrix products; 0 for everything else and where sizes are only known at run time.
uint64_t multiplyAdds(const ir::Node& node);
// Bytes of all tensor results; 0 for a result whose size is only known at run time.
uint64_t resultBytes(const ir::Node& node);

}  // namespace exportdeck::backends
