// Sizes as numbers that a program computes while it runs.
#pragma once

#include <string>
#include <unordered_map>

#include "ir/graph.h"

namespace exportdeck::passes {

// Makes the scalar values that expressions of sizes have at run time: sizes of the inputs, and arithmetic on them by
// the runtime's prim kernels. Nodes are put before the node that first needs them, so needs must come in the order of
// execution.
class RunTimeSizes {
 public:
  explicit RunTimeSizes(ir::Graph& graph) : graph_(graph) {}

  // Throws Code::ShapeUnsupported for a symbol that no tensor's size tells. `before` null: at the end.
  ir::Value* valueOf(const ir::SymInt& size, ir::Node* before);
  // The arguments of `node` with values in the place of expressions.
  void resolve(ir::Node& node);

 private:
  struct Source;
  ir::Value* symbol(const ir::SymAtom& atom, ir::Node* before);
  ir::Value* atom(const ir::SymAtom& atom, ir::Node* before);
  ir::Argument operand(const ir::SymInt& size, ir::Node* before);
  ir::Value* compute(std::string op, ir::Argument a, ir::Argument b, ir::Node* before);

  ir::Graph& graph_;
  std::unordered_map<std::string, ir::Value*> known_;  // by the text of the expression
};

}  // namespace exportdeck::passes
