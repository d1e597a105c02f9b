#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <queue>
#include <set>

#include "pte/placement.h"

namespace exportdeck::pte {

namespace {

// Free blocks of an arena that grows at its end; neighbours are joined.
class FreeList {
 public:
  uint64_t allocate(uint64_t size) {
    const auto fit = bySize_.lower_bound({size, 0});
    if (fit != bySize_.end()) {
      const auto [blockSize, offset] = *fit;
      remove(byOffset_.find(offset));
      if (blockSize > size) insert(offset + size, blockSize - size);
      return offset;
    }
    uint64_t offset = end_;
    if (!byOffset_.empty()) {
      const auto last = std::prev(byOffset_.end());
      if (last->first + last->second == end_) {
        offset = last->first;
        remove(last);
      }
    }
    end_ = offset + size;
    return offset;
  }

  void release(uint64_t offset, uint64_t size) {
    if (size == 0) return;
    auto next = byOffset_.lower_bound(offset);
    if (next != byOffset_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == offset) {
        offset = before->first;
        size += before->second;
        remove(before);
      }
    }
    if (next != byOffset_.end() && offset + size == next->first) {
      size += next->second;
      remove(next);
    }
    insert(offset, size);
  }

  uint64_t end() const { return end_; }

 private:
  void insert(uint64_t offset, uint64_t size) {
    byOffset_.emplace(offset, size);
    bySize_.emplace(size, offset);
  }
  void remove(std::map<uint64_t, uint64_t>::iterator block) {
    bySize_.erase({block->second, block->first});
    byOffset_.erase(block);
  }

  std::map<uint64_t, uint64_t> byOffset_;
  std::set<std::pair<uint64_t, uint64_t>> bySize_;
  uint64_t end_ = 0;
};

}  // namespace

uint64_t placeInTime(std::vector<PlannedBuffer>& buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (buffers[a].first != buffers[b].first) return buffers[a].first < buffers[b].first;
    return buffers[a].size > buffers[b].size;
  });
  const auto endsLater = [&](size_t a, size_t b) { return buffers[a].last > buffers[b].last; };
  std::priority_queue<size_t, std::vector<size_t>, decltype(endsLater)> live(endsLater);
  FreeList free;
  for (const size_t i : order) {
    for (; !live.empty() && buffers[live.top()].last < buffers[i].first; live.pop()) {
      free.release(buffers[live.top()].offset, buffers[live.top()].size);
    }
    buffers[i].offset = buffers[i].size == 0 ? 0 : free.allocate(buffers[i].size);
    live.push(i);
  }
  return free.end();
}

}  // namespace exportdeck::pte
