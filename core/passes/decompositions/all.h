// The list of decompositions; see all.cpp for where to add one.
#pragma once

namespace exportdeck::passes {
class DecompositionRegistry;
}

namespace exportdeck::passes::decompositions {
void registerAll(DecompositionRegistry& registry);
}
