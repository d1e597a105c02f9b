#include "runtime/layout.h"

#include <algorithm>
#include <cstring>

namespace exportdeck::runtime {

namespace {

// Calls use(row-major index, index in the other layout) for each element.
template <typename Use>
void forEachElement(const std::vector<int64_t>& sizes, const std::vector<uint8_t>& order, Use use) {
  std::vector<size_t> stride(sizes.size(), 1);
  for (size_t k = sizes.size(); k-- > 1;)
    stride[order[k - 1]] = stride[order[k]] * static_cast<size_t>(sizes[order[k]]);
  size_t count = 1;
  for (const int64_t size : sizes) count *= static_cast<size_t>(size);
  std::vector<int64_t> index(sizes.size(), 0);
  size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    use(i, at);
    for (size_t d = sizes.size(); d-- > 0;) {
      at += stride[d];
      if (++index[d] < sizes[d]) break;
      at -= stride[d] * static_cast<size_t>(sizes[d]);
      index[d] = 0;
    }
  }
}

}  // namespace

Bytes fromRowMajor(std::span<const std::byte> rowMajor, const std::vector<int64_t>& sizes,
                   const std::vector<uint8_t>& order, size_t elementSize) {
  if (std::is_sorted(order.begin(), order.end())) return {rowMajor.begin(), rowMajor.end()};
  Bytes laid(rowMajor.size());
  forEachElement(sizes, order, [&](size_t plain, size_t at) {
    std::memcpy(laid.data() + at * elementSize, rowMajor.data() + plain * elementSize, elementSize);
  });
  return laid;
}

Bytes toRowMajor(std::span<const std::byte> laid, const std::vector<int64_t>& sizes, const std::vector<uint8_t>& order,
                 size_t elementSize) {
  if (std::is_sorted(order.begin(), order.end())) return {laid.begin(), laid.end()};
  Bytes rowMajor(laid.size());
  forEachElement(sizes, order, [&](size_t plain, size_t at) {
    std::memcpy(rowMajor.data() + plain * elementSize, laid.data() + at * elementSize, elementSize);
  });
  return rowMajor;
}

}  // namespace exportdeck::runtime
