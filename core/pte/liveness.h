// How long each value in the arena is needed.
#pragma once

#include <cstdint>
#include <vector>

#include "pte/storage.h"
#include "pte/writer.h"

namespace exportdeck::pte {

// One buffer for each planned value, in order of definition; sizes are rounded up to the alignment, offsets are not
// set. Inputs live from -1 (they are filled before the first instruction), outputs to the last instruction, states from
// -1 to the last, so that nothing shares their room.
std::vector<PlannedBuffer> liveBuffers(const ir::Graph& graph, const Storage& storage, const WriteOptions& options);

// The largest sum of bytes live at once.
uint64_t peakBytes(const std::vector<PlannedBuffer>& buffers);

}  // namespace exportdeck::pte
