#include "pte/content_set.h"

#include <algorithm>

#include "base/text.h"

namespace exportdeck::pte {

namespace {

constexpr uint64_t kBeginning = 4096;
constexpr uint64_t kCheap = 64u << 10;  // computing so few bytes twice costs nothing

enum Depth { Size, Beginning, Everything };

// What is compared at each depth; the depth itself is part of the text.
std::string key(const ByteSource& source, Depth depth) {
  if (depth == Size) return concat("size ", source.size());
  const auto range = source.fileRange();
  // Bytes that are not in a file have no cheap beginning: a recipe makes all of them at once.
  if (depth == Everything || !range) return concat(static_cast<int>(depth), ' ', source.size(), ' ', source.hash());
  const Bytes beginning = bytesInFile({range->file, range->offset, std::min(range->size, kBeginning)})->materialise();
  return concat("1 ", source.size(), ' ', bytesInMemory(beginning)->hash());
}

}  // namespace

size_t ContentSet::add(const SourcePtr& source) {
  if (const auto known = bySource_.find(source.get()); known != bySource_.end()) return known->second;
  size_t content = 0;
  if (const auto range = source->fileRange()) {
    const auto place = std::make_tuple(range->file.get(), range->offset, range->size);
    const auto known = byRange_.find(place);
    content = known != byRange_.end() ? known->second : find(source);
    byRange_.emplace(place, content);
  } else {
    content = find(source);
  }
  return keep(source, content);
}

size_t ContentSet::addUncomputed(const SourcePtr& source) {
  if (source->fileRange() || source->size() <= kCheap || bySource_.contains(source.get())) return add(source);
  distinct_.push_back(source);
  return keep(source, distinct_.size() - 1);
}

size_t ContentSet::keep(const SourcePtr& source, size_t content) {
  kept_.push_back(source);
  bySource_.emplace(source.get(), content);
  return content;
}

size_t ContentSet::find(const SourcePtr& source) {
  for (const Depth depth : {Size, Beginning, Everything}) {
    const auto [slot, isNew] = slots_.emplace(key(*source, depth), Slot{distinct_.size(), false});
    if (isNew) break;
    if (depth == Everything) return slot->second.content;
    if (!slot->second.shared) {
      // The content that was alone here is now told apart one step deeper.
      slot->second.shared = true;
      const size_t alone = slot->second.content;
      slots_.emplace(key(*distinct_[alone], static_cast<Depth>(depth + 1)), Slot{alone, false});
    }
  }
  distinct_.push_back(source);
  return distinct_.size() - 1;
}

}  // namespace exportdeck::pte
