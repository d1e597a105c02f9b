#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "base/diagnostic.h"
#include "base/text.h"
#include "runtime/dtype.h"
#include "runtime/program.h"

namespace exportdeck::runtime {

namespace {

// The same numbers on every machine: only the generator of the standard is specified, its distributions are not.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }  // [0, 1)
  double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform()); }
  int64_t below(int64_t limit) { return static_cast<int64_t>(uniform() * static_cast<double>(limit)); }

 private:
  std::mt19937_64 engine_;
};

// Exclusive upper bound of the integers that an element can hold.
int64_t limitOf(const Element& element) {
  const int bits = static_cast<int>(element.size) * 8 - (element.kind == ElementKind::Signed ? 1 : 0);
  return bits >= 63 ? std::numeric_limits<int64_t>::max() : int64_t{1} << bits;
}

HostTensor randomTensor(const SlotInfo& slot, Random& random, int64_t indexLimit) {
  const Element* element = elementNamed(slot.dtype);
  if (element == nullptr || element->kind == ElementKind::Other) {
    throw ExportError(Code::CaseInvalid, concat("random inputs of dtype ", slot.dtype, " cannot be made"),
                      {"give a case folder with inputs"});
  }
  size_t count = 1;
  for (const int64_t size : slot.sizes) count *= static_cast<size_t>(size);
  HostTensor tensor{slot.dtype, slot.sizes, Bytes(count * element->size)};
  const int64_t limit = std::clamp<int64_t>(indexLimit, 1, limitOf(*element));
  for (size_t i = 0; i < count; ++i) {
    double value = 0;
    if (element->isFloating()) {
      value = random.normal();
    } else {
      value = static_cast<double>(random.below(element->kind == ElementKind::Bool ? 2 : limit));
    }
    writeElement(*element, value, tensor.bytes.data() + i * element->size);
  }
  return tensor;
}

}  // namespace

std::vector<HostValue> randomInputs(const std::vector<SlotInfo>& slots, uint64_t seed, int64_t indexLimit) {
  Random random(seed);
  std::vector<HostValue> values;
  for (const SlotInfo& slot : slots) {
    if (slot.kind == "tensor") {
      values.emplace_back(randomTensor(slot, random, indexLimit));
    } else {
      values.push_back(slot.fixed);
    }
  }
  return values;
}

}  // namespace exportdeck::runtime
