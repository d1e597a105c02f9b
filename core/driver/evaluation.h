// Computing parts of a model while it is exported, as small programs of their own.
#pragma once

#include <functional>
#include <vector>

#include "base/progress.h"
#include "passes/evaluator.h"

namespace exportdeck::driver {

// Runs the method "forward" of a program without inputs that returns tensors; gives the dense, row-major bytes of each.
// Throws ExportError. Only programs that the export itself wrote are handed to it.
using ProgramRunner = std::function<std::vector<Bytes>(Bytes program)>;

class ProgramEvaluator : public passes::Evaluator {
 public:
  // Both must outlive this.
  ProgramEvaluator(const ProgramRunner& run, const Context& context) : run_(run), context_(context) {}
  std::vector<Bytes> evaluate(const ir::Graph& graph) override;

 private:
  const ProgramRunner& run_;
  const Context& context_;
};

}  // namespace exportdeck::driver
