// Decompositions: an operator written as simpler ones. One small file a family in passes/decompositions/, each with one
// function that registers its operators, called from the list in passes/decompositions/all.cpp.
#pragma once

#include <initializer_list>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/graph.h"
#include "passes/build.h"

namespace exportdeck::passes {

// Replaces the node: builds the simpler form before it and returns the values that stand for its outputs (null for one
// that is unused). Returning an empty vector means that this case is not decomposed, and why is left to legalisation.
// What it builds is decomposed in turn, so it may use any operator that is nearer to the kernels.
using Decompose = std::vector<ir::Value*> (*)(Builder& build, const ir::Node& node);

class DecompositionRegistry {
 public:
  static const DecompositionRegistry& instance();
  void add(std::initializer_list<std::string_view> ops, Decompose run);  // names must outlive the program: literals
  Decompose find(std::string_view op) const;                             // null: none
  std::vector<std::string_view> operators() const;                       // sorted

 private:
  DecompositionRegistry();
  std::unordered_map<std::string_view, Decompose> table_;
};

}  // namespace exportdeck::passes
