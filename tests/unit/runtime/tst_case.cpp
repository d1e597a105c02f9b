// Case folders, and inputs made up where there is none.
#include <QTest>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "runtime/dtype.h"
#include "runtime/layout.h"
#include "runtime/program.h"
#include "support/errors.h"
#include "support/files.h"

using namespace exportdeck;
using namespace exportdeck::runtime;
using namespace exportdeck::tests;

class TestCase : public QObject {
  Q_OBJECT

 private slots:
  void readsTensorsAndNumbers();
  void readsFurtherCalls();
  void refusesDefects_data();
  void refusesDefects();
  void refusesAMissingFolder();
  void randomInputsAreSeeded();
  void randomInputsStayInRange();
  void elementsKeepTheirValue_data();
  void elementsKeepTheirValue();
  void dimOrdersTurnBack();
};

void TestCase::readsTensorsAndNumbers() {
  const auto read = readCase(repositoryFile("tests/cases/input_scalar_float_int"));
  QCOMPARE(read.name, std::string("input_scalar_float_int"));
  QCOMPARE(read.calls.size(), size_t{1});
  const auto& inputs = read.calls[0].inputs;
  QCOMPARE(inputs.size(), size_t{3});
  QCOMPARE(std::get<HostTensor>(inputs[0]).dtype, std::string("float32"));
  QCOMPARE(std::get<HostTensor>(inputs[0]).bytes,
           readBytes(repositoryFile("tests/cases/input_scalar_float_int/input_0.bin")));
  QCOMPARE(std::get<double>(inputs[1]), 2.5);
  QCOMPARE(std::get<int64_t>(inputs[2]), int64_t{3});
  QVERIFY(!read.tolerance.absolute);
}

void TestCase::readsFurtherCalls() {
  const TemporaryFolder folder;
  folder.write("a.bin", "\x01");
  folder.write("case.json", R"({"atol": 0.5, "inputs": [{"kind": "none"}, {"kind": "bool", "value": true}],
    "outputs": [{"dtype": "bool", "shape": [], "file": "a.bin"}], "extra_sets": [{"inputs": [], "outputs": []}, {"inputs": [], "outputs": []}]})");
  const auto read = readCase(folder.path());
  QCOMPARE(read.calls.size(), size_t{3});
  QVERIFY(std::holds_alternative<std::monostate>(read.calls[0].inputs[0]));
  QVERIFY(std::get<bool>(read.calls[0].inputs[1]));
  QVERIFY(std::get<HostTensor>(read.calls[0].outputs[0]).sizes.empty());
  QCOMPARE(read.tolerance.absolute, std::optional<double>(0.5));
  QCOMPARE(read.name, std::filesystem::path(folder.path()).filename().string());
}

void TestCase::refusesDefects_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("words");
  const auto row = [](const char* name, const char* input, const char* words) {
    QTest::newRow(name) << QString(R"({"inputs": [%1], "outputs": []})").arg(input) << words;
  };
  QTest::newRow("no JSON") << "{" << "not a JSON object";
  QTest::newRow("a list") << "[]" << "not a JSON object";
  QTest::newRow("no outputs") << R"({"inputs": []})" << "\"outputs\" is missing";
  QTest::newRow("inputs are no list") << R"({"inputs": 3, "outputs": []})" << "not a list";
  row("unknown kind", R"({"kind": "oracle"})", "oracle");
  row("unknown dtype", R"({"dtype": "float31", "shape": [1], "file": "f.bin"})", "float31");
  row("negative size", R"({"dtype": "float32", "shape": [-1], "file": "f.bin"})", "impossible");
  row("huge size", R"({"dtype": "float32", "shape": [4611686018427387904, 4], "file": "f.bin"})", "impossible");
  row("missing file", R"({"dtype": "float32", "shape": [1], "file": "g.bin"})", "g.bin");
  row("short file", R"({"dtype": "float32", "shape": [3], "file": "f.bin"})", "holds 8 bytes where its shape needs 12");
  row("file outside", R"({"dtype": "float32", "shape": [2], "file": "../f.bin"})", "outside");
  row("absolute file", R"({"dtype": "float32", "shape": [2], "file": "/etc/passwd"})", "outside");
  row("text for a number", R"({"kind": "int", "value": "3"})", "wrong kind");
  row("no object", "3", "missing");
}

