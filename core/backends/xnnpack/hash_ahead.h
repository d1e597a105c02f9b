// Hashing weights on all cores before they are looked up one by one.
#pragma once

#include "base/progress.h"
#include "ir/graph.h"

namespace exportdeck::backends::xnnpack {

// A byte source keeps its hash, and hashing a weight can mean to compute it (a folded batch norm) or to read it: done
// here for the larger constants that the graph's nodes read. Errors of reading are thrown; a stop request is honoured
// between constants.
void hashAhead(const ir::Graph& graph, const Context& context);

}  // namespace exportdeck::backends::xnnpack
