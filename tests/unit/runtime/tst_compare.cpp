// What counts as equal.
#include <QTest>
#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/program.h"

using namespace exportdeck;
using namespace exportdeck::runtime;

namespace {

template <typename Number>
HostTensor tensor(const char* dtype, const std::vector<Number>& values) {
  HostTensor made{dtype, {static_cast<int64_t>(values.size())}, Bytes(values.size() * sizeof(Number))};
  if (!values.empty()) std::memcpy(made.bytes.data(), values.data(), made.bytes.size());
  return made;
}

HostTensor floats(const std::vector<float>& values) {
  return tensor("float32", values);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

}  // namespace

class TestCompare : public QObject {
  Q_OBJECT

 private slots:
  void floatsWithinBounds_data();
  void floatsWithinBounds();
  void equalTensorsAreExact();
  void integersMustBeEqual();
  void boolsAreTrueOrFalse();
  void halfTypesAreLooser();
  void otherTypesCompareBytes();
  void tolerancesCanBeSet();
  void shapesAndDTypesMustBeEqual();
  void furtherTensorsMayLead();
  void onlyTensorsAreCompared();
  void reportsTheFirstMismatch();
};

void TestCompare::floatsWithinBounds_data() {
  QTest::addColumn<std::vector<float>>("got");
  QTest::addColumn<std::vector<float>>("want");
  QTest::addColumn<bool>("match");
  const auto row = [](const char* name, std::vector<float> got, std::vector<float> want, bool match) {
    QTest::newRow(name) << got << want << match;
  };
  row("equal", {1, 2, 3}, {1, 2, 3}, true);
  row("within", {1.0005f, 100}, {1, 100}, true);
  row("beyond", {1.01f, 100}, {1, 100}, false);
  row("zeros for small values", {0, 0, 0}, {9e-5f, -9e-5f, 5e-5f}, false);
  row("small noise on small values", {1e-5f, 2e-5f}, {1.1e-5f, 2e-5f}, false);
  row("rounding of zero", {1e-13f, 0}, {0, 0}, true);
  row("NaN for NaN", {kNan, 1}, {kNan, 1}, true);
  row("NaN for a number", {kNan, 1}, {1, 1}, false);
  row("a number for NaN", {1, 1}, {kNan, 1}, false);
  row("infinite for infinite", {kInf, 1}, {kInf, 1}, true);
  row("finite for infinite", {3e38f, 1}, {kInf, 1}, false);
  row("infinite for finite", {kInf, 1}, {3e38f, 1}, false);
  row("other infinity", {-kInf, 1}, {kInf, 1}, false);
  row("empty", {}, {}, true);
}

void TestCompare::floatsWithinBounds() {
  QFETCH(std::vector<float>, got);
  QFETCH(std::vector<float>, want);
  QFETCH(bool, match);
  const auto result = compare({floats(got)}, {floats(want)}, {});
  QVERIFY2(result.match == match, result.why.c_str());
  QCOMPARE(result.why.empty(), match);
}

void TestCompare::equalTensorsAreExact() {
  const auto result = compare({floats({1, 2})}, {floats({1, 2})}, {});
  QCOMPARE(result.maxAbsoluteError, 0.0);
  QVERIFY(std::isinf(result.signalToNoiseDb) && result.signalToNoiseDb > 0);
  const auto near = compare({floats({100.01f, 100})}, {floats({100, 100})}, {});
  QVERIFY(near.match);
  QVERIFY(std::fabs(near.maxAbsoluteError - 0.01) < 1e-4);
  QVERIFY(std::fabs(near.signalToNoiseDb - 83.0) < 0.1);  // 10 log10(20000 / 0.0001)
}

void TestCompare::integersMustBeEqual() {
  const auto same = [](int64_t got, int64_t want) {
    return compare({tensor<int64_t>("int64", {got})}, {tensor<int64_t>("int64", {want})}, {}).match;
  };
  QVERIFY(same(5, 5));
  QVERIFY(!same(5, 6));
  QVERIFY(!same((int64_t{1} << 53) + 1, int64_t{1} << 53));  // equal as doubles
}

void TestCompare::boolsAreTrueOrFalse() {
  QVERIFY(compare({tensor<uint8_t>("bool", {255, 0})}, {tensor<uint8_t>("bool", {1, 0})}, {}).match);
  QVERIFY(!compare({tensor<uint8_t>("bool", {0, 0})}, {tensor<uint8_t>("bool", {1, 0})}, {}).match);
}

void TestCompare::halfTypesAreLooser() {
  // 1.0 and 1.0 + 2^-7 (bfloat16), 1.0 and 1.0 + 2^-6 (float16)
  QVERIFY(compare({tensor<uint16_t>("bfloat16", {0x3f81})}, {tensor<uint16_t>("bfloat16", {0x3f80})}, {}).match);
  QVERIFY(compare({tensor<uint16_t>("float16", {0x3c10})}, {tensor<uint16_t>("float16", {0x3c00})}, {}).match);
  QVERIFY(!compare({tensor<uint16_t>("float16", {0x4000})}, {tensor<uint16_t>("float16", {0x3c00})}, {}).match);
}

void TestCompare::otherTypesCompareBytes() {
  QVERIFY(compare({tensor<uint8_t>("float8_e5m2", {7})}, {tensor<uint8_t>("float8_e5m2", {7})}, {}).match);
  QVERIFY(!compare({tensor<uint8_t>("float8_e5m2", {7})}, {tensor<uint8_t>("float8_e5m2", {8})}, {}).match);
}

void TestCompare::tolerancesCanBeSet() {
  const std::vector<HostValue> got{floats({1.05f, 2})}, want{floats({1, 2})};
  QVERIFY(!compare(got, want, {}).match);
  QVERIFY(compare(got, want, {0.1, std::nullopt}).match);
  QVERIFY(!compare({floats({1.00001f})}, {floats({1})}, {0.0, 0.0}).match);
}

void TestCompare::shapesAndDTypesMustBeEqual() {
  HostTensor matrix = floats({1, 2});
  matrix.sizes = {1, 2};
  QVERIFY(!compare({matrix}, {floats({1, 2})}, {}).match);
  QVERIFY(!compare({tensor<int32_t>("int32", {1})}, {floats({1})}, {}).match);
}

void TestCompare::furtherTensorsMayLead() {
  QVERIFY(compare({floats({9}), floats({1})}, {floats({1})}, {}).match);
  QVERIFY(!compare({floats({1}), floats({9})}, {floats({1})}, {}).match);
  const auto result = compare({}, {floats({1})}, {});
  QVERIFY(!result.match && result.why.find("0 tensors") != std::string::npos);
}

void TestCompare::onlyTensorsAreCompared() {
  QVERIFY(compare({int64_t{1}, floats({1})}, {floats({1}), int64_t{2}}, {}).match);
}

void TestCompare::reportsTheFirstMismatch() {
  const auto result = compare({floats({1}), floats({1, 5, 9})}, {floats({1}), floats({1, 2, 3})}, {});
  QCOMPARE(result.why, std::string("output 1 element 1: got 5, want 2"));
  QCOMPARE(result.maxAbsoluteError, 6.0);
}

QTEST_APPLESS_MAIN(TestCompare)
#include "tst_compare.moc"
