#include "passes/decompositions/all.h"

#include "passes/decomposition.h"

// One line a file of this folder: its function registerNAME(). Named here, so that the linker keeps the file.
#define EXPORTDECK_DECOMPOSITIONS(ADD) \
  ADD(Activations)                     \
  ADD(Affine)                          \
  ADD(Aliases)                         \
  ADD(Arithmetic)                      \
  ADD(Attention)                       \
  ADD(Casting)                         \
  ADD(Contraction)                     \
  ADD(Convolution)                     \
  ADD(Cumulative)                      \
  ADD(Experts)                         \
  ADD(Filling)                         \
  ADD(Indexing)                        \
  ADD(Joining)                         \
  ADD(Linear)                          \
  ADD(Losses)                          \
  ADD(Matmul)                          \
  ADD(Normalisation)                   \
  ADD(Ordering)                        \
  ADD(Padding)                         \
  ADD(Patches)                         \
  ADD(Permuting)                       \
  ADD(Pooling)                         \
  ADD(Recurrent)                       \
  ADD(Reducing)                        \
  ADD(Repeating)                       \
  ADD(Resampling)                      \
  ADD(Reshaping)                       \
  ADD(Selecting)                       \
  ADD(Signals)                         \
  ADD(Slicing)                         \
  ADD(Softmaxes)                       \
  ADD(Special)

namespace exportdeck::passes::decompositions {

#define EXPORTDECK_DECLARE(NAME) void register##NAME(DecompositionRegistry& registry);
EXPORTDECK_DECOMPOSITIONS(EXPORTDECK_DECLARE)
#undef EXPORTDECK_DECLARE

void registerAll(DecompositionRegistry& registry) {
#define EXPORTDECK_REGISTER(NAME) register##NAME(registry);
  EXPORTDECK_DECOMPOSITIONS(EXPORTDECK_REGISTER)
#undef EXPORTDECK_REGISTER
}

}  // namespace exportdeck::passes::decompositions
