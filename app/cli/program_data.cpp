#include "cli/program_data.h"

#include "base/diagnostic.h"
#include "base/text.h"
#include "pte/reader.h"
#include "runtime/program.h"

namespace exportdeck::cli {

std::string programData(const std::string& program, const std::string& given) {
  std::string data = given.empty() ? runtime::dataBeside(program) : given;
  if (!data.empty()) return data;
  const auto missing = pte::readProgramInfo(program).external;
  if (missing.empty()) return data;
  throw ExportError(
      Code::VerifyLoadFailed,
      concat(program, " needs ", missing.size(), " constants of another file, the first is ", missing.front()),
      {"give the .ptd that was written with the program, with --data or beside it"});
}

}  // namespace exportdeck::cli
