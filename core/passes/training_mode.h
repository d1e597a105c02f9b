// Programs exported in training mode are refused.
#pragma once

#include "ir/graph.h"

namespace exportdeck::passes {

// Throws TrainingMode for an operator that behaves as in training: dropout, batch norm that updates its statistics.
void refuseTrainingMode(const ir::Node& node);

}  // namespace exportdeck::passes
