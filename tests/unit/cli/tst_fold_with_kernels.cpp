// Folding with the kernels of the ExecuTorch runtime: a causal mask, and a program that cannot be run.
#include <QTest>

#include "driver/evaluation.h"
#include "passes/passes.h"
#include "runtime/evaluate.h"
#include "support/errors.h"

using namespace exportdeck;

namespace {

QString folded(const std::string& text) {
  auto graph = ir::parse(text);
  DiagnosticSink diagnostics;
  const Context context{silentProgress(), {}};
  const driver::ProgramRunner run = runtime::evaluate;
  driver::ProgramEvaluator evaluator(run, context);
  passes::PassContext passContext{context, diagnostics};
  passContext.evaluator = &evaluator;
  passes::foldConstants(*graph, passContext);
  ir::verify(*graph);
  return QString::fromStdString(ir::print(*graph));
}

}  // namespace

class TestFoldWithKernels : public QObject {
  Q_OBJECT

 private slots:
  void aCausalMaskIsComputed() {
    QCOMPARE(folded(R"(graph g {
  input %x : f32[3,3]
  const %row : i64[3,1] = "row" [0, 1, 2]
  const %col : i64[1,3] = "col" [0, 1, 2]
  const %zero : f32[] = "zero" [0]
  const %low : f32[] = "low" [-1]
  %m : bool[3,3] = aten.le.Tensor(%col, %row)
  %w : f32[3,3] = aten.where.self(%m, %zero, %low)
  %y : f32[3,3] = aten.add.Tensor(%x, %w, 1)
  return (%y)
}
)"),
             QString(R"(graph g {
  input %x : f32[3,3]
  const %folded.w : f32[3,3] = "folded.w" [0, -1, -1, 0, 0, -1, 0, 0, 0]
  %y : f32[3,3] = aten.add.Tensor(%x, %folded.w, 1)
  return (%y)
}
)"));
  }

  // The error is the model's own; the program would meet it at run time.
  void anIndexOutOfRangeStays_data() {
    QTest::addColumn<QString>("node");
    QTest::newRow("embedding") << "aten.embedding.default(%t, %i, -1, false, false)";
    QTest::newRow("index") << "aten.index.Tensor(%t, {%i})";
    QTest::newRow("gather") << "aten.gather.default(%t, 0, %j, false)";
    QTest::newRow("index_select") << "aten.index_select.default(%t, 0, %i)";
  }
  void anIndexOutOfRangeStays() {
    QFETCH(QString, node);
    const QString text = folded(
        "graph g {\n  input %x : f32[1,4]\n  const %t : f32[2,4] = \"t\"\n  const %i : i64[1] = "
        "\"i\" [9]\n  const %j : i64[1,4] = \"j\" [0, 1, 9, 0]\n  %e : f32[1,4] = " +
        node.toStdString() + "\n  %y : f32[1,4] = aten.mul.Tensor(%x, %e)\n  return (%y)\n}\n");
    QVERIFY2(text.contains(node.section('(', 0, 0)), qPrintable(text));
  }

  void whatIsNoProgramIsRefused() {
    const std::string code = tests::errorCode([] { return runtime::evaluate(Bytes(256)).size(); });
    QVERIFY2(code == "verify.load-failed", code.c_str());
  }
};

QTEST_GUILESS_MAIN(TestFoldWithKernels)
#include "tst_fold_with_kernels.moc"
