// Constants in a file of their own beside the program: a .ptd, which the program finds its tensors in by name.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/sink.h"
#include "ir/graph.h"
#include "pte/content_set.h"

namespace exportdeck::pte {

// Where a constant is smaller than this, its name and layout cost more than its bytes.
inline constexpr uint64_t kSmallestExternal = 256;

// Format: executorch 1.5.1, extension/flat_tensor/serialize/{flat_tensor.fbs,flat_tensor_header.h}.
class ExternalData {
 public:
  // The key under which a tensor of this type finds the content, which `source` has. The runtime compares layouts, so a
  // view of other sizes has a key of its own for the same bytes. `wanted` is the key unless other data have it: then a
  // number is added.
  std::string addTensor(const std::string& wanted, size_t content, const SourcePtr& source, const ir::TensorType& type);
  // Data that a backend asks for by exactly this key; equal keys are added once.
  void addData(const std::string& key, size_t content, const SourcePtr& source);
  bool empty() const { return entries_.empty(); }
  uint64_t dataBytes() const;  // each content once

  // The bytes of the whole file are known, and written, by these two; `alignment` is that of each segment in the file.
  uint64_t prepare(uint32_t alignment);
  void write(Sink& out, const Context& context, uint64_t writtenBefore, uint64_t total) const;

 private:
  struct Entry {
    std::string key;
    uint32_t segment = 0;
    bool isTensor = false;
    ir::DType dtype{};
    std::vector<int32_t> sizes;
  };
  struct Place {
    uint64_t offset = 0;
    SourcePtr source;
  };
  uint32_t segmentOf(size_t content, const SourcePtr& source);

  std::vector<Entry> entries_;
  std::vector<Place> segments_;
  std::unordered_map<size_t, uint32_t> segmentOfContent_;
  std::unordered_map<std::string, size_t> entryOfKey_;
  Bytes head_;  // header and FlatBuffer
  uint64_t base_ = 0, total_ = 0;
};

}  // namespace exportdeck::pte
