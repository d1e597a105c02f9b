// Kernel calls on 16-bit floating types that no kernel computes, or none precisely enough, done in 32 bits as PyTorch
// does inside.
#pragma once

#include "ir/graph.h"
#include "passes/build.h"

namespace exportdeck::passes {

// Where the kernel does not take the call (see ops/kernel_types.h) but would take it in float32: casts the operands
// before and the results after it, before `next` (null: at the end), with kernel calls. Constants are cast at export.
// Else does nothing.
void widenHalf(ir::Node& call, ir::Node* next, ConstantPool& pool);

}  // namespace exportdeck::passes
