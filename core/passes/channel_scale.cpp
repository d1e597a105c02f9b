#include "passes/channel_scale.h"

#include <algorithm>

#include "base/text.h"
#include "passes/element.h"

namespace exportdeck::passes {

namespace {

class ScaledBytes : public ByteSource {
 public:
  ScaledBytes(ir::ConstantPtr weight, ChannelFactors factors, const ChannelMap& map)
      : weight_(std::move(weight)), factors_(std::move(factors)), map_(map) {}

  uint64_t size() const override { return weight_->data->size(); }

  std::string identity() const override {
    return hashOf(concat("scaled ", weight_->data->identity(), ' ', ir::info(weight_->type.dtype).name, ' ',
                         factors_.identity, ' ', map_.inner, ' ', map_.channels, ' ', map_.perGroup));
  }

  void produce(const ByteConsumer& consume) const override {
    const std::vector<double> factors = factors_.make();
    const size_t width = ir::sizeOf(weight_->type.dtype);
    size_t done = 0;  // elements
    Bytes pending;    // a piece may end inside an element
    weight_->data->produce([&](std::span<const std::byte> piece) {
      pending.insert(pending.end(), piece.begin(), piece.end());
      const size_t whole = pending.size() / width;
      scale(pending, whole, done, factors);
      consume(std::span(pending.data(), whole * width));
      pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(whole * width));
      done += whole;
    });
    check(pending.empty(), "a weight's bytes are not whole elements");
  }

 private:
  // Multiplies the first `count` elements in place; they are the weight's elements from `first` on.
  void scale(Bytes& bytes, size_t count, size_t first, const std::vector<double>& factors) const {
    visitElementType(weight_->type.dtype, [&]<typename T>(T) {
      for (size_t i = 0; i < count;) {
        // The channel is the same for a run of `inner` elements.
        const size_t element = first + i;
        const size_t end = std::min(count, i + map_.inner - element % map_.inner);
        const double factor = factors.at(map_.of(element));
        for (; i < end; ++i) {
          const double product = convertElement<double>(loadElement<T>(bytes.data(), i)) * factor;
          storeElement(bytes.data(), i, convertElement<T>(product));
        }
      }
    });
  }

  ir::ConstantPtr weight_;
  ChannelFactors factors_;
  ChannelMap map_;
};

}  // namespace

std::shared_ptr<const ByteSource> scaledByChannel(const ir::ConstantPtr& weight, ChannelFactors factors,
                                                  const ChannelMap& map) {
  return std::make_shared<ScaledBytes>(weight, std::move(factors), map);
}

}  // namespace exportdeck::passes
