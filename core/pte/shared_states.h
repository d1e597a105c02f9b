// States that several methods of a program keep in common.
#pragma once

#include <vector>

#include "pte/writer.h"

namespace exportdeck::pte {

// Adds the states of each method to its plan (parallel to `methods`): in memory 2, at the same offset wherever the name
// is the same. Throws MutationUnsupported where states of one name differ in type or in what they begin with.
void planSharedStates(const std::vector<const ir::Graph*>& methods, const WriteOptions& options,
                      std::vector<MemoryPlan>& plans);

}  // namespace exportdeck::pte
