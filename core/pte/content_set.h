// Byte sources sorted by what they hold, reading no more of them than it takes to tell them apart.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"

namespace exportdeck::pte {

using SourcePtr = std::shared_ptr<const ByteSource>;

class ContentSet {
 public:
  // A number for the content, counted from 0; sources of equal bytes get equal numbers. A source is read only where
  // another of its size is there: first its beginning, then, where that is equal too, all of it.
  size_t add(const SourcePtr& source);
  // The same, but a source that cannot be read from a file or memory and would have to be computed is not compared: it
  // gets a number of its own.
  size_t addUncomputed(const SourcePtr& source);
  // One source for each number.
  const std::vector<SourcePtr>& distinct() const { return distinct_; }

 private:
  struct Slot {
    size_t content;
    bool shared;  // several contents agree in what was looked at: look further
  };
  size_t find(const SourcePtr& source);
  size_t keep(const SourcePtr& source, size_t content);

  std::vector<SourcePtr> distinct_;
  std::unordered_map<const ByteSource*, size_t> bySource_;
  std::map<std::tuple<const InputFile*, uint64_t, uint64_t>, size_t> byRange_;
  std::unordered_map<std::string, Slot> slots_;
  std::vector<SourcePtr> kept_;  // so that no address in bySource_ is used again
};

}  // namespace exportdeck::pte
