// Products that several decompositions need.
#pragma once

#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

// a [batch, m, k] by b [batch, k, n]; one batch entry makes a plain matrix product, which a backend can take with fixed
// weights.
Value* batchedProduct(Builder& build, Value* a, Value* b);

// torch.matmul for operands of any rank from 1, with broadcast leading dimensions.
Value* matmul(Builder& build, Value* a, Value* b);

}  // namespace exportdeck::passes::decompositions
