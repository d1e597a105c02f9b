// Weights that the archive stores as a view: read in row-major order.
#pragma once

#include <memory>
#include <optional>

#include "base/bytes.h"
#include "ir/type.h"

namespace exportdeck::pt2 {

// A strided view of a record: sizes and strides in elements of `elementSize` bytes, from element `offset`.
struct StridedView {
  uint64_t elementSize = 1;
  ir::Sizes sizes, strides;
  int64_t offset = 0;

  bool isEmpty() const;
  bool isRowMajor() const;  // the elements lie together, in order
  // Bytes of the record from its start that the view needs; nothing where a stride or offset is negative or the number
  // is too large to count.
  std::optional<uint64_t> extent() const;
  uint64_t bytes() const;  // of the dense result
};

// The view's elements, dense and row-major, gathered each time they are needed. The record must hold view.extent()
// bytes.
std::shared_ptr<const ByteSource> gathered(std::shared_ptr<const ByteSource> record, StridedView view);

// `size` bytes of a source from `offset`, without reading what follows.
Bytes readPart(const ByteSource& source, uint64_t offset, uint64_t size);

}  // namespace exportdeck::pt2
