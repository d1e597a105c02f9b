// What XNNPACK takes, and why not.
#include <QTest>

#include "xnnpack_support.h"

using namespace exportdeck;

class TestXnnpackJudge : public QObject {
  Q_OBJECT

 private slots:
  void verdicts_data() {
    QTest::addColumn<QString>("inputs");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("reason");  // empty: taken; else a part of it

    const QString image = "input %x : f32[1,3,8,8]\n";
    const QString conv = image + "const %w : f32[4,3,3,3] = \"w\"\n";
    const auto row = [](const char* name, const QString& inputs, const char* node, const char* reason) {
      QTest::newRow(name) << inputs << node << reason;
    };
    row("convolution", conv,
        "%y : f32[1,4,6,6] = aten.convolution.default(%x, %w, none, [1,1], [0,0], [1,1], false, [0,0], 1)", "");
    row("computed weight", image + "input %w : f32[4,3,3,3]\n",
        "%y : f32[1,4,6,6] = aten.convolution.default(%x, %w, none, [1,1], [0,0], [1,1], false, [0,0], 1)",
        "weight is computed");
    row("3-d convolution", "input %x : f32[1,3,8,8,8]\nconst %w : f32[4,3,3,3,3] = \"w\"\n",
        "%y : f32[1,4,6,6,6] = aten.convolution.default(%x, %w, none, [1,1,1], [0,0,0], [1,1,1], false, [0,0,0], 1)",
        "no 3-d convolution");
    row("unbatched convolution", "input %x : f32[3,8,8]\nconst %w : f32[4,3,3,3] = \"w\"\n",
        "%y : f32[4,6,6] = aten.convolution.default(%x, %w, none, [1,1], [0,0], [1,1], false, [0,0], 1)",
        "no batch dimension");
    row("output padding", image + "const %w : f32[3,4,3,3] = \"w\"\n",
        "%y : f32[1,4,11,11] = aten.convolution.default(%x, %w, none, [1,1], [0,0], [2,2], true, [1,1], 1)",
        "output padding");
    row("integers", "input %x : i64[2]\n", "%y : i64[2] = aten.abs.default(%x)", "int64");
    row("rank 7", "input %x : f32[1,1,1,1,1,1,2]\n", "%y : f32[1,1,1,1,1,1,2] = aten.abs.default(%x)", "7 dimensions");
    row("size without a bound", "input %x : f32[s0,2]\n", "%y : f32[s0,2] = aten.abs.default(%x)", "no upper bound");
    const QString open = "symbol s0 in [2, 8]\nsymbol s1 in [2, 8]\n";
    const QString rows = open + "input %x : f32[s0,6]\n", table = open + "input %x : f32[s0,s1,6]\n";
    row("run-time size", rows, "%y : f32[s0,6] = aten.abs.default(%x)", "");
    row("run-time size in a reshape", rows, "%y : f32[s0,2,3] = aten.view_copy.default(%x, [sym:\"s0\", 2, 3])", "");
    row("two that become one", table, "%y : f32[\"s0*s1\",6] = aten.view_copy.default(%x, [sym:\"s0*s1\", 6])", "");
    row("two in a reshape", table, "%y : f32[s0,s1,2,3] = aten.view_copy.default(%x, [sym:\"s0\", sym:\"s1\", 2, 3])",
        "finds one size");
    row("run-time position", rows, "%y : f32[\"s0 - 1\",6] = aten.slice_copy.Tensor(%x, 0, 0, sym:\"s0 - 1\", 1)",
        "known only at run time");
    row("slice beside a run-time size", rows, "%y : f32[s0,2] = aten.slice_copy.Tensor(%x, 1, 0, 2, 1)", "");
    row("mean over a run-time size", rows, "%y : f32[1,6] = aten.mean.dim(%x, [0], true, none)", "");
    row("sum over a run-time size", rows, "%y : f32[1,6] = aten.sum.dim_IntList(%x, [0], true, none)",
        "known only at run time");
    row("empty", "input %x : f32[0,2]\n", "%y : f32[0,2] = aten.abs.default(%x)", "empty");
    row("unknown", "input %x : f32[2]\n", "%y : f32[2] = aten.erf.default(%x)", "no such operator");
    // Without a kernel of its own it must become a view before, also where the region that it lies in is given up.
    row("private view", "input %x : f32[2,3]\n", "%y : f32[6] = aten._unsafe_view.default(%x, [6])",
        "no such operator");
    row("gelu", "input %x : f32[2]\n", "%y : f32[2] = aten.gelu.default(%x, \"none\")", "");
    row("tanh gelu", "input %x : f32[2]\n", "%y : f32[2] = aten.gelu.default(%x, \"tanh\")", "");
    row("half gelu", "input %x : f16[2]\n", "%y : f16[2] = aten.gelu.default(%x, \"none\")", "float32 only");
    row("half add", "input %x : f16[2]\n", "%y : f16[2] = aten.add.Tensor(%x, %x, 1)", "");
    row("alpha", "input %x : f32[2]\n", "%y : f32[2] = aten.add.Tensor(%x, %x, 2)", "");
    row("alpha beside a single element", "input %x : f32[2]\ninput %k : f32[]\n",
        "%y : f32[2] = aten.add.Tensor(%k, %x, 2)", "alpha");
    row("crossed bounds", "input %x : f32[2]\n", "%y : f32[2] = aten.clamp.default(%x, 2, 1)", "above its upper bound");
    row("softmax last", "input %x : f32[2,3]\n", "%y : f32[2,3] = aten._softmax.default(%x, -1, false)", "");
    row("softmax channels", image, "%y : f32[1,3,8,8] = aten._softmax.default(%x, 1, false)", "");
    row("mean of a row", "input %x : f32[2,3]\n", "%y : f32[2] = aten.mean.dim(%x, [1], false, none)", "");
    row("mean of separate dimensions", image, "%y : f32[3,8] = aten.mean.dim(%x, [0,2], false, none)", "neighbours");
    row("half sum", "input %x : f16[2,3]\n", "%y : f16[2] = aten.sum.dim_IntList(%x, [1], false, none)",
        "float32 only");
    row("indices", "input %x : f32[2,3]\n", "%y : f32[2], %i : i64[2] = aten.max.dim(%x, 1, false)", "");
    row("softmax rows", image, "%y : f32[1,3,8,8] = aten._softmax.default(%x, 2, false)", "");
    row("mean", image, "%y : f32[1,3,1,1] = aten.mean.dim(%x, [-1,-2], true, none)", "");
    row("dynamic linear", "input %x : f32[2,3]\ninput %w : f32[4,3]\n",
        "%y : f32[2,4] = aten.linear.default(%x, %w, none)", "");
    row("average of partial windows", image,
        "%y : f32[1,3,4,4] = aten.avg_pool2d.default(%x, [3,3], [2,2], [0,0], true, true, none)", "partial windows");
    row("average divisor", image,
        "%y : f32[1,3,4,4] = aten.avg_pool2d.default(%x, [2,2], [2,2], [0,0], false, true, 3)", "divisor");
    row("power", "input %x : f32[2]\n", "%y : f32[2] = aten.pow.Tensor_Scalar(%x, 2.0)", "");
    row("cube", "input %x : f32[2]\n", "%y : f32[2] = aten.pow.Tensor_Scalar(%x, 3)", "powers 2 and 0.5");
    row("step", "input %x : f32[9]\n", "%y : f32[4] = aten.slice_copy.Tensor(%x, 0, 0, 8, 2)", "step");
    row("expand", "input %x : f32[1,2]\n", "%y : f32[4,2] = aten.expand_copy.default(%x, [4,2], false)", "");
    row("crop", "input %x : f32[8]\n", "%y : f32[6] = aten.constant_pad_nd.default(%x, [-1,-1], 0)", "crops");
    row("scaled resize", "input %x : f32[1,3,5,5]\n",
        "%y : f32[1,3,7,7] = aten.upsample_bilinear2d.vec(%x, none, false, floats[1.5, 1.5])", "other places");
    const auto nearest = [&](const char* name, const char* node, const char* reason) {
      row(name, image, node, reason);
    };
    nearest("repeated pixels", "%y : f32[1,3,16,24] = aten.upsample_nearest2d.vec(%x, [16,24], none)", "");
    nearest("repeated by a scale", "%y : f32[1,3,48,8] = aten.upsample_nearest2d.vec(%x, none, floats[6.0, 1.0])", "");
    nearest("no whole factor", "%y : f32[1,3,12,12] = aten.upsample_nearest2d.vec(%x, [12,12], none)", "whole factor");
    nearest("smaller", "%y : f32[1,3,4,4] = aten.upsample_nearest2d.vec(%x, [4,4], none)", "whole factor");
    nearest("factor that no node joins at once", "%y : f32[1,3,8,56] = aten.upsample_nearest2d.vec(%x, [8,56], none)",
            "");
    // PyTorch steps by the scale that was given, whatever size it led to.
    nearest("inexact scale", "%y : f32[1,3,24,24] = aten.upsample_nearest2d.vec(%x, none, floats[3.05, 3.05])",
            "whole factor");
    row("constants only", "const %c : f32[2] = \"c\"\n", "%y : f32[2] = aten.abs.default(%c)", "constants");
    row("integer constant operand", "input %x : f32[2]\nconst %c : i64[] = \"c\" [2]\n",
        "%y : f32[2] = aten.mul.Tensor(%x, %c)", "");
  }

  void verdicts() {
    QFETCH(QString, inputs);
    QFETCH(QString, node);
    QFETCH(QString, reason);
    const backends::Verdict verdict = tests::judged(("graph g {\n" + inputs + node + "\nreturn (%y)\n}").toStdString());
    QCOMPARE(verdict.taken, reason.isEmpty());
    QVERIFY2(reason.isEmpty() || QString::fromStdString(verdict.reason).contains(reason), verdict.reason.c_str());
  }
};

QTEST_APPLESS_MAIN(TestXnnpackJudge)
#include "tst_xnnpack_judge.moc"
