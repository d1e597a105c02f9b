#include <QTest>
#include <cstring>

#include "passes/channel_scale.h"
#include "passes/constant_math.h"

using namespace exportdeck;

namespace {

// Gives its bytes in pieces of `step`, which need not be whole elements.
class InPieces : public ByteSource {
 public:
  InPieces(Bytes bytes, size_t step) : bytes_(std::move(bytes)), step_(step) {}
  uint64_t size() const override { return bytes_.size(); }
  void produce(const ByteConsumer& consume) const override {
    for (size_t at = 0; at < bytes_.size(); at += step_) {
      consume(std::span(bytes_).subspan(at, std::min(step_, bytes_.size() - at)));
    }
  }

 private:
  Bytes bytes_;
  size_t step_;
};

ir::ConstantPtr weightOf(const std::vector<float>& values, ir::Sizes sizes, size_t step) {
  Bytes bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return std::make_shared<const ir::Constant>(
      ir::Constant{"w", {ir::DType::Float32, sizes}, std::make_shared<InPieces>(bytes, step)});
}

std::vector<double> scaled(const ir::ConstantPtr& weight, std::vector<double> factors, const passes::ChannelMap& map) {
  const auto source = passes::scaledByChannel(weight, {[factors] { return factors; }, "f"}, map);
  return passes::readAsDoubles({"s", weight->type, source});
}

}  // namespace

class TestChannelScale : public QObject {
  Q_OBJECT

 private slots:
  void multipliesEachChannelWhateverThePieces() {
    for (size_t step = 1; step <= 48; ++step) {
      const auto weight = weightOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {2, 3, 2}, step);
      QCOMPARE(scaled(weight, {10, 20, 30}, {.inner = 2, .channels = 3}),
               (std::vector<double>{10, 20, 60, 80, 150, 180, 70, 80, 180, 200, 330, 360}));
    }
  }

  void groupsOfATransposedConvolutionHaveTheirOwnChannels() {
    const auto weight = weightOf({1, 2, 3, 4}, {4, 1}, 4);
    QCOMPARE(scaled(weight, {10, 100}, {.inner = 1, .channels = 1, .perGroup = 2}),
             (std::vector<double>{10, 20, 300, 400}));
  }

  void theIdentityTellsWhatTheBytesAreMadeOf() {
    const passes::ChannelMap map{.inner = 1, .channels = 2};
    const auto identity = [&](const ir::ConstantPtr& weight, const std::string& factors, const passes::ChannelMap& m) {
      return passes::scaledByChannel(weight, {[] { return std::vector<double>{1, 2}; }, factors}, m)->identity();
    };
    const auto weight = weightOf({1, 2}, {2}, 4), same = weightOf({1, 2}, {2}, 8), other = weightOf({1, 3}, {2}, 4);
    QCOMPARE(identity(weight, "a", map), identity(same, "a", map));
    QVERIFY(identity(weight, "a", map) != identity(other, "a", map));
    QVERIFY(identity(weight, "a", map) != identity(weight, "b", map));
    QVERIFY(identity(weight, "a", map) != identity(weight, "a", {.inner = 2, .channels = 1}));
    QCOMPARE(identity(weight, "a", map).size(), size_t{32});
  }
};

QTEST_APPLESS_MAIN(TestChannelScale)
#include "tst_channel_scale.moc"
