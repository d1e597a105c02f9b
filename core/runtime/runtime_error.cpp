#include "runtime/runtime_error.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"
#include "runtime/runtime_log.h"

namespace exportdeck::runtime {

namespace {

constexpr RuntimeErrorInfo kErrors[] = {
    {0x01, "Internal", "it met an error inside itself"},
    {0x02, "InvalidState", "it was called in a state that does not allow the call"},
    {0x03, "EndOfMethod", "the method has no further steps"},
    {0x04, "AlreadyLoaded", "it is loaded already"},
    {0x10, "NotSupported", "the program asks for something that it does not support"},
    {0x11, "NotImplemented", "the program asks for something that it does not implement"},
    {0x12, "InvalidArgument", "an argument of a kernel or of the call has the wrong kind, dtype or shape"},
    {0x13, "InvalidType", "a value has the wrong type"},
    {0x14, "OperatorMissing", "the program calls a kernel that it does not have"},
    {0x15, "RegistrationExceedingMaxKernels", "more kernels were registered than it can hold"},
    {0x16, "RegistrationAlreadyRegistered", "a kernel was registered twice"},
    {0x20, "NotFound", "the method, the delegate's backend or named data does not exist"},
    {0x21, "MemoryAllocationFailed", "memory ran out"},
    {0x22, "AccessFailed", "the file could not be read"},
    {0x23, "InvalidProgram", "the program is malformed"},
    {0x24, "InvalidExternalData", "external data is malformed"},
    {0x25, "OutOfResources", "resources ran out"},
    {0x30, "DelegateInvalidCompatibility",
     "the backend cannot read the delegate's data; it is of an incompatible version"},
    {0x31, "DelegateMemoryAllocationFailed", "memory for a delegate ran out"},
    {0x32, "DelegateInvalidHandle", "a delegate's handle is not valid"},
};
constexpr RuntimeErrorInfo kUnknown{0, "Unknown", "something failed that has no known name"};

}  // namespace

const RuntimeErrorInfo& runtimeError(uint32_t number) {
  for (const RuntimeErrorInfo& error : kErrors) {
    if (error.number == number) return error;
  }
  return kUnknown;
}

namespace {

// The kernels that the runtime's log calls missing: "Missing operator: [0] aten::sort.values".
std::vector<std::string> missingKernels(const std::vector<std::string>& log) {
  std::vector<std::string> names;
  for (const std::string& line : log) {
    const auto place = line.find("] ");
    if (line.starts_with("Missing operator: ") && place != std::string::npos) names.push_back(line.substr(place + 2));
  }
  return names;
}

// The runtime names a file of constants in several ways where it has none, or one that lacks a name.
bool lacksData(const std::vector<std::string>& log) {
  return std::any_of(log.begin(), log.end(), [](const std::string& line) {
    return line.find("external_data_map") != std::string::npos || line.find("named_data_map") != std::string::npos;
  });
}

}  // namespace

void throwRuntimeError(const std::string& what, uint32_t number) {
  const RuntimeErrorInfo& error = runtimeError(number);
  char hex[16];
  std::snprintf(hex, sizeof hex, "0x%02x", number);
  Diagnostic diagnostic;
  diagnostic.code = Code::VerifyLoadFailed;
  const std::vector<std::string> log = takeRuntimeErrors();
  const std::vector<std::string> kernels = missingKernels(log);
  diagnostic.message = concat(what, ": the ExecuTorch runtime reports that ", error.meaning,
                              kernels.empty() ? "" : ": ", join(kernels, ", "), " (", error.name, ", ", hex, ")");
  // The first lines name the cause, later ones follow from it.
  constexpr size_t kShown = 4;
  if (kernels.empty() && !log.empty()) {
    diagnostic.why = concat("the runtime says: ", join(std::span(log).first(std::min(kShown, log.size())), "; "));
  }
  if (lacksData(log)) diagnostic.fixes = {"give the .ptd that was written with the program, with --data or beside it"};
  diagnostic.fixes.push_back("export the program again with the version of ExecuTorch that runs it");
  throw ExportError(std::move(diagnostic));
}

}  // namespace exportdeck::runtime
