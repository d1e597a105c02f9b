// Elements, conversions and constants made from constants.
#include <QTest>
#include <cmath>

#include "passes/constant_math.h"
#include "passes/element.h"
#include "passes/promotion.h"

using namespace exportdeck;
using namespace exportdeck::passes;
using ir::DType;

namespace {

ir::ConstantPtr known(const std::vector<double>& values, DType dtype, const ir::Sizes& sizes) {
  return std::make_shared<const ir::Constant>(
      ir::Constant{"k", ir::TensorType(dtype, sizes), bytesInMemory(bytesOfDoubles(values, dtype))});
}

}  // namespace

class TestConstantMath : public QObject {
  Q_OBJECT

 private slots:
  // Every half number survives the way to float and back.
  void halfNumbersRoundTrip() {
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      Half half;
      half.bits = static_cast<uint16_t>(bits);
      const auto value = static_cast<float>(half);
      if (std::isnan(value)) continue;
      QCOMPARE(Half(value).bits, half.bits);
    }
  }

  void halfNumbersRoundToNearestEven_data() {
    QTest::addColumn<float>("value");
    QTest::addColumn<int>("bits");
    QTest::newRow("one") << 1.0f << 0x3c00;
    QTest::newRow("tie to even, down") << 1.00048828125f << 0x3c00;
    QTest::newRow("tie to even, up") << 1.00146484375f << 0x3c02;
    QTest::newRow("largest") << 65504.0f << 0x7bff;
    QTest::newRow("just below the limit") << 65519.0f << 0x7bff;
    QTest::newRow("at the limit") << 65520.0f << 0x7c00;
    QTest::newRow("smallest") << std::ldexp(1.0f, -24) << 0x0001;
    QTest::newRow("half of the smallest") << std::ldexp(1.0f, -25) << 0x0000;
    QTest::newRow("negative") << -2.0f << 0xc000;
    QTest::newRow("infinity") << std::numeric_limits<float>::infinity() << 0x7c00;
  }
  void halfNumbersRoundToNearestEven() {
    QFETCH(float, value);
    QFETCH(int, bits);
    QCOMPARE(int(Half(value).bits), bits);
  }

  void bfloat16RoundsToNearestEven() {
    QCOMPARE(BFloat16(1.0f).bits, uint16_t(0x3f80));
    QCOMPARE(BFloat16(std::bit_cast<float>(0x3f808000u)).bits, uint16_t(0x3f80));
    QCOMPARE(BFloat16(std::bit_cast<float>(0x3f818000u)).bits, uint16_t(0x3f82));
    QVERIFY(std::isnan(static_cast<float>(BFloat16(std::nanf("")))));
  }

  void conversions() {
    const std::vector<double> values{-1.75, 0, 2.5, 300};
    QCOMPARE(readAsDoubles(*convertedConstant(known(values, DType::Float32, {4}), DType::Int64)),
             (std::vector<double>{-1, 0, 2, 300}));
    QCOMPARE(readAsDoubles(*convertedConstant(known(values, DType::Float32, {4}), DType::Bool)),
             (std::vector<double>{1, 0, 1, 1}));
    QCOMPARE(readAsDoubles(*convertedConstant(known(values, DType::Float64, {4}), DType::Float16)), values);
    QCOMPARE(readAsDoubles(*convertedConstant(known({300, -1}, DType::Int64, {2}), DType::UInt8)),
             (std::vector<double>{44, 255}));
  }

  // Integers keep their bits where doubles would not.
  void largeIntegers() {
    const Bytes bytes = filledBytes(1, int64_t{9007199254740993}, DType::Int64);
    QCOMPARE(loadElement<int64_t>(bytes.data(), 0), int64_t{9007199254740993});
  }

  void stridedPicks() {
    const auto source = known({0, 1, 2, 3, 4, 5}, DType::Float32, {2, 3});
    QCOMPARE(readAsDoubles(*stridedConstant(source, {3, 2}, {1, 3}, 0, "t")), (std::vector<double>{0, 3, 1, 4, 2, 5}));
    QCOMPARE(readAsDoubles(*stridedConstant(source, {2, 2}, {3, 2}, 0, "s")), (std::vector<double>{0, 2, 3, 5}));
    QCOMPARE(readAsDoubles(*stridedConstant(source, {2, 2}, {0, 1}, 4, "e")), (std::vector<double>{4, 5, 4, 5}));
    QCOMPARE(readAsDoubles(*stridedConstant(source, {}, {}, 5, "o")), (std::vector<double>{5}));
    QVERIFY(readAsDoubles(*stridedConstant(source, {0, 2}, {3, 1}, 0, "n")).empty());
  }

  // torch.result_type: tensors with dimensions first, then 0-dim ones, then numbers.
  void resultTypes() {
    ir::Graph graph;
    const auto tensor = [&](DType dtype, const ir::Sizes& sizes) {
      return ir::Argument(graph.addInput("x", ir::TensorType(dtype, sizes)));
    };
    const auto result = [](std::vector<ir::Argument> operands) { return resultType(operands); };
    const auto i64 = tensor(DType::Int64, {2}), i32 = tensor(DType::Int32, {2}), f16 = tensor(DType::Float16, {2}),
               flag = tensor(DType::Bool, {2}), f64Number = tensor(DType::Float64, {}),
               i64Number = tensor(DType::Int64, {});
    QCOMPARE(result({i32, i64}), DType::Int64);
    QCOMPARE(result({i64, f16}), DType::Float16);
    QCOMPARE(result({f16, f64Number}), DType::Float16);
    QCOMPARE(result({i32, f64Number}), DType::Float64);
    QCOMPARE(result({i32, i64Number}), DType::Int32);
    QCOMPARE(result({i32, ir::Argument(2.5)}), DType::Float32);
    QCOMPARE(result({f16, ir::Argument(2.5)}), DType::Float16);
    QCOMPARE(result({flag, ir::Argument(int64_t{1})}), DType::Int64);
    QCOMPARE(result({flag, flag}), DType::Bool);
    QCOMPARE(result({i64Number, ir::Argument(2.5)}), DType::Float32);
  }
};

QTEST_APPLESS_MAIN(TestConstantMath)
#include "tst_constant_math.moc"
