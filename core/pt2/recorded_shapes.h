// Shapes that older releases of torch recorded wrongly.
#pragma once

#include <string>

#include "base/progress.h"
#include "ir/graph.h"

namespace exportdeck::pt2 {

// Up to torch 2.8 the final states of an LSTM are recorded as [layers, 1, batch, features], though eager code gives
// [layers, batch, features]. Sets the right types of these states and of what is computed from them, through the common
// operators; a graph without that fault is left alone. Sizes that the model's code read from a state are numbers in the
// program and stay: a reshape of a state is warned of. `torch` is the release that wrote the program, for messages.
// Throws ShapeUnsupported at an operator whose result cannot be told here.
void correctRecordedShapes(ir::Graph& graph, const std::string& torch, const Context& context);

}  // namespace exportdeck::pt2
