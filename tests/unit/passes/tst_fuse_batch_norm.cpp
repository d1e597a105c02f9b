// Batch norm with known statistics: folded into the weights before it where it is their only reader, else a product and
// a sum.
#include <QTest>

#include "pass_support.h"
#include "passes/constant_math.h"

using namespace exportdeck;
using exportdeck::passes::fuseBatchNorm;
using exportdeck::tests::after;
using exportdeck::tests::graphAfter;

namespace {

const std::string kStatistics = R"(  const %g : f32[2] = "bn.weight" [2, 3]
  const %b : f32[2] = "bn.bias" [1, -1]
  const %m : f32[2] = "bn.running_mean" [4, 8]
  const %v : f32[2] = "bn.running_var" [3, 15]
)";
const std::string kNorm =
    "  %n : f32[1,2,2,2], %n1 : f32[0], %n2 : f32[0] = "
    "aten._native_batch_norm_legit_no_training.default(%c, %g, %b, %m, %v, 0.1, 1.0)\n";

// The elements of the constant whose name ends so.
std::vector<double> elements(const ir::Graph& graph, const std::string& nameEnd) {
  for (const ir::Value* value : graph.constants()) {
    if (value->constant()->name.ends_with(nameEnd)) return passes::readAsDoubles(*value->constant());
  }
  return {};
}

}  // namespace

class TestFuseBatchNorm : public QObject {
  Q_OBJECT

 private slots:
  // scale = weight / sqrt(variance + eps) = [1, 0.75], shift = bias - mean * scale = [-3, -7]
  void foldsIntoAConvolution() {
    const auto graph = graphAfter(
        fuseBatchNorm, "graph g {\n  input %x : f32[1,1,2,2]\n  const %w : f32[2,1,1,1] = \"conv.weight\" [10, 20]\n" +
                           kStatistics +
                           "  %c : f32[1,2,2,2] = aten.convolution.default(%x, %w, none, [1,1], [0,0], [1,1], false, "
                           "[0,0], 1)\n" +
                           kNorm + "  return (%n)\n}");
    QCOMPARE(graph->nodes().size(), size_t(1));
    QCOMPARE(elements(*graph, "conv.weight*bn"), (std::vector<double>{10, 15}));
    QCOMPARE(elements(*graph, "bn.shift"), (std::vector<double>{-3, -7}));
    QVERIFY(graph->isOutput(graph->nodes().front()->output()));
  }

  // [in, out / groups]: with two groups of one channel each, row i belongs to channel i.
  void foldsIntoATransposedConvolutionWithGroups() {
    const auto graph = graphAfter(
        fuseBatchNorm,
        "graph g {\n  input %x : f32[1,4,2,2]\n"
        "  const %w : f32[4,1,1,1] = \"conv.weight\" [1, 2, 3, 4]\n  const %d : f32[2] = \"conv.bias\" [1, 2]\n" +
            kStatistics +
            "  %c : f32[1,2,2,2] = aten.convolution.default(%x, %w, %d, [1,1], [0,0], [1,1], true, "
            "[0,0], 2)\n" +
            kNorm + "  return (%n)\n}");
    QCOMPARE(elements(*graph, "conv.weight*bn"), (std::vector<double>{1, 2, 2.25, 3}));
    QCOMPARE(elements(*graph, "conv.bias*bn"), (std::vector<double>{-2, -5.5}));
  }

  void aloneItIsAProductAndASum() {
    const auto graph =
        graphAfter(fuseBatchNorm, "graph g {\n  input %c : f32[1,2,2,2]\n" + kStatistics + kNorm + "  return (%n)\n}");
    const QString text = QString::fromStdString(ir::print(*graph));
    QVERIFY2(text.contains("aten.mul.Tensor(%c, %bn.scale)"), qPrintable(text));
    QVERIFY2(text.contains("f32[2,1,1] = \"bn.scale\" [1, 0.75]"), qPrintable(text));
    QVERIFY2(text.contains("f32[2,1,1] = \"bn.shift\" [-3, -7]"), qPrintable(text));
  }

  // The convolution's own result is needed too.
  void aSecondReaderKeepsTheWeights() {
    const QString text = after(
        fuseBatchNorm, "graph g {\n  input %x : f32[1,1,2,2]\n  const %w : f32[2,1,1,1] = \"conv.weight\" [10, 20]\n" +
                           kStatistics +
                           "  %c : f32[1,2,2,2] = aten.convolution.default(%x, %w, none, [1,1], [0,0], [1,1], false, "
                           "[0,0], 1)\n" +
                           kNorm + "  return (%n, %c)\n}");
    QVERIFY(text.contains("aten.convolution.default(%x, %w, none"));
    QVERIFY(text.contains("aten.mul.Tensor(%c"));
  }

  void computedStatisticsStay() {
    std::string text =
        "graph g {\n  input %c : f32[1,2,2,2]\n  input %m : f32[2]\n" + kStatistics + kNorm + "  return (%n)\n}";
    text.replace(text.find("  const %m"), text.find("  const %v") - text.find("  const %m"), "");
    QVERIFY(after(fuseBatchNorm, text).contains("_native_batch_norm_legit_no_training"));
  }
};

QTEST_APPLESS_MAIN(TestFuseBatchNorm)
#include "tst_fuse_batch_norm.moc"
