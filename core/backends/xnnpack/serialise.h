// The delegate blob.
#pragma once

#include "backends/xnnpack/subgraph.h"
#include "ir/graph.h"

namespace exportdeck::backends::xnnpack {

// Header "XH00" and FlatBuffer "XN01"; static values are named data that the runtime looks up by key.
//
// Source of the facts: executorch 1.5.1, backends/xnnpack/serialization/schema.fbs and runtime/XNNHeader.h.
ir::DelegateBlob serialise(const Subgraph& subgraph);

}  // namespace exportdeck::backends::xnnpack
