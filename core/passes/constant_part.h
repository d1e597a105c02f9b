// The part of a graph that no input reaches: what of it is worth computing at export.
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph.h"

namespace exportdeck::passes {

// Limits that keep the program from growing and the export from becoming slow, in bytes.
inline constexpr uint64_t kTinyResult = 512;            // takes no more room than the node that it replaces
inline constexpr uint64_t kSmallResult = 64u << 10;     // may be larger than the constants that it comes from
inline constexpr uint64_t kWiderResult = 256u << 10;    // with no more elements than its operands: a mask of floats
inline constexpr uint64_t kLargestOperand = 4u << 20;   // of a node that is computed, and the largest result
inline constexpr uint64_t kLargestResults = 16u << 20;  // all that take the place of nodes
inline constexpr uint64_t kLargestWork = 32u << 20;     // all constants that are read and all results, kept or not

// Operators that give something else each time, or anything.
bool hasManyOutcomes(const ir::Node& node);

// Nodes that read constants and each other only, have one outcome, and for which kernels exist. What nodes outside read
// of them takes their place unless it is much larger than the operands that it is computed from, or than the constants
// that those come from: such a node stays, and its operands are read from outside. None is returned by the graph.
class ConstantPart {
 public:
  explicit ConstantPart(const ir::Graph& graph);

  bool empty() const { return results_.empty(); }
  // Nodes that nothing needs once results() are known, in order of execution.
  const std::vector<ir::Node*>& replaced() const { return replaced_; }
  // What takes their place, in order.
  const std::vector<ir::Value*>& results() const { return results_; }
  // The part as a graph of its own that returns results().
  std::unique_ptr<ir::Graph> copy() const;

 private:
  void find(const ir::Graph& graph);
  void divide();
  bool admits(const ir::Graph& graph, const ir::Node& node) const;
  std::vector<ir::Value*> readOutside(const ir::Node& node) const;
  std::vector<const ir::Node*> computed() const;

  std::unordered_map<const ir::Node*, uint64_t> sources_;  // of each node of the part: its largest constant, in bytes
  std::unordered_set<const ir::Value*> seen_;              // constants that count as work already
  std::unordered_set<const ir::Node*> stays_;              // nodes of the part that are not replaced
  std::vector<ir::Node*> nodes_, replaced_;
  std::vector<ir::Value*> results_;
  uint64_t work_ = 0;
};

}  // namespace exportdeck::passes
