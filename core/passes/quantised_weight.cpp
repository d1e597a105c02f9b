#include "passes/quantised_weight.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/text.h"
#include "passes/element.h"

namespace exportdeck::passes {

namespace {

constexpr uint32_t kInfinite = 0x7f800000;  // bits of float32's infinity; of what is no number, more

// Calls `use` with all bytes in order, in runs of whole blocks of `block` bytes; whole blocks of a piece are not
// copied.
template <typename Use>
void inBlocks(const ByteSource& source, size_t block, const Use& use) {
  Bytes pending;
  source.produce([&](std::span<const std::byte> piece) {
    if (!pending.empty()) {
      const size_t take = std::min(block - pending.size(), piece.size());
      pending.insert(pending.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(take));
      piece = piece.subspan(take);
      if (pending.size() < block) return;
      use(std::span<const std::byte>(pending));
      pending.clear();
    }
    const size_t whole = piece.size() / block * block;
    if (whole > 0) use(piece.first(whole));
    pending.assign(piece.begin() + static_cast<std::ptrdiff_t>(whole), piece.end());
  });
  check(pending.empty(), "a weight's bytes are not whole rows");
}

std::vector<float> floatsIn(std::span<const std::byte> bytes) {
  std::vector<float> out(bytes.size() / sizeof(float));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

// Positive floats are ordered as their bits are, which compilers compare many at a time.
uint32_t largestMagnitude(const float* values, size_t count) {
  uint32_t largest = 0;
  for (size_t i = 0; i < count; ++i) largest = std::max(largest, std::bit_cast<uint32_t>(values[i]) & 0x7fffffffu);
  return largest;
}

// Upwards, so that the largest element still fits.
float roundedUpToBFloat16(float scale) {
  const uint32_t bits = std::bit_cast<uint32_t>(scale);
  return std::bit_cast<float>((bits + 0xffffu) & 0xffff0000u);
}

// To the nearest integer, ties to even: adding 1.5 * 2^23 leaves it in the lowest bits.
void roundAll(const float* values, size_t count, float scale, int low, int high, int8_t* out) {
  constexpr float kShift = 12582912.0f;
  const float inverse = 1 / scale;
  for (size_t i = 0; i < count; ++i) {
    const auto integer = std::bit_cast<int32_t>(values[i] * inverse + kShift) - std::bit_cast<int32_t>(kShift);
    out[i] = static_cast<int8_t>(std::clamp(integer, low, high));
  }
}

struct Bounds {
  int low, high;
};
constexpr Bounds boundsOf(int bits) {
  return bits == 8 ? Bounds{-127, 127} : Bounds{-8, 7};
}

float squaredError(const float* values, size_t count, float scale, std::vector<int8_t>& integers) {
  const auto [low, high] = boundsOf(4);
  integers.resize(count);
  roundAll(values, count, scale, low, high, integers.data());
  float sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const float error = values[i] - static_cast<float>(integers[i]) * scale;
    sum += error * error;
  }
  return sum;
}

// With few bits it is better to cut off the largest elements than to round all others more coarsely: of scales from
// that which fits all down to two thirds of it, the one with the least squared error.
float bestScale(const float* values, size_t count, float widest) {
  constexpr int kSteps = 4;
  std::vector<int8_t> integers;
  float best = roundedUpToBFloat16(widest), least = squaredError(values, count, best, integers);
  for (int step = 1; step <= kSteps; ++step) {
    const float scale = roundedUpToBFloat16(widest * (1 - static_cast<float>(step) / (3 * kSteps)));
    const float error = squaredError(values, count, scale, integers);
    if (error < least) best = scale, least = error;
  }
  return best;
}

// A scale of 1 where all are so small that they become 0.
float scaleFor(const float* values, size_t count, uint32_t largest, int bits) {
  const float widest = std::bit_cast<float>(largest) / static_cast<float>(boundsOf(bits).high);
  if (!(widest >= std::numeric_limits<float>::min() * 2)) return 1;
  return bits == 8 ? widest : bestScale(values, count, widest);
}

// The integers of a matrix whose scales are known.
class QuantisedBytes : public ByteSource {
 public:
  QuantisedBytes(std::shared_ptr<const ByteSource> floats, size_t run, std::vector<float> scales, int bits)
      : floats_(std::move(floats)), run_(run), scales_(std::move(scales)), bits_(bits) {}

