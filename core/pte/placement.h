// Offsets for buffers whose live ranges and sizes are known. Sizes are multiples of the alignment, so offsets are too.
#pragma once

#include <cstdint>
#include <vector>

#include "pte/writer.h"

namespace exportdeck::pte {

// How many pairs of buffers are live at once: what placeBySize costs. O(n log n).
uint64_t overlappingPairs(const std::vector<PlannedBuffer>& buffers);

// Largest first, each into the smallest gap that fits among the placed buffers that live at the same time. Close to the
// lower bound; O(n log n + pairs). Returns the arena's size.
uint64_t placeBySize(std::vector<PlannedBuffer>& buffers);

// In order of time with a list of free blocks, smallest fitting block first. O(n log n) whatever overlaps. Returns the
// arena's size.
uint64_t placeInTime(std::vector<PlannedBuffer>& buffers);

}  // namespace exportdeck::pte
