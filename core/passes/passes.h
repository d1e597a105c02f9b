// Every pass of the pipeline; passes/pipeline.cpp holds the order. Each lives in a file of its own, named after it.
#pragma once

#include "ir/graph.h"
#include "passes/pass.h"

namespace exportdeck::passes {

// --- lowering
// Drops views by strides that repeat how their operand lies in memory. The only pass that reads the strides of values
// inside the graph, so the first.
void dropRestriding(ir::Graph& graph, PassContext& context);
// In-place operators and views become functional ones; assertions go. Buffers that are written become states, and what
// they and written inputs hold at the end becomes their update.
void functionalise(ir::Graph& graph, PassContext& context);
// Drops operators that change nothing, and all that nothing reads.
void simplify(ir::Graph& graph, PassContext& context);
// Complex values become pairs of real ones, and Fourier transforms products with constant matrices (passes/complex/).
// Throws DtypeUnsupported for a program that takes, returns or keeps complex tensors.
void realParts(ir::Graph& graph, PassContext& context);
// Rewrites operators that neither a kernel nor the backend takes as simpler ones (passes/decompositions/).
void decompose(ir::Graph& graph, PassContext& context);
// The same but for operators of quantised programs that passes behind it look for.
void decomposeAllButQuantised(ir::Graph& graph, PassContext& context);
// Products with integers that are scaled afterwards become products with weights that know their integers, where a
// backend takes those.
void integerProducts(ir::Graph& graph, PassContext& context);
// Constants that are dequantised become constants of floats that know their integers, for operators that a backend
// takes with them.
void keepIntegers(ir::Graph& graph, PassContext& context);
// linear(dequantise(quantise(x, choose(x))), weight, bias) becomes exportdeck.dynamic_linear(x, weight, bias) where a
// backend takes that.
void fuseDynamic(ir::Graph& graph, PassContext& context);
// Weights of linear operators and embeddings become what PassContext::quantisation says; nothing without it.
void quantise(ir::Graph& graph, PassContext& context);
// Folds batch normalisation with known statistics into the convolution or linear operator before it.
void fuseBatchNorm(ir::Graph& graph, PassContext& context);
// Rewrites operators whose kernel the chosen runtime profile lacks as others that it has; nothing without a profile.
void replaceMissing(ir::Graph& graph, PassContext& context);
// Operands of mixed dtypes get explicit casts; Python numbers in tensor operands become constants of the promoted
// dtype.
void promoteTypes(ir::Graph& graph, PassContext& context);
// Operators on constants alone become constants, as far as the program does not grow by it; choices that are known go.
// Does nothing without PassContext::evaluator.
void foldConstants(ir::Graph& graph, PassContext& context);
// Operators that compute the same from the same become one. Not those of which two results are the program's.
void shareEqual(ir::Graph& graph, PassContext& context);
// Changes nothing: reports every operator, dtype and size for which no kernel and no backend exists, and throws if
// there is one.
void legalise(ir::Graph& graph, PassContext& context);

// --- finishing
// Updates become copies at the end of the program. Outputs that are a state's old contents are copied before.
void writeBack(ir::Graph& graph, PassContext& context);
// Each node outside the delegates becomes the kernel call that the .pte writer takes; see passes/kernel_call.h.
void toKernels(ir::Graph& graph, PassContext& context);

}  // namespace exportdeck::passes