  uint64_t size() const override { return floats_->size() / sizeof(float); }

  std::string identity() const override {
    return hashOf(concat("quantised ", floats_->identity(), ' ', bits_, ' ', run_));
  }

  void produce(const ByteConsumer& consume) const override {
    size_t next = 0;  // run
    inBlocks(*floats_, run_ * sizeof(float), [&](std::span<const std::byte> bytes) {
      const std::vector<float> values = floatsIn(bytes);
      std::vector<int8_t> out(values.size());
      for (size_t at = 0; at < out.size(); at += run_, ++next) {
        const auto [low, high] = boundsOf(bits_);
        roundAll(values.data() + at, run_, scales_.at(next), low, high, out.data() + at);
      }
      consume(std::as_bytes(std::span(out)));
    });
  }

 private:
  std::shared_ptr<const ByteSource> floats_;
  size_t run_;  // neighbours that share a scale
  std::vector<float> scales_;
  int bits_;
};

// Element = integer * the scale of its run of neighbours; scales come in turn again.
class DequantisedBytes : public ByteSource {
 public:
  DequantisedBytes(std::shared_ptr<const ir::Integers> integers, size_t run)
      : integers_(std::move(integers)), run_(run) {}

  uint64_t size() const override { return integers_->data->size() * sizeof(float); }

  std::string identity() const override {
    std::string text = concat("dequantised ", integers_->data->identity(), ' ', run_, ' ');
    text.append(reinterpret_cast<const char*>(integers_->scales.data()), integers_->scales.size() * sizeof(float));
    return hashOf(text);
  }

  void produce(const ByteConsumer& consume) const override {
    size_t done = 0;
    integers_->data->produce([&](std::span<const std::byte> piece) {
      std::vector<float> out(piece.size());
      for (size_t i = 0; i < out.size(); ++i) {
        const size_t place = (done + i) / run_ % integers_->scales.size();
        out[i] = static_cast<float>(static_cast<int8_t>(piece[i])) * integers_->scales[place];
      }
      done += out.size();
      consume(std::as_bytes(std::span(out)));
    });
  }

 private:
  std::shared_ptr<const ir::Integers> integers_;
  size_t run_;
};

class PairedBytes : public ByteSource {
 public:
  PairedBytes(std::shared_ptr<const ByteSource> integers, FirstOfPair first)
      : integers_(std::move(integers)), first_(first) {}

  uint64_t size() const override { return integers_->size() / 2; }

  std::string identity() const override {
    return hashOf(concat("pairs ", static_cast<int>(first_), ' ', integers_->identity()));
  }

  void produce(const ByteConsumer& consume) const override {
    const unsigned firstShift = first_ == FirstOfPair::LowBits ? 0 : 4, secondShift = 4 - firstShift;
    inBlocks(*integers_, 2, [&](std::span<const std::byte> bytes) {
      Bytes out(bytes.size() / 2);
      for (size_t i = 0; i < out.size(); ++i) {
        // + 8 changes no bit but the fourth.
        const unsigned first = (static_cast<unsigned>(bytes[2 * i]) ^ 8u) & 15u;
        const unsigned second = (static_cast<unsigned>(bytes[2 * i + 1]) ^ 8u) & 15u;
        out[i] = static_cast<std::byte>(first << firstShift | second << secondShift);
      }
      consume(out);
    });
  }

