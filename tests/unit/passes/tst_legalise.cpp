// What cannot be lowered is reported, all of it, before anything is partitioned.
#include <QTest>

#include "pass_support.h"
#include "support/errors.h"

using namespace exportdeck;

namespace {

struct Outcome {
  std::vector<Diagnostic> reported;
  std::optional<Diagnostic> thrown;
  std::string before, after;
};

Outcome legalised(
    const std::string& text, std::function<bool(const ir::Node&)> keepWhole = [](const ir::Node&) { return false; }) {
  auto graph = ir::parse(text);
  DiagnosticSink diagnostics;
  const Context context{silentProgress(), {}};
  passes::PassContext passContext{context, diagnostics, std::move(keepWhole)};
  Outcome outcome;
  outcome.before = ir::print(*graph);
  outcome.thrown = tests::errorOf([&] {
    passes::legalise(*graph, passContext);
    return 0;
  });
  outcome.after = ir::print(*graph);
  outcome.reported = diagnostics.all();
  return outcome;
}

std::string codeOf(const std::string& text) {
  const Outcome outcome = legalised(text);
  return outcome.thrown ? codeInfo(outcome.thrown->code).id : "none";
}

}  // namespace

class TestLegalise : public QObject {
  Q_OBJECT

 private slots:
  void changesNothing() {
    const Outcome outcome = legalised(R"(graph g {
  input %x : f32[2,3]
  %a : f32[2,3] = aten.relu.default(%x)
  %b : f32[6] = aten.view_copy.default(%a, [6])
  %c : f32[1,6] = aten.unsqueeze_copy.default(%b, 0)
  %d : f32[6] = aten.squeeze_copy.default(%c)
  return (%d)
})");
    QVERIFY(!outcome.thrown);
    QVERIFY(outcome.reported.empty());
    QCOMPARE(outcome.after, outcome.before);
  }

  void reportsAllAndThrowsTheFirst() {
    const Outcome outcome = legalised(R"(graph g {
  input %x : f32[2,3]
  %v : f32[2,3] , %i : i64[2,3] = aten.sort.default(%x, 1, false)
  %w : f32[2,3] = my.own.default(%v)
  %m : f32[] = aten.median.default(%w)
  return (%m)
})");
    QVERIFY(outcome.thrown);
    QCOMPARE(outcome.thrown->message,
             std::string(
                 "the operator aten.sort.default has no kernel in the ExecuTorch runtime (the first of 3 problems)"));
    QCOMPARE(outcome.thrown->where.op, std::string("aten.sort.default"));
    QVERIFY(!outcome.thrown->fixes.empty());
    QCOMPARE(outcome.reported.size(), size_t(3));
    QCOMPARE(outcome.reported[0].code, Code::OperatorUnsupported);
    QCOMPARE(outcome.reported[1].code, Code::OperatorUnknown);
    QCOMPARE(outcome.reported[2].where.op, std::string("aten.median.default"));
  }

  void namesTheNearestOperator() {
    const Outcome outcome =
        legalised("graph g {\n  input %x : f32[2]\n  %y : f32[2] = aten.sigmoied.default(%x)\n  return (%y)\n}");
    QVERIFY(outcome.thrown);
    QCOMPARE(outcome.thrown->code, Code::OperatorUnknown);
    QCOMPARE(outcome.thrown->fixes.front(), std::string("Use aten.sigmoid.default, the nearest known operator"));
  }

  void whatTheBackendKeepsPasses() {
    const std::string text =
        "graph g {\n  input %x : f32[1,1,4,4]\n  %y : f32[1,1,2,2] = aten.max_pool2d.default(%x, [2, 2], [2, 2], "
        "[0, 0], [1, 1], false)\n  return (%y)\n}";
    QVERIFY(legalised(text).thrown);
    QVERIFY(!legalised(text, [](const ir::Node& node) { return node.is("aten.max_pool2d.default"); }).thrown);
  }

  void refusesByKind_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("code");
    QTest::newRow("dynamic size") << "input %x : f32[s0,3]\n %y : f32[s0,3] = aten.relu.default(%x)"
                                  << "shape.unsupported";
    QTest::newRow("size found at run time")
        << "input %x : f32[3]\n %y : i64[u0,1] = aten.nonzero.default(%x)" << "shape.unsupported";
    QTest::newRow("number found at run time")
        << "input %x : f32[]\n %y : float = aten._local_scalar_dense.default(%x)" << "shape.unsupported";
    QTest::newRow("complex") << "input %x : f32[3]\n %y : c64[3] = aten.fft_fft.default(%x, none, -1, none)"
                             << "dtype.unsupported";
    QTest::newRow("unsigned 16 bit") << "input %x : u16[3]\n %y : u16[3] = aten.relu.default(%x)"
                                     << "dtype.unsupported";
    QTest::newRow("control flow") << "input %x : f32[3]\n %y : f32[3] = higher_order.cond(%x)"
                                  << "operator.unsupported";
    QTest::newRow("arithmetic on sizes") << "input %x : f32[3]\n %y : int = _operator.add(1, 2)" << "shape.unsupported";
  }

  void refusesByKind() {
    QFETCH(QString, body);
    QFETCH(QString, code);
    QCOMPARE(codeOf("graph g {\n " + body.toStdString() + "\n return ()\n}"), code.toStdString());
  }
};

QTEST_APPLESS_MAIN(TestLegalise)
#include "tst_legalise.moc"
