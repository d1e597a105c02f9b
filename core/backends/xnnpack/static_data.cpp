#include "backends/xnnpack/static_data.h"

#include <numeric>

#include "backends/xnnpack/convert.h"
#include "backends/xnnpack/reorder.h"
#include "base/text.h"

namespace exportdeck::backends::xnnpack {

namespace {

// True where reordering leaves the bytes as they are: dimensions longer than one keep their sequence.
bool keepsSequence(const ir::Sizes& viewed, const ir::Sizes& order) {
  int64_t last = -1;
  for (const int64_t dim : order) {
    if (viewed[static_cast<size_t>(dim)] == 1) continue;
    if (dim < last) return false;
    last = dim;
  }
  return true;
}

int64_t product(const ir::Sizes& sizes, size_t from = 0) {
  return std::accumulate(sizes.begin() + static_cast<std::ptrdiff_t>(from), sizes.end(), int64_t{1},
                         std::multiplies<>());
}

// The recipe for reordered and converted constants.
class ReorderedBytes : public ByteSource {
 public:
  ReorderedBytes(std::shared_ptr<const ByteSource> source, ir::DType from, const StaticForm& form)
      : source_(std::move(source)), from_(from), to_(form.dtype) {
    size_t leading = 0;
    if (keepsSequence(form.viewed, form.order)) {
      // Converted only: any piece of the stream can be worked on by itself.
      blockSizes_ = {1};
      blockOrder_ = {0};
      blockElements_ = 1;
    } else {
      while (form.order[leading] == static_cast<int64_t>(leading)) ++leading;
      for (size_t i = leading; i < form.viewed.size(); ++i) {
        blockSizes_.push_back(form.viewed[i]);
        blockOrder_.push_back(form.order[i] - static_cast<int64_t>(leading));
      }
      blockElements_ = product(blockSizes_);
    }
    elements_ = product(form.viewed);
  }

  uint64_t size() const override { return static_cast<uint64_t>(elements_) * ir::sizeOf(to_); }

  void produce(const ByteConsumer& consume) const override {
    const size_t block = static_cast<size_t>(blockElements_) * ir::sizeOf(from_);
    const size_t batch = std::max<size_t>(1, kBatchBytes / block) * block;
    Bytes pending;
    pending.reserve(batch);
    source_->produce([&](std::span<const std::byte> piece) {
      while (!piece.empty()) {
        const size_t take = std::min(batch - pending.size(), piece.size());
        pending.insert(pending.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(take));
        piece = piece.subspan(take);
        if (pending.size() == batch) {
          flush(pending, consume);
          pending.clear();
        }
      }
    });
    if (!pending.empty()) flush(pending, consume);
  }

 private:
  static constexpr size_t kBatchBytes = size_t{1} << 20;

  void flush(const Bytes& pending, const ByteConsumer& consume) const {
    const size_t elementSize = ir::sizeOf(from_);
    const size_t block = static_cast<size_t>(blockElements_) * elementSize;
    check(pending.size() % block == 0, "a constant's bytes do not match its shape");
    const std::byte* ordered = pending.data();
    Bytes moved;
    if (blockElements_ > 1) {
      moved.resize(pending.size());
      for (size_t at = 0; at < pending.size(); at += block) {
        reorderElements(pending.data() + at, moved.data() + at, blockSizes_, blockOrder_, elementSize);
      }
      ordered = moved.data();
    }
    const std::span<const std::byte> bytes(ordered, pending.size());
    if (from_ == to_) {
      consume(bytes);
      return;
    }
    consume(convertElements(bytes, from_, to_));
  }

  std::shared_ptr<const ByteSource> source_;
  ir::DType from_, to_;
  ir::Sizes blockSizes_, blockOrder_;
  int64_t blockElements_ = 1, elements_ = 0;
};

}  // namespace

StaticForm StaticForm::plain(const ir::Sizes& sizes, ir::DType dtype, std::string role) {
  ir::Sizes order(sizes.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  return {sizes, std::move(order), dtype, sizes, std::move(role)};
}

std::shared_ptr<const ByteSource> bytesInForm(const ir::Constant& constant, const StaticForm& form) {
  check(product(form.viewed) == constant.type.elements(), "a constant is viewed with another number of elements");
  if (constant.type.dtype == form.dtype && keepsSequence(form.viewed, form.order)) return constant.data;
  return std::make_shared<ReorderedBytes>(constant.data, constant.type.dtype, form);
}

std::string describe(const StaticForm& form) {
  std::string text = concat(form.role, "_", ir::info(form.dtype).name, "_", join(form.dims, "x"));
  if (!keepsSequence(form.viewed, form.order)) text += concat("_", join(form.viewed, "x"), "_", join(form.order, ""));
  return text;
}

std::shared_ptr<const StaticData> makeStaticData(const ir::Constant& constant, const StaticForm& form) {
  auto data = std::make_shared<StaticData>();
  data->bytes = bytesInForm(constant, form);
  // The source's identity and the form determine the bytes: hashing the recipe's result would run the recipe twice.
  data->key = hashOf(concat(constant.data->identity(), "_", describe(form)));
  return data;
}

}  // namespace exportdeck::backends::xnnpack