 private:
  std::shared_ptr<const ByteSource> integers_;
  FirstOfPair first_;
};

template <typename From, typename To>
class ConvertedBytes : public ByteSource {
 public:
  explicit ConvertedBytes(std::shared_ptr<const ByteSource> from) : from_(std::move(from)) {}
  uint64_t size() const override { return from_->size() / sizeof(From) * sizeof(To); }
  std::string identity() const override {
    return hashOf(concat("converted ", sizeof(From), ' ', sizeof(To), ' ', from_->identity()));
  }
  void produce(const ByteConsumer& consume) const override {
    inBlocks(*from_, sizeof(From), [&](std::span<const std::byte> bytes) {
      Bytes out(bytes.size() / sizeof(From) * sizeof(To));
      for (size_t i = 0; i < bytes.size() / sizeof(From); ++i)
        storeElement(out.data(), i, convertElement<To>(loadElement<From>(bytes.data(), i)));
      consume(out);
    });
  }

 private:
  std::shared_ptr<const ByteSource> from_;
};

// The number of neighbours that share a scale.
size_t runOf(const ir::Integers& integers, const ir::TensorType& type) {
  if (integers.group > 0) return static_cast<size_t>(integers.group);
  size_t inner = 1;
  for (size_t dim = static_cast<size_t>(integers.axis) + 1; dim < type.rank(); ++dim)
    inner *= static_cast<size_t>(type.size(static_cast<int64_t>(dim)));
  return inner;
}

}  // namespace

std::shared_ptr<const ir::Integers> integersOf(const ir::Constant& matrix, int bits, int64_t group) {
  check(matrix.type.dtype == ir::DType::Float32 && matrix.type.rank() == 2, "only float32 matrices are quantised");
  const auto run = static_cast<size_t>(group > 0 ? group : matrix.type.size(1));
  std::vector<float> scales;
  bool isFinite = true;
  inBlocks(*matrix.data, run * sizeof(float), [&](std::span<const std::byte> bytes) {
    const std::vector<float> values = floatsIn(bytes);
    for (size_t at = 0; at < values.size(); at += run) {
      const uint32_t largest = largestMagnitude(values.data() + at, run);
      isFinite = isFinite && largest < kInfinite;
      scales.push_back(isFinite ? scaleFor(values.data() + at, run, largest, bits) : 1);
    }
  });
  if (!isFinite) return nullptr;
  auto data = std::make_shared<const QuantisedBytes>(matrix.data, run, scales, bits);
  return std::make_shared<const ir::Integers>(ir::Integers{std::move(data), std::move(scales), 0, bits, group});
}

ir::ConstantPtr floatsOf(const ir::Constant& from, std::shared_ptr<const ir::Integers> integers) {
  auto data = std::make_shared<const DequantisedBytes>(integers, runOf(*integers, from.type));
  return std::make_shared<const ir::Constant>(ir::Constant{
      from.name, ir::TensorType(ir::DType::Float32, from.type.shape), std::move(data), {}, std::move(integers), {}});
}

ir::ConstantPtr roundedToHalf(const ir::Constant& from) {
  constexpr uint32_t kLargestHalf = 0x477fefff;  // bits of the largest float32 that rounds to less than 65536
  uint32_t largest = 0;
  inBlocks(*from.data, sizeof(float), [&](std::span<const std::byte> bytes) {
    const std::vector<float> values = floatsIn(bytes);
    largest = std::max(largest, largestMagnitude(values.data(), values.size()));
  });
  if (largest > kLargestHalf) return nullptr;
  auto half = std::make_shared<const ConvertedBytes<float, Half>>(from.data);
  auto floats = std::make_shared<const ConvertedBytes<Half, float>>(half);
  return std::make_shared<const ir::Constant>(ir::Constant{
      from.name, ir::TensorType(ir::DType::Float32, from.type.shape), std::move(floats), {}, {}, std::move(half)});
}

std::shared_ptr<const ByteSource> packedPairs(std::shared_ptr<const ByteSource> integers, FirstOfPair first) {
  check(integers->size() % 2 == 0, "integers are packed two a byte, and their number is odd");
  return std::make_shared<const PairedBytes>(std::move(integers), first);
}

}  // namespace exportdeck::passes
