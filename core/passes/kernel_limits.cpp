#include "passes/kernel_limits.h"

namespace exportdeck::passes {

std::string kernelLimit(const ir::Node&) { return {}; }

}  // namespace exportdeck::passes
