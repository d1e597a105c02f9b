// Which values of a graph need room of their own, and which are the bytes of another value under another shape.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph.h"
#include "pte/writer.h"

namespace exportdeck::pte {

inline constexpr const char* kViewOp = "aten.view_copy.default";

// Whether the node calls a kernel that writes into its first operand and gives that back.
bool isInPlace(const ir::Node& node);

class Storage {
 public:
  // The graph must outlive this.
  Storage(const ir::Graph& graph, const WriteOptions& options);
  const ir::Graph& graph() const { return graph_; }

  // The nodes that become instructions, in order; all others are views that cost nothing, or only a call that sets
  // sizes (isSharedView).
  const std::vector<const ir::Node*>& instructions() const { return instructions_; }
  // The value whose bytes these are: itself unless it is such a view, the result of writing in place, or a state's
  // update, which is computed where the state lies.
  const ir::Value* base(const ir::Value* value) const;
  // Whether a value that is its own base lies in the arena; otherwise it is a constant, a scalar, or memory of the
  // caller: what is written to in place is an input's own tensor.
  bool isPlanned(const ir::Value* base) const;
  bool callsBackend(std::string_view backendId) const;
  // A view whose sizes are known only at run time shares its base's bytes too, but an instruction must set them.
  bool isSharedView(const ir::Node& node) const;

 private:
  bool isFreeView(const ir::Node& node) const;

  const ir::Graph& graph_;
  WriteOptions options_;
  std::vector<const ir::Node*> instructions_;
  std::unordered_map<const ir::Value*, const ir::Value*> bases_;  // of others than themselves
  std::unordered_set<const ir::Value*> outputs_, written_;        // written: in place
};

}  // namespace exportdeck::pte
