// Kernels of the quantized library that read a weight as integers.
#pragma once

#include "passes/build.h"
#include "passes/pass.h"

namespace exportdeck::passes {

// What aten.embedding of `table`, a constant that knows its integers, gives at `node`, by the kernel that reads them.
// Null where the runtime lacks that kernel, or it does not take integers of this kind.
ir::Value* embeddingOnIntegers(Builder& build, const ir::Node& node, const ir::Constant& table,
                               const PassContext& context);

// The name of the operator of that kernel.
const char* embeddingOperator(int bits);

// x · weightᵀ + bias, of the type `result`, by the kernel that reads the weight's integers (a constant that knows them;
// bias may be null). Null as above.
ir::Value* linearOnIntegers(Builder& build, ir::Value* x, const ir::Constant& weight, ir::Value* bias,
                            const ir::TensorType& result, const PassContext& context);

inline constexpr const char* kLinearOnIntegers = "quantized_decomposed.mixed_linear.default";

}  // namespace exportdeck::passes
