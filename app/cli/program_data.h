// Where a program's constants are.
#pragma once

#include <string>

namespace exportdeck::cli {

// The file with the program's constants: `given`, else PROGRAM.ptd where that is there, else "". Throws
// VerifyLoadFailed where there is none and the program needs one: the runtime of ExecuTorch 1.5.1 then follows a null
// pointer.
std::string programData(const std::string& program, const std::string& given);

}  // namespace exportdeck::cli
