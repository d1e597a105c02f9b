// Operands that are quantised while the program runs.
#pragma once

#include "ir/graph.h"

namespace exportdeck::passes {

// What torchao.quantize_affine quantises, where that is float32, to 8 bits, with a scale for each row of the last
// dimension that torchao.choose_qparams_affine chose for it; null elsewhere.
ir::Value* quantisedByRow(const ir::Node& quantise);

}  // namespace exportdeck::passes
