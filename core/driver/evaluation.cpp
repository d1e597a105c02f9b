#include "driver/evaluation.h"

#include "base/sink.h"
#include "pte/writer.h"

namespace exportdeck::driver {

std::vector<Bytes> ProgramEvaluator::evaluate(const ir::Graph& graph) {
  MemorySink program;
  pte::writeProgram({&graph}, {}, program, context_);
  return run_(program.bytes());
}

}  // namespace exportdeck::driver
