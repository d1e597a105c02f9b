// What a node costs, for coverage figures.
#pragma once

#include <cstdint>

#include "ir/graph.h"

namespace exportdeck::backends {

// Multiply-adds of convolutions and matrix products; 0 for everything else. Sizes that are only known at run time count
// with their largest value; 0 where one has none.
uint64_t multiplyAdds(const ir::Node& node);
// Bytes of all tensor results, likewise.
uint64_t resultBytes(const ir::Node& node);

}  // namespace exportdeck::backends
