// Computing parts of a graph while it is exported. Passes know this interface alone; what runs the kernels is given to
// them.
#pragma once

#include <vector>

#include "base/bytes.h"
#include "ir/graph.h"

namespace exportdeck::passes {

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // `graph` has no inputs, holds kernel calls and static reshapes only (passes/kernel_call.h), and returns tensors.
  // Gives the dense, row-major bytes of each result in order. Throws ExportError where they cannot be computed.
  virtual std::vector<Bytes> evaluate(const ir::Graph& graph) = 0;
};

}  // namespace exportdeck::passes
