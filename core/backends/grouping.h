// Which taken nodes go into which partition: pure graph work, so that it can be tested on random graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace exportdeck::backends {

// The nodes of a graph as numbers in execution order; `operands[i]` are the nodes (all < i) whose results node i reads.
struct Dataflow {
  std::vector<std::vector<int>> operands;
  size_t size() const { return operands.size(); }
};

inline constexpr int kNoPartition = -1;

// Groups the taken nodes into the fewest partitions that can be run one after another: a node's level is the largest
// number of changes from refused to taken on a path that ends at it, and taken nodes of one level form a partition. A
// path that leaves a partition through a refused node only comes back at a higher level, so no partition waits for
// itself; and a chain with N such changes needs N partitions in any grouping. O(nodes + operands). Returns the
// partition of each node, numbered from 0 without gaps in order of level, kNoPartition for refused ones.
std::vector<int> groupByLevel(const Dataflow& flow, const std::vector<bool>& taken);

// Splits each partition into its connected pieces: piece number of each node, kNoPartition where not in a partition.
std::vector<int> connectedPieces(const Dataflow& flow, const std::vector<int>& partition);

// An execution order of the graph in which every partition is one unit: a list of units, each a node number or, for
// partition p, size() + p. Units that are ready run in the original order (a partition counts as its first node), so
// that nodes outside partitions keep their order as far as data allows. Code::Fault where a partition waits for itself.
// O(n log n).
std::vector<int> scheduleUnits(const Dataflow& flow, const std::vector<int>& partition);

}  // namespace exportdeck::backends
