#include "runtime/evaluate.h"

#include <utility>

#include "base/diagnostic.h"
#include "runtime/program.h"

namespace exportdeck::runtime {

std::vector<Bytes> evaluate(Bytes program) {
  const auto loaded = LoadedProgram::load(std::move(program));
  std::vector<Bytes> results;
  for (HostValue& value : loaded->run({})) {
    auto* tensor = std::get_if<HostTensor>(&value);
    if (!tensor) throw ExportError(Code::VerifyLoadFailed, "a result is no tensor", {});
    results.push_back(std::move(tensor->bytes));
  }
  return results;
}

}  // namespace exportdeck::runtime
