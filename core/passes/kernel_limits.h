// What single kernels of ExecuTorch 1.5.1 do not take although their element types fit.
#pragma once

#include <string>

#include "ir/graph.h"

namespace exportdeck::passes {

// The limit that this kernel call passes, as a clause ("it has 3 spatial dimensions"); empty where none is known.
std::string kernelLimit(const ir::Node& call);

}  // namespace exportdeck::passes
