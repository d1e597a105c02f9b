#include "pt2/strided_bytes.h"

#include <algorithm>
#include <cstring>

#include "base/diagnostic.h"

namespace exportdeck::pt2 {

namespace {

constexpr size_t kPiece = 1u << 20;

class GatheredBytes : public ByteSource {
 public:
  GatheredBytes(std::shared_ptr<const ByteSource> record, StridedView view)
      : record_(std::move(record)), view_(std::move(view)) {}
  uint64_t size() const override { return view_.bytes(); }
  void produce(const ByteConsumer& consume) const override;

 private:
  // The view with dimensions of size 1 left out and neighbours merged where they lie in one run.
  std::vector<std::pair<int64_t, int64_t>> runs() const;

  std::shared_ptr<const ByteSource> record_;
  StridedView view_;
};

std::vector<std::pair<int64_t, int64_t>> GatheredBytes::runs() const {
  std::vector<std::pair<int64_t, int64_t>> dims;  // size, stride
  for (size_t i = 0; i < view_.sizes.size(); ++i) {
    const int64_t size = view_.sizes[i], stride = view_.strides[i];
    if (size == 1) continue;
    if (!dims.empty() && dims.back().second == stride * size) {
      dims.back() = {dims.back().first * size, stride};
    } else {
      dims.emplace_back(size, stride);
    }
  }
  return dims;
}

void GatheredBytes::produce(const ByteConsumer& consume) const {
  if (view_.isEmpty()) return;
  const uint64_t element = view_.elementSize;
  const uint64_t start = static_cast<uint64_t>(view_.offset) * element;
  const Bytes source = readPart(*record_, start, *view_.extent() - start);

  auto dims = runs();
  // What lies together is copied together: the innermost run of stride 1, else single elements.
  uint64_t run = element;
  if (!dims.empty() && dims.back().second == 1) {
    run *= static_cast<uint64_t>(dims.back().first);
    dims.pop_back();
  }
  Bytes piece;
  piece.reserve(kPiece);
  const auto flush = [&] {
    if (!piece.empty()) consume(piece);
    piece.clear();
  };
  std::vector<int64_t> index(dims.size(), 0);
  int64_t at = 0;
  for (bool more = true; more;) {
    const std::span<const std::byte> from = std::span(source).subspan(static_cast<uint64_t>(at) * element, run);
    if (piece.size() + run > kPiece) flush();
    if (run > kPiece) {
      consume(from);
    } else {
      piece.insert(piece.end(), from.begin(), from.end());
    }
    more = false;
    for (size_t d = dims.size(); d-- > 0 && !more;) {
      at += dims[d].second;
      more = ++index[d] < dims[d].first;
      if (!more) {
        at -= dims[d].second * index[d];
        index[d] = 0;
      }
    }
  }
  flush();
}

}  // namespace

bool StridedView::isEmpty() const {
  return std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
}

bool StridedView::isRowMajor() const {
  if (isEmpty()) return true;
  int64_t expected = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 1) continue;
    if (strides[i] != expected) return false;
    expected *= sizes[i];
  }
  return true;
}

uint64_t StridedView::bytes() const {
  uint64_t count = elementSize;
  for (const int64_t size : sizes) count *= static_cast<uint64_t>(size);
  return count;
}

std::optional<uint64_t> StridedView::extent() const {
  if (offset < 0) return std::nullopt;
  if (isEmpty()) return 0;
  int64_t last = offset;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t step = 0;
    if (strides[i] < 0 || __builtin_mul_overflow(sizes[i] - 1, strides[i], &step) ||
        __builtin_add_overflow(last, step, &last))
      return std::nullopt;
  }
  uint64_t end = 0;
  if (__builtin_mul_overflow(static_cast<uint64_t>(last) + 1, elementSize, &end)) return std::nullopt;
  return end;
}

std::shared_ptr<const ByteSource> gathered(std::shared_ptr<const ByteSource> record, StridedView view) {
  return std::make_shared<GatheredBytes>(std::move(record), std::move(view));
}

Bytes readPart(const ByteSource& source, uint64_t offset, uint64_t size) {
  Bytes part(size);
  if (const auto range = source.fileRange()) {
    check(offset <= range->size && size <= range->size - offset, "a part past the end of a record");
    range->file->read(range->offset + offset, part);
    return part;
  }
  struct Enough {};
  uint64_t position = 0;
  try {
    source.produce([&](std::span<const std::byte> piece) {
      const uint64_t begin = std::max(position, offset), end = std::min(position + piece.size(), offset + size);
      if (begin < end) std::memcpy(part.data() + (begin - offset), piece.data() + (begin - position), end - begin);
      position += piece.size();
      if (position >= offset + size) throw Enough{};
    });
  } catch (const Enough&) {
  }
  check(position >= offset + size, "a part past the end of a record");
  return part;
}

}  // namespace exportdeck::pt2
