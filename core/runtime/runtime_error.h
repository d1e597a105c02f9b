// Error codes of the ExecuTorch runtime in words.
#pragma once

#include <cstdint>
#include <string>

namespace exportdeck::runtime {

struct RuntimeErrorInfo {
  uint32_t number;      // runtime/core/error.h of ExecuTorch 1.5
  const char* name;     // "OperatorMissing"
  const char* meaning;  // completes "the runtime reports that …"
};
// An unknown number gives the name "Unknown".
const RuntimeErrorInfo& runtimeError(uint32_t number);

// Throws VerifyLoadFailed: "cannot load NAME: the program calls a kernel that … (OperatorMissing, 0x14)"; `why` is what
// the runtime logged.
[[noreturn]] void throwRuntimeError(const std::string& what, uint32_t number);

}  // namespace exportdeck::runtime
