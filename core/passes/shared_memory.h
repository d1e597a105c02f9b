// Buffers of the user's model that lie in the same memory.
#pragma once

#include "ir/graph.h"

namespace exportdeck::passes {

// The data of a buffer, what a state begins with included; null for other values.
ir::ConstantPtr dataOf(const ir::Value& value);

// Throws MutationUnsupported where a state shares memory with another buffer in PyTorch: each has memory of its own in
// the program, so the other would not change with it.
void refuseSharedMemory(const ir::Graph& graph);

}  // namespace exportdeck::passes