void TestCase::refusesDefects() {
  QFETCH(QString, text);
  QFETCH(QString, words);
  const TemporaryFolder folder;
  folder.write("f.bin", "12345678");
  folder.write("case.json", text.toStdString());
  const auto diagnostic = errorOf([&] { return readCase(folder.path()); });
  QVERIFY(diagnostic.has_value());
  QCOMPARE(diagnostic->code, Code::CaseInvalid);
  QVERIFY2(diagnostic->message.find(words.toStdString()) != std::string::npos, diagnostic->message.c_str());
}

void TestCase::refusesAMissingFolder() {
  QCOMPARE(errorCode([] { return readCase("/no/such/folder"); }), std::string("case.invalid"));
}

void TestCase::randomInputsAreSeeded() {
  const std::vector<SlotInfo> taken{{"tensor", "float32", {100}, {}}, {"float", "", {}, 2.5}};
  const auto a = randomInputs(taken, 1, 10), b = randomInputs(taken, 1, 10), c = randomInputs(taken, 2, 10);
  QCOMPARE(std::get<HostTensor>(a[0]).bytes, std::get<HostTensor>(b[0]).bytes);
  QVERIFY(std::get<HostTensor>(a[0]).bytes != std::get<HostTensor>(c[0]).bytes);
  QCOMPARE(std::get<double>(a[1]), 2.5);
}

void TestCase::randomInputsStayInRange() {
  for (const char* dtype : {"int8", "uint8", "int32", "int64", "bool", "uint16", "float16", "bfloat16", "float64"}) {
    const auto values = randomInputs({{"tensor", dtype, {500}, {}}}, 3, 200);
    const auto& tensor = std::get<HostTensor>(values[0]);
    const Element& element = *elementNamed(dtype);
    double least = 1e9, most = -1e9;
    for (size_t i = 0; i < 500; ++i) {
      const double value = readElement(element, tensor.bytes.data() + i * element.size);
      least = std::min(least, value);
      most = std::max(most, value);
    }
    if (element.isFloating()) {
      QVERIFY(least < -1 && most > 1 && most < 6);
    } else {
      QVERIFY(least == 0 && most < std::min(200.0, dtype == std::string("int8") ? 128.0 : 200.0) && most >= 1);
    }
  }
}

void TestCase::elementsKeepTheirValue_data() {
  QTest::addColumn<QString>("dtype");
  QTest::addColumn<double>("value");
  QTest::addColumn<uint>("bits");
  QTest::newRow("one half") << "float16" << 1.0 << 0x3c00u;
  QTest::newRow("largest half") << "float16" << 65504.0 << 0x7bffu;
  QTest::newRow("smallest half") << "float16" << 0x1p-24 << 0x0001u;
  QTest::newRow("largest subnormal half") << "float16" << 1023 * 0x1p-24 << 0x03ffu;
  QTest::newRow("smallest normal half") << "float16" << 0x1p-14 << 0x0400u;
  QTest::newRow("minus two") << "float16" << -2.0 << 0xc000u;
  QTest::newRow("third") << "float16" << 0.333251953125 << 0x3555u;
  QTest::newRow("bfloat") << "bfloat16" << 1.5 << 0x3fc0u;
  QTest::newRow("negative int16") << "int16" << -2.0 << 0xfffeu;
  QTest::newRow("uint16") << "uint16" << 65535.0 << 0xffffu;
}

void TestCase::elementsKeepTheirValue() {
  QFETCH(QString, dtype);
  QFETCH(double, value);
  QFETCH(uint, bits);
  const Element& element = *elementNamed(dtype.toStdString());
  std::byte raw[8]{};
  writeElement(element, value, raw);
  QCOMPARE(uint(std::to_integer<uint>(raw[0]) | std::to_integer<uint>(raw[1]) << 8), bits);
  QCOMPARE(readElement(element, raw), value);
}

void TestCase::dimOrdersTurnBack() {
  Bytes plain(2 * 3 * 4 * 5);
  for (size_t i = 0; i < plain.size(); ++i) plain[i] = static_cast<std::byte>(i);
  const std::vector<int64_t> sizes{2, 3, 4, 5};
  const auto laid = fromRowMajor(plain, sizes, {0, 2, 3, 1}, 1);
  // Channels last: element (0, c, 0, 0) lies at c.
  QCOMPARE(laid[1], plain[20]);
  QCOMPARE(laid[2], plain[40]);
  QCOMPARE(toRowMajor(laid, sizes, {0, 2, 3, 1}, 1), plain);
  QCOMPARE(fromRowMajor(plain, sizes, {0, 1, 2, 3}, 1), plain);
}

QTEST_APPLESS_MAIN(TestCase)
#include "tst_case.moc"
