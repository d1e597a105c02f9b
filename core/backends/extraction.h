// Moving partitions out of a graph.
#pragma once

#include <memory>
#include <vector>

#include "ir/graph.h"

namespace exportdeck::backends {

// Replaces each partition by one delegate call (kDelegateOp without blob) whose body holds copies of its nodes, and
// puts the nodes into the given order.
//
// The body's inputs are the tensors computed or given outside, in order of first use; they are the call's operands.
// Constants are the body's own: the ir::Constant object is shared with every other reader. The body's outputs are the
// results that are read outside or returned; they are the call's results.
//
// `nodes` lists the graph's nodes, `partition` the partition of each (kNoPartition for none), `order` the units as
// scheduleUnits() gives them. Returns the calls, by partition.
std::vector<ir::Node*> extractPartitions(ir::Graph& graph, const std::vector<ir::Node*>& nodes,
                                         const std::vector<int>& partition, const std::vector<int>& order);

}  // namespace exportdeck::backends
