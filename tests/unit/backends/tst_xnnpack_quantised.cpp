// Quantised programs in XNNPACK: what computes on integers, what only moves them, and where floats are made of them.
#include <QTest>
#include <algorithm>

#include "backends/xnnpack/integers.h"
#include "backends/xnnpack/serialise.h"
#include "xnnpack_support.h"

using namespace exportdeck;
using exportdeck::tests::judged;
using exportdeck::tests::loweredQuantised;

namespace {

const char* const kDequantise = "quantized_decomposed.dequantize_per_tensor.default";
const char* const kQuantise = "quantized_decomposed.quantize_per_tensor.default";

// %NAME = (de)quantised %from, with these shapes and this scale and zero point.
std::string dequantise(const std::string& name, const std::string& from, const std::string& sizes,
                       const std::string& scale) {
  return "  %" + name + " : f32[" + sizes + "] = " + kDequantise + "(%" + from + ", " + scale +
         ", -128, 127, dtype:i8, none)\n";
}
std::string quantise(const std::string& name, const std::string& from, const std::string& sizes,
                     const std::string& scale) {
  return "  %" + name + " : i8[" + sizes + "] = " + kQuantise + "(%" + from + ", " + scale + ", -128, 127, dtype:i8)\n";
}

// x → integers → `body` (reads %a, makes %y) → integers → floats.
std::string between(const std::string& in, const std::string& body, const std::string& out,
                    const std::string& scale = "0.5, 3", const std::string& constants = {}) {
  return "graph g {\n  input %x : f32[" + in + "]\n" + constants + quantise("q", "x", in, "0.25, 1") +
         dequantise("a", "q", in, "0.25, 1") + body + quantise("r", "y", out, scale) +
         dequantise("z", "r", out, scale) + "  return (%z)\n}\n";
}

// Weights of two output channels.
const std::string kWeights = R"(  const %w : i8[2,2] = "w" [1, -2, 3, 4]
  const %s : f32[2] = "s" [0.5, 0.25]
  const %o : i64[2] = "o" [0, 0]
  const %b : f32[2] = "b" [1, -1]
  %v : f32[2,2] = quantized_decomposed.dequantize_per_channel.default(%w, %s, %o, 0, -127, 127, dtype:i8, none)
)";

const std::string kLinear = "  %y : f32[4,2] = aten.linear.default(%a, %v, %b)\n";

}  // namespace

class TestXnnpackQuantised : public QObject {
  Q_OBJECT

 private slots:
  // Weights by channel, the bias with the product of the scales, the activation as the node's range.
  void linearComputesOnIntegers() {
    QCOMPARE(loweredQuantised(between("4,2",
                                      "  %l : f32[4,2] = aten.linear.default(%a, %v, %b)\n"
                                      "  %y : f32[4,2] = aten.relu.default(%l)\n",
                                      "4,2", "0.5, 3", kWeights)),
             QString(R"(v0: input 0 f32[4,2]
v2: static i8[2,2] scales of dimension 0
v3: static i32[2] scales of dimension 0
v1 = convert(v0) i8[4,2] scale 0.25 zero 1
v4 = fully_connected(v1, v2, v3) i8[4,2] scale 0.5 zero 3 range 0..inf
v5 = convert(v4) f32[4,2]
output 1: v5
)"));
  }

  // Depthwise filters have their channels last.
  void convolutions() {
    const std::string weights = R"(  const %w : i8[2,1,3,3] = "w"
  const %s : f32[2] = "s" [0.5, 0.25]
  const %o : i64[2] = "o" [0, 0]
  %v : f32[2,1,3,3] = quantized_decomposed.dequantize_per_channel.default(%w, %s, %o, 0, -127, 127, dtype:i8, none)
)";
    const QString text = loweredQuantised(
        between("1,2,5,5",
                "  %y : f32[1,2,3,3] = aten.convolution.default(%a, %v, none, [1,1], [0,0], [1,1], false, [0,0], 2)\n",
                "1,2,3,3", "0.5, 3", weights));
    QVERIFY2(text.contains("static i8[1,3,3,2] scales of dimension 3"), qPrintable(text));
    QVERIFY2(text.contains("i8[1,3,3,2] scale 0.5 zero 3 kernel 3x3"), qPrintable(text));
    QCOMPARE(text.count("convert("), 2);
  }

