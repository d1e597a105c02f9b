// The schema's table for each kind of node.
#pragma once

#include "backends/xnnpack/subgraph.h"
#include "schema_generated.h"

namespace exportdeck::backends::xnnpack {

// Writes the node's table; its type in the union is the node's kind.
flatbuffers::Offset<void> serialiseNode(flatbuffers::FlatBufferBuilder& builder, const Node& node);

std::vector<uint32_t> toUnsigned(const ir::Sizes& sizes);
// The largest that each may become: the sizes for which XNNPACK first plans its memory.
std::vector<uint32_t> largest(const ir::Shape& sizes);

}  // namespace exportdeck::backends::xnnpack
