// Complex values become pairs of real ones; what cannot is refused with its place and a way out.
#include <QTest>

#include "pass_support.h"
#include "passes/constant_math.h"
#include "support/errors.h"

using namespace exportdeck;
using exportdeck::passes::realParts;
using exportdeck::tests::after;
using exportdeck::tests::errorOf;
using exportdeck::tests::graphAfter;

namespace {

std::string graphOf(const std::string& body) {
  return "graph g {\n" + body + "\n}";
}

QString refusal(const std::string& body) {
  const auto problem = errorOf([&] { graphAfter(realParts, graphOf(body)); });
  return problem ? QString::fromStdString(problem->text()) : QString();
}

std::vector<double> constantNamed(const ir::Graph& graph, const std::string& name) {
  for (const ir::Value* value : graph.constants()) {
    if (value->constant()->name == name) return passes::readAsDoubles(*value->constant());
  }
  return {};
}

void compareNumbers(const std::vector<double>& actual, const std::vector<double>& expected) {
  QCOMPARE(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) QVERIFY(std::fabs(actual[i] - expected[i]) < 1e-6);
}

}  // namespace

class TestRealParts : public QObject {
  Q_OBJECT

 private slots:
  void realProgramsStay() {
    const std::string text =
        graphOf("  input %x : f32[2]\n  %y : f32[2] = aten.clone.default(%x, none)\n  return (%y)");
    QVERIFY(after(realParts, text).contains("aten.clone.default"));
  }

  void productsAreOfParts() {
    QCOMPARE(after(realParts, graphOf(R"(  input %x : f32[3,2]
  input %y : f32[3,2]
  %a : c64[3] = aten.view_as_complex.default(%x)
  %b : c64[3] = aten.view_as_complex.default(%y)
  %c : c64[3] = aten.mul.Tensor(%a, %b)
  %d : f32[3] = aten.real.default(%c)
  return (%d))")),
             QString(R"(graph g {
  input %x : f32[3,2]
  input %y : f32[3,2]
  %select_copy : f32[3] = aten.select_copy.int(%x, 1, 0)
  %select_copy_1 : f32[3] = aten.select_copy.int(%x, 1, 1)
  %select_copy_2 : f32[3] = aten.select_copy.int(%y, 1, 0)
  %select_copy_3 : f32[3] = aten.select_copy.int(%y, 1, 1)
  %mul : f32[3] = aten.mul.Tensor(%select_copy, %select_copy_2)
  %mul_1 : f32[3] = aten.mul.Tensor(%select_copy_1, %select_copy_3)
  %sub : f32[3] = aten.sub.Tensor(%mul, %mul_1, 1)
  return (%sub)
}
)"));
  }

  void complexNumbersHaveTwoParts() {
    const auto graph = graphAfter(realParts, graphOf(R"(  input %x : f32[3]
  %a : c64[3] = aten.add.Tensor(%x, opaque:"complex 1.5 -2", 1)
  %b : f32[3,2] = aten.view_as_real.default(%a)
  return (%b))"));
    compareNumbers(constantNamed(*graph, "scalar_1.5"), {1.5});
    compareNumbers(constantNamed(*graph, "scalar_-2.expanded"), {-2, -2, -2});
  }

  // Places count from the start of the turn, so zeros are zeros and large ones lose nothing.
  void matricesAreExact() {
    const auto graph = graphAfter(realParts, graphOf(R"(  input %x : f32[2,4]
  %a : c64[2,3] = aten.fft_rfft.default(%x, none, -1, none)
  %b : f32[2,3,2] = aten.view_as_real.default(%a)
  return (%b))"));
    compareNumbers(constantNamed(*graph, "dft_cos_4"), {1, 1, 1, 1, 1, 0, -1, 0, 1, -1, 1, -1});
    compareNumbers(constantNamed(*graph, "dft_sin_4"), {0, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, 0});
  }

  void normsScaleTheMatrix() {
    const auto graph = graphAfter(realParts, graphOf(R"(  input %x : f32[1,4]
  %a : c64[1,4] = aten.fft_fft.default(%x, none, -1, "ortho")
  %b : f32[1,4] = aten.real.default(%a)
  return (%b))"));
    const auto numbers = constantNamed(*graph, "dft_cos_4_by_0.5");
    QCOMPARE(numbers.size(), size_t{16});
    QCOMPARE(numbers.front(), 0.5);
    QVERIFY2(constantNamed(*graph, "dft_sin_4_by_0.5").empty(), "nobody reads the imaginary part");
  }

  void longTransformsAreSplit() {
    const auto graph = graphAfter(realParts, graphOf(R"(  input %x : f32[1,1024]
  %a : c64[1,513] = aten.fft_rfft.default(%x, none, -1, none)
  %b : f32[1,513] = aten.abs.default(%a)
  return (%b))"));
    for (const ir::Value* value : graph->constants()) QVERIFY(value->type().elements() <= 1024);
  }

  void refusals_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("input") << "  input %x : c64[2]\n  %y : f32[2] = aten.abs.default(%x)\n  return (%y)"
                           << QStringList{"the input x", "torch.view_as_complex(x)", "[dtype.unsupported]"};
    QTest::newRow("output")
        << "  input %x : f32[2]\n  %y : c64[2] = aten.fft_fft.default(%x, none, -1, none)\n  return (%y)"
        << QStringList{"returns the complex tensor y", "torch.view_as_real(x)"};
    QTest::newRow("prime")
        << "  input %x : f32[1,4099]\n  %a : c64[1,2050] = aten.fft_rfft.default(%x, none, -1, none)\n"
           "  %y : f32[1,2050] = aten.abs.default(%a)\n  return (%y)"
        << QStringList{"transforms 4099 elements", "prime factor above 2048", "n=8192"};
    QTest::newRow("length of run time") << "  symbol s0 in [2, 64]\n  input %x : f32[1,s0]\n"
                                           "  %a : c64[1,s0] = aten.fft_fft.default(%x, none, -1, none)\n"
                                           "  %y : f32[1,s0] = aten.abs.default(%a)\n  return (%y)"
                                        << QStringList{"transforms s0 elements", "must be known at export"};
    QTest::newRow("operator") << "  input %x : f32[2]\n  %a : c64[2] = aten.fft_fft.default(%x, none, -1, none)\n"
                                 "  %b : c64[2] = aten.sqrt.default(%a)\n  %y : f32[2] = aten.abs.default(%b)\n"
                                 "  return (%y)"
                              << QStringList{"aten.sqrt.default is not supported on complex numbers", "x.real"};
  }

  void refusals() {
    QFETCH(QString, body);
    QFETCH(QStringList, words);
    const QString text = refusal(body.toStdString());
    for (const QString& word : words) QVERIFY2(text.contains(word), qPrintable(text));
  }
};

QTEST_GUILESS_MAIN(TestRealParts)
#include "tst_real_parts.moc"
