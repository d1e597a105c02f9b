#include <algorithm>

#include "backends/backend.h"

namespace exportdeck::backends {

uint64_t Coverage::delegatedNodes() const {
  return static_cast<uint64_t>(
      std::count_if(nodes.begin(), nodes.end(), [](const NodeCoverage& node) { return node.delegated; }));
}

uint64_t Coverage::multiplyAdds() const {
  uint64_t sum = 0;
  for (const NodeCoverage& node : nodes) sum += node.multiplyAdds;
  return sum;
}

uint64_t Coverage::delegatedMultiplyAdds() const {
  uint64_t sum = 0;
  for (const NodeCoverage& node : nodes) sum += node.delegated ? node.multiplyAdds : 0;
  return sum;
}

}  // namespace exportdeck::backends
