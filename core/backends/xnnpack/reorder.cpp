#include "backends/xnnpack/reorder.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/diagnostic.h"

namespace exportdeck::backends::xnnpack {

namespace {

struct Shape {
  ir::Sizes sizes, order;
};

// The same reordering with as few dimensions as can be: those of size 1 go, and those that stay side by side become
// one.
Shape collapsed(const ir::Sizes& sizes, const ir::Sizes& order) {
  ir::Sizes kept;
  for (const int64_t dim : order) {
    if (sizes[static_cast<size_t>(dim)] != 1) kept.push_back(dim);
  }
  // Runs of input dimensions that follow each other in the output (dimensions of size 1 between them do not count).
  const auto follows = [&](int64_t dim, int64_t next) {
    if (next <= dim) return false;
    return std::all_of(sizes.begin() + dim + 1, sizes.begin() + next, [](int64_t size) { return size == 1; });
  };
  std::vector<ir::Sizes> runs;
  for (const int64_t dim : kept) {
    if (!runs.empty() && follows(runs.back().back(), dim)) {
      runs.back().push_back(dim);
    } else {
      runs.push_back({dim});
    }
  }
  std::vector<ir::Sizes> inInputOrder = runs;
  std::sort(inInputOrder.begin(), inInputOrder.end());
  Shape shape;
  for (const ir::Sizes& run : inInputOrder) {
    int64_t size = 1;
    for (const int64_t dim : run) size *= sizes[static_cast<size_t>(dim)];
    shape.sizes.push_back(size);
  }
  for (const ir::Sizes& run : runs) {
    shape.order.push_back(std::lower_bound(inInputOrder.begin(), inInputOrder.end(), run) - inInputOrder.begin());
  }
  return shape;
}

// Tiles keep both sides in the cache.
template <typename T>
void transpose(const T* in, T* out, size_t rows, size_t columns) {
  constexpr size_t kTile = 32;
  for (size_t r0 = 0; r0 < rows; r0 += kTile) {
    const size_t r1 = std::min(rows, r0 + kTile);
    for (size_t c0 = 0; c0 < columns; c0 += kTile) {
      const size_t c1 = std::min(columns, c0 + kTile);
      for (size_t c = c0; c < c1; ++c) {
        for (size_t r = r0; r < r1; ++r) out[c * rows + r] = in[r * columns + c];
      }
    }
  }
}

template <typename T>
void reorder(const std::byte* inBytes, std::byte* outBytes, const Shape& shape) {
  const auto* in = reinterpret_cast<const T*>(inBytes);
  auto* out = reinterpret_cast<T*>(outBytes);
  const size_t rank = shape.order.size();
  if (rank == 2) return transpose(in, out, static_cast<size_t>(shape.sizes[0]), static_cast<size_t>(shape.sizes[1]));
  const ir::Sizes strides = ir::rowMajorStrides(shape.sizes);
  ir::Sizes outSizes(rank), steps(rank), index(rank, 0);
  int64_t count = 1;
  for (size_t i = 0; i < rank; ++i) {
    outSizes[i] = shape.sizes[static_cast<size_t>(shape.order[i])];
    steps[i] = strides[static_cast<size_t>(shape.order[i])];
    count *= outSizes[i];
  }
  int64_t from = 0;
  for (int64_t done = 0; done < count; ++done) {
    *out++ = in[from];
    for (size_t d = rank; d-- > 0;) {
      from += steps[d];
      if (++index[d] < outSizes[d]) break;
      from -= steps[d] * outSizes[d];
      index[d] = 0;
    }
  }
}

}  // namespace

void reorderElements(const std::byte* in, std::byte* out, const ir::Sizes& sizes, const ir::Sizes& order,
                     size_t elementSize) {
  const Shape shape = collapsed(sizes, order);
  if (shape.order.size() < 2) {
    size_t bytes = elementSize;
    for (const int64_t size : sizes) bytes *= static_cast<size_t>(size);
    std::memcpy(out, in, bytes);
    return;
  }
  switch (elementSize) {
    case 1:
      return reorder<uint8_t>(in, out, shape);
    case 2:
      return reorder<uint16_t>(in, out, shape);
    case 4:
      return reorder<uint32_t>(in, out, shape);
    case 8:
      return reorder<uint64_t>(in, out, shape);
    default:
      check(false, "elements of this size cannot be reordered");
  }
}

}  // namespace exportdeck::backends::xnnpack
