#include "backends/grouping.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "base/diagnostic.h"

namespace exportdeck::backends {

namespace {

// Renumbers labels (any ints, kNoPartition kept) to 0, 1, 2… in ascending order.
std::vector<int> withoutGaps(std::vector<int> labels) {
  std::vector<int> used;
  for (const int label : labels) {
    if (label != kNoPartition) used.push_back(label);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (int& label : labels) {
    if (label != kNoPartition)
      label = static_cast<int>(std::lower_bound(used.begin(), used.end(), label) - used.begin());
  }
  return labels;
}

}  // namespace

std::vector<int> groupByLevel(const Dataflow& flow, const std::vector<bool>& taken) {
  // level[i] of a refused node: the highest level of a taken node that it depends on, -1 for none.
  std::vector<int> level(flow.size(), -1);
  std::vector<int> partition(flow.size(), kNoPartition);
  for (size_t i = 0; i < flow.size(); ++i) {
    for (const int operand : flow.operands[i]) {
      const auto o = static_cast<size_t>(operand);
      const bool comesBack = taken[i] && !taken[o];
      level[i] = std::max(level[i], level[o] + (comesBack ? 1 : 0));
    }
    if (taken[i]) {
      level[i] = std::max(level[i], 0);
      partition[i] = level[i];
    }
  }
  return withoutGaps(std::move(partition));
}

std::vector<int> connectedPieces(const Dataflow& flow, const std::vector<int>& partition) {
  std::vector<int> parent(flow.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](int i) {
    while (parent[static_cast<size_t>(i)] != i) {
      int& up = parent[static_cast<size_t>(i)];
      up = parent[static_cast<size_t>(up)];
      i = up;
    }
    return i;
  };
  for (size_t i = 0; i < flow.size(); ++i) {
    if (partition[i] == kNoPartition) continue;
    for (const int operand : flow.operands[i]) {
      if (partition[static_cast<size_t>(operand)] == partition[i]) {
        parent[static_cast<size_t>(root(static_cast<int>(i)))] = root(operand);
      }
    }
  }
  std::vector<int> pieces(flow.size(), kNoPartition);
  for (size_t i = 0; i < flow.size(); ++i) {
    if (partition[i] != kNoPartition) pieces[i] = root(static_cast<int>(i));
  }
  return withoutGaps(std::move(pieces));
}

std::vector<int> scheduleUnits(const Dataflow& flow, const std::vector<int>& partition) {
  const int count = static_cast<int>(flow.size());
  const int partitions = flow.size() == 0 ? 0 : *std::max_element(partition.begin(), partition.end()) + 1;
  const auto units = static_cast<size_t>(count + partitions);
  const auto unitOf = [&](int node) {
    const int p = partition[static_cast<size_t>(node)];
    return static_cast<size_t>(p == kNoPartition ? node : count + p);
  };

  std::vector<std::vector<size_t>> readers(units);
  std::vector<int> waitingFor(units, 0);
  std::vector<int> place(units, count);  // of its first node, in the original order
  for (int node = 0; node < count; ++node) {
    const size_t unit = unitOf(node);
    place[unit] = std::min(place[unit], node);
    for (const int operand : flow.operands[static_cast<size_t>(node)]) {
      if (unitOf(operand) == unit) continue;
      readers[unitOf(operand)].push_back(unit);
      ++waitingFor[unit];
    }
  }

  std::priority_queue<std::pair<int, size_t>, std::vector<std::pair<int, size_t>>, std::greater<>> ready;
  size_t existing = 0;
  for (size_t unit = 0; unit < units; ++unit) {
    if (place[unit] == count) continue;
    ++existing;
    if (waitingFor[unit] == 0) ready.emplace(place[unit], unit);
  }
  std::vector<int> order;
  order.reserve(existing);
  while (!ready.empty()) {
    const size_t unit = ready.top().second;
    ready.pop();
    order.push_back(static_cast<int>(unit));
    for (const size_t reader : readers[unit]) {
      if (--waitingFor[reader] == 0) ready.emplace(place[reader], reader);
    }
  }
  check(order.size() == existing, "a partition waits for itself");
  return order;
}

}  // namespace exportdeck::backends
