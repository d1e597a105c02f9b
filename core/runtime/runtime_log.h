// What the ExecuTorch runtime logs, kept for diagnostics instead of being printed.
#pragma once

#include <string>
#include <vector>

namespace exportdeck::runtime {

// Takes over the runtime's log; to be called before anything else of the SDK. Later calls do nothing.
// Errors are kept. A fatal message is printed to stderr with the errors before it, because the runtime aborts right
// after it.
void captureRuntimeLog();
// The error lines since the last call, each once, in order.
std::vector<std::string> takeRuntimeErrors();

}  // namespace exportdeck::runtime