  // Outside XNNPACK's ranges, or with more than one reader, it computes on floats.
  void whatDoesNotFitComputesOnFloats_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("scales too far apart")
        << QString::fromStdString(between("4,2", kLinear, "4,2", "1e-9, 0", kWeights));
    QTest::newRow("sum with a far smaller operand")
        << QString::fromStdString(between("4,2", "  %y : f32[4,2] = aten.add.Tensor(%a, %a, 1)\n", "4,2", "1e4, 0"));
    QTest::newRow("an operand is no integers")
        << QString::fromStdString(between("4,2", "  %y : f32[4,2] = aten.add.Tensor(%a, %x, 1)\n", "4,2"));
  }
  void whatDoesNotFitComputesOnFloats() {
    QFETCH(QString, text);
    const QString result = loweredQuantised(text.toStdString());
    QVERIFY2(result.contains(") f32[4,2]\n"), qPrintable(result));
    QVERIFY2(result.count("convert(") >= 2, qPrintable(result));
    QVERIFY2(result.contains("= add(") || result.contains("= fully_connected("), qPrintable(result));
    QVERIFY2(!result.contains("= add(v1, v1) i8"), qPrintable(result));
  }

  // What moves integers does not make floats of them; a quantising operator of the same scale does nothing.
  void movesKeepIntegers() {
    const QString text =
        loweredQuantised(between("1,2,4,4",
                                 "  %p : f32[1,2,6,6] = aten.constant_pad_nd.default(%a, [1,1,1,1], 0.0)\n"
                                 "  %m : f32[1,2,3,3] = aten.max_pool2d.default(%p, [2,2], [2,2], "
                                 "[0,0], [1,1], false)\n"
                                 "  %y : f32[1,18] = aten.view_copy.default(%m, [1,18])\n",
                                 "1,18", "0.25, 1"));
    QCOMPARE(text.count("convert("), 2);
    QVERIFY2(text.contains("= pad(") && text.contains("i8[1,18] scale 0.25 zero 1"), qPrintable(text));
  }

  // A number that no integer stands for cannot pad integers, and a bound of that kind cannot bound them.
  void numbersBetweenIntegers() {
    const QString padded = loweredQuantised(
        between("2,4", "  %y : f32[2,6] = aten.constant_pad_nd.default(%a, [1,1], 0.1)\n", "2,6", "0.25, 1"));
    QVERIFY2(padded.contains("f32[2,6] before"), qPrintable(padded));
    const QString clamped =
        loweredQuantised(between("2,4", "  %y : f32[2,4] = aten.hardtanh.default(%a, 0.0, 6.1)\n", "2,4", "0.25, 1"));
    QVERIFY2(clamped.contains("= clamp(v2) f32[2,4]"), qPrintable(clamped));
    const QString exact =
        loweredQuantised(between("2,4", "  %y : f32[2,4] = aten.hardtanh.default(%a, 0.0, 6.0)\n", "2,4", "0.25, 1"));
    QVERIFY2(exact.contains("= clamp(v1) i8[2,4]"), qPrintable(exact));
    // Beyond all integers.
    const QString wide =
        loweredQuantised(between("2,4", "  %y : f32[2,4] = aten.hardtanh.default(%a, 0.0, 600.1)\n", "2,4", "0.25, 1"));
    QVERIFY2(wide.contains("= clamp(v1) i8[2,4]"), qPrintable(wide));
  }

  // XNNPACK multiplies the bias too where the operand is floats, so it is added.
  void weightsAloneStayIntegers() {
    QCOMPARE(loweredQuantised("graph g {\n  input %a : f32[4,2]\n" + kWeights + kLinear + "  return (%y)\n}\n"),
             QString(R"(v0: input 0 f32[4,2]
v1: static i8[2,2] scales of dimension 0
v3: input 1 f32[2]
v2 = fully_connected(v0, v1, none) f32[4,2]
v4 = add(v2, v3) f32[4,2]
output 2: v4
)"));
  }

  // Scales that are chosen at run time: one conversion for all that read the operand.
  void dynamicLinear() {
    const std::string text =
        "graph g {\n  input %x : f32[4,2]\n" + kWeights +
        R"(  %c : f64[1], %d : i64[1] = quantized_decomposed.choose_qparams.tensor(%x, -128, 127, 0.001, dtype:i8)
  %q : i8[4,2] = quantized_decomposed.quantize_per_tensor.tensor(%x, %c, %d, -128, 127, dtype:i8)
  %a : f32[4,2] = quantized_decomposed.dequantize_per_tensor.tensor(%q, %c, %d, -128, 127, dtype:i8, none)
)" + kLinear +
        "  %e : f32[4,2] = aten.linear.default(%a, %v, none)\n  return (%y, %e)\n}\n";
    QCOMPARE(loweredQuantised(text), QString(R"(v0: input 0 f32[4,2]
v2: static i8[2,2] scales of dimension 0
v3: static f32[2]
v1 = convert(v0) i8[4,2] scales of the last 1
v4 = fully_connected(v1, v2, v3) f32[4,2]
v5 = fully_connected(v1, v2, none) f32[4,2]
output 1: v4
output 2: v5
)"));
  }

  void judgesWhatQuantises() {
    QVERIFY(judged("graph g {\n  input %x : f32[4]\n" + quantise("q", "x", "4", "0.5, 0") + "  return (%q)\n}").taken);
    QVERIFY(!judged(std::string("graph g {\n  input %x : f32[4]\n  %q : u8[4] = ") + kQuantise +
                    "(%x, 0.5, 3, 0, 255, dtype:u8)\n  return (%q)\n}")
                 .taken);
    QVERIFY(!judged(std::string("graph g {\n  input %x : f32[4]\n  %q : i8[4] = ") + kQuantise +
                    "(%x, 0.5, 3, -127, 127, dtype:i8)\n  return (%q)\n}")
                 .taken);
    // Integers that mean something else than what is made of them.
    QVERIFY(!judged("graph g {\n  input %x : f32[4]\n" + quantise("q", "x", "4", "0.5, 0") +
                    dequantise("z", "q", "4", "0.25, 0") + "  return (%z)\n}")
                 .taken);
  }

  // Scales are named data; a bias that needs more than 32 bits is none.
  void biasOfIntegers() {
    const auto graph = ir::parse("graph g {\n  input %x : f32[4]\n" + kWeights + "  return (%x)\n}");
    ir::Constant weight = *graph->constants().front()->constant();
    weight.integers = std::make_shared<const ir::Integers>(ir::Integers{weight.data, {0.5f, 0.25f}, 0});
    const ir::Constant& bias = *graph->constants().back()->constant();
    QCOMPARE(*backends::xnnpack::biasIntegers(bias, weight, 0.5f), (std::vector<int32_t>{4, -8}));
    QVERIFY(!backends::xnnpack::biasIntegers(bias, weight, 1e-12f));
  }

  // Two layers of equal scales share them.
  void scalesAreNamedData() {
    const auto graph = tests::quantisedGraph("graph g {\n  input %a : f32[4,2]\n" + kWeights + kLinear +
                                             "  %e : f32[4,2] = aten.linear.default(%y, %v, none)\n  return (%e)\n}");
    const ir::DelegateBlob blob = backends::xnnpack::serialise(backends::xnnpack::Lowering(*graph, true).run());
    QCOMPARE(blob.namedData.size(), size_t{2});
    const auto isScales = [](const ir::NamedData& data) { return data.key.starts_with("scale_"); };
    const auto scales = std::find_if(blob.namedData.begin(), blob.namedData.end(), isScales);
    QVERIFY(scales != blob.namedData.end());
    QCOMPARE(scales->data->size(), uint64_t{8});
  }

  // Two integers a byte: with scales of groups, or of rows in float32.
  void fourBits() {
    const auto text = [](const std::string& block, const std::string& scales, const std::string& factors,
                         const std::string& zeros) {
      return loweredQuantised(R"(graph g {
  input %x : f32[4,64]
  const %w : i8[2,64] = "w"
  const %s : f32[)" + scales + R"(] = "s" )" +
                              factors + R"(
  const %o : i8[)" + scales + R"(] = "o" )" +
                              zeros + R"(
  %c : f32[4,1], %d : i8[4,1] = torchao.choose_qparams_affine.default(%x, "ASYMMETRIC", [1, 64], dtype:i8, -128, 127, 0.001, dtype:f32, dtype:i8, false)
  %q : i8[4,64] = torchao.quantize_affine.default(%x, [1, 64], %c, %d, dtype:i8, -128, 127)
  %a : f32[4,64] = torchao.dequantize_affine.default(%q, [1, 64], %c, %d, dtype:i8, -128, 127, dtype:f32)
  %v : f32[2,64] = torchao.dequantize_affine.default(%w, )" +
                              block + R"(, %s, %o, dtype:i8, -8, 7, dtype:f32)
  %y : f32[4,2] = aten.linear.default(%a, %v, none)
  return (%y)
}
)");
    };
    QCOMPARE(text("[1, 32]", "2,2", "[1, 2, 0.5, 1]", "[0, 0, 0, 0]"), QString(R"(v0: input 0 f32[4,64]
v2: static i8[2,64] 4 bits, scales of groups of 32
v1 = convert(v0) i8[4,64] scales of the last 1
v3 = fully_connected(v1, v2, none) f32[4,2]
output 1: v3
)"));
    QVERIFY(text("[1, 64]", "2,1", "[1, 0.3]", "[0, 0]").contains("static i8[2,64] 4 bits, scales of dimension 0"));
  }
};

QTEST_GUILESS_MAIN(TestXnnpackQuantised)
#include "tst_xnnpack_quantised.moc"
