// Updates of states without a copy: what a state becomes is computed where the state lies.
#pragma once

#include <vector>

#include "ir/graph.h"
#include "ops/runtime_profile.h"

namespace exportdeck::passes {

// Takes out of `updates` those that need no copy at the end. A chain of index_put on a state becomes one of index_put_;
// other values that can be computed right into a state's memory are left as Graph::updates(), which is what those mean
// to the writer of programs. Only where nothing reads what is overwritten from then on: the nodes must be in their last
// order. `runtime` as in PassContext.
void writeInPlace(ir::Graph& graph, std::vector<ir::Update>& updates, const ops::RuntimeProfile* runtime);

// The value whose bytes these are: views cost nothing.
ir::Value* memoryOf(ir::Value* value);

}  // namespace exportdeck::passes
