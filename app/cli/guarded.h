// Calls of this program by itself, so that a crash while a program is loaded or run ends a child.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "cli/verb.h"

namespace exportdeck::cli {

// The hidden flag that makes `run` and `verify` do the work themselves.
inline constexpr const char* kInProcessFlag = "--in-process";

// `words`: a verb and its arguments. Returns the child's report and its error; throws RunCrashed, Cancelled.
Outcome runGuarded(const std::vector<std::string>& words, std::stop_token stop);

}  // namespace exportdeck::cli
