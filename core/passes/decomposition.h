// Decompositions: an operator written as simpler ones. One small file each in passes/decompositions/, one registration line.
#pragma once

#include <string_view>
#include <vector>

#include "ir/graph.h"
#include "passes/build.h"

namespace exportdeck::passes {

// Replaces the node: builds the simpler form before it and returns the values that stand for its outputs (null for one
// that is unused). Returning an empty vector means that this case is not decomposed, and why is left to legalisation.
using Decompose = std::vector<ir::Value*> (*)(Builder& build, const ir::Node& node);

struct Decomposition {
  std::string_view op;
  Decompose run;
};

class DecompositionRegistry {
 public:
  static DecompositionRegistry& instance();
  void add(std::string_view op, Decompose run);
  Decompose find(std::string_view op) const;  // null: none
  std::vector<std::string_view> operators() const;
};

struct RegisterDecomposition {
  RegisterDecomposition(std::initializer_list<std::string_view> ops, Decompose run);
};

}  // namespace exportdeck::passes
