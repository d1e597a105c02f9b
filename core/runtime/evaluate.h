// Running programs that the export wrote for itself, in memory and in this process.
#pragma once

#include <vector>

#include "base/bytes.h"

namespace exportdeck::runtime {

// Runs the method "forward" of a program without inputs; gives the dense, row-major bytes of each result. Throws
// VerifyLoadFailed where it does not load or run, or gives something other than tensors. One call at a time.
std::vector<Bytes> evaluate(Bytes program);

}  // namespace exportdeck::runtime
