#include <algorithm>
#include <limits>
#include <numeric>

#include "pte/placement.h"

namespace exportdeck::pte {

namespace {

// Finds the placed buffers that are live during a span of instructions: a tree of maxima over the buffers in order of
// their first instruction. Only sub-trees that hold an answer are visited.
class PlacedTree {
 public:
  explicit PlacedTree(const std::vector<PlannedBuffer>& buffers)
      : buffers_(buffers), order_(buffers.size()), rank_(buffers.size()) {
    std::iota(order_.begin(), order_.end(), size_t{0});
    std::sort(order_.begin(), order_.end(), [&](size_t a, size_t b) { return buffers[a].first < buffers[b].first; });
    for (size_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
    while (leaves_ < order_.size()) leaves_ *= 2;
    last_.assign(2 * leaves_, kNone);
  }

  void add(size_t buffer) {
    for (size_t node = leaves_ + rank_[buffer]; node > 0; node /= 2)
      last_[node] = std::max(last_[node], buffers_[buffer].last);
  }

  // Calls visit(buffer) for each placed buffer live at some instruction of [first, last].
  template <typename Visit>
  void visitLive(int first, int last, const Visit& visit) const {
    const auto end =
        std::partition_point(order_.begin(), order_.end(), [&](size_t i) { return buffers_[i].first <= last; });
    descend(1, 0, leaves_, static_cast<size_t>(end - order_.begin()), first, visit);
  }

 private:
  static constexpr int kNone = std::numeric_limits<int>::min();

  template <typename Visit>
  void descend(size_t node, size_t begin, size_t end, size_t limit, int first, const Visit& visit) const {
    if (begin >= limit || last_[node] == kNone || last_[node] < first) return;
    if (end - begin == 1) return visit(order_[begin]);
    const size_t middle = begin + (end - begin) / 2;
    descend(2 * node, begin, middle, limit, first, visit);
    descend(2 * node + 1, middle, end, limit, first, visit);
  }

  const std::vector<PlannedBuffer>& buffers_;
  std::vector<size_t> order_, rank_;
  size_t leaves_ = 1;
  std::vector<int> last_;
};

struct Room {
  uint64_t begin, end;
};

// The start of the smallest gap of at least `size` bytes between the taken rooms, else the end of the last.
uint64_t bestGap(std::vector<Room>& taken, uint64_t size) {
  std::sort(taken.begin(), taken.end(), [](const Room& a, const Room& b) { return a.begin < b.begin; });
  uint64_t best = 0, bestSize = std::numeric_limits<uint64_t>::max(), free = 0;
  for (const Room& room : taken) {
    if (room.begin > free && room.begin - free >= size && room.begin - free < bestSize) {
      best = free;
      bestSize = room.begin - free;
    }
    free = std::max(free, room.end);
  }
  return bestSize == std::numeric_limits<uint64_t>::max() ? free : best;
}

}  // namespace

uint64_t overlappingPairs(const std::vector<PlannedBuffer>& buffers) {
  std::vector<int> lasts;
  std::vector<int> firsts;
  for (const PlannedBuffer& buffer : buffers) {
    firsts.push_back(buffer.first);
    lasts.push_back(buffer.last);
  }
  std::sort(firsts.begin(), firsts.end());
  std::sort(lasts.begin(), lasts.end());
  // In order of their beginning, each pairs with those that began before it and have not ended.
  uint64_t pairs = 0;
  size_t ended = 0;
  for (size_t begun = 0; begun < firsts.size(); ++begun) {
    while (lasts[ended] < firsts[begun]) ++ended;
    pairs += begun - ended;
  }
  return pairs;
}

uint64_t placeBySize(std::vector<PlannedBuffer>& buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // Among equals the longest-lived first; then in order of definition, so that equal graphs give equal plans.
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (buffers[a].size != buffers[b].size) return buffers[a].size > buffers[b].size;
    return buffers[a].last - buffers[a].first > buffers[b].last - buffers[b].first;
  });
  PlacedTree placed(buffers);
  std::vector<Room> taken;
  uint64_t arena = 0;
  for (const size_t i : order) {
    PlannedBuffer& buffer = buffers[i];
    taken.clear();
    placed.visitLive(buffer.first, buffer.last, [&](size_t other) {
      taken.push_back({buffers[other].offset, buffers[other].offset + buffers[other].size});
    });
    buffer.offset = bestGap(taken, buffer.size);
    arena = std::max(arena, buffer.offset + buffer.size);
    placed.add(i);
  }
  return arena;
}

}  // namespace exportdeck::pte
