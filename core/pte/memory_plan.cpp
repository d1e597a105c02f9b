#include <algorithm>

#include "pte/liveness.h"
#include "pte/placement.h"
#include "pte/storage.h"
#include "pte/tensor_bounds.h"
#include "pte/writer.h"

namespace exportdeck::pte {

namespace {

// Where so many buffers are live at once that comparing each with all its neighbours would take seconds, the quick way
// alone is taken.
constexpr uint64_t kMostPairs = 4'000'000;

}  // namespace

MemoryPlan planMemory(const ir::Graph& graph, const WriteOptions& options) {
  check(options.alignment > 0, "the alignment of planned memory is a positive number");
  const Storage storage(graph, options);
  MemoryPlan plan;
  plan.buffers = liveBuffers(graph, storage, options);
  plan.lowerBound = peakBytes(plan.buffers);
  plan.arenaBytes = placeInTime(plan.buffers);
  if (plan.arenaBytes > plan.lowerBound && overlappingPairs(plan.buffers) <= kMostPairs) {
    auto bySize = plan.buffers;
    if (const uint64_t arena = placeBySize(bySize); arena < plan.arenaBytes) {
      plan.buffers = std::move(bySize);
      plan.arenaBytes = arena;
    }
  }
  // Tensors without elements need an arena to lie in, too.
  if (!plan.buffers.empty()) plan.arenaBytes = std::max<uint64_t>(plan.arenaBytes, options.alignment);
  if (storage.callsBackend("XnnpackBackend")) plan.arenaBytes += kXnnpackOverRead;
  return plan;
}

}  // namespace exportdeck::pte
