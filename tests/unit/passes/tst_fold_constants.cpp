// What depends on no input is replaced by what an evaluator says that it is; what would make the program larger stays.
#include <QTest>

#include "pass_support.h"
#include "passes/evaluator.h"
#include "support/errors.h"

using namespace exportdeck;

namespace {

// Fills every result with one byte, and keeps the text of what it was asked for.
class FakeEvaluator : public passes::Evaluator {
 public:
  explicit FakeEvaluator(int fill = 0) : fill_(static_cast<std::byte>(fill)) {}
  std::vector<Bytes> evaluate(const ir::Graph& graph) override {
    asked.push_back(QString::fromStdString(ir::print(graph)));
    if (fails) throw ExportError(Code::VerifyLoadFailed, "the kernel failed", {});
    std::vector<Bytes> results;
    for (const ir::Argument& output : graph.outputs())
      results.emplace_back(std::get<ir::Value*>(output)->type().bytes(), fill_);
    return results;
  }
  std::vector<QString> asked;
  bool fails = false;

 private:
  std::byte fill_;
};

QString folded(const std::string& body, passes::Evaluator* evaluator) {
  auto graph = ir::parse("graph g {\n" + body + "}\n");
  DiagnosticSink diagnostics;
  const Context context{silentProgress(), {}};
  passes::PassContext passContext{context, diagnostics};
  passContext.evaluator = evaluator;
  passes::foldConstants(*graph, passContext);
  ir::verify(*graph);
  return QString::fromStdString(ir::print(*graph));
}

constexpr const char* kMask = R"(  input %x : f32[4]
  const %k : i64[4] = "k" [0, 1, 2, 3]
  %a : i64[4] = aten.mul.Tensor(%k, %k)
  %m : bool[4] = aten.gt.Scalar(%a, 2)
  %y : f32[4] = aten.masked_fill.Scalar(%x, %m, 0)
  return (%y)
)";

}  // namespace

class TestFoldConstants : public QObject {
  Q_OBJECT

 private slots:
  // What a state begins with is known, what it holds is not.
  void statesAreNoConstants() {
    FakeEvaluator evaluator;
    const std::string body = R"(  const %k : f32[4] = "k" [0, 1, 2, 3]
  state %n : f32[4] = "n" [0, 0, 0, 0]
  %a : f32[4] = aten.mul.Tensor(%n, %k)
  %b : f32[2,2] = aten.view_copy.default(%n, [2, 2])
  update %n = %a
  return (%b)
)";
    QCOMPARE(folded(body, &evaluator), QString::fromStdString("graph g {\n" + body + "}\n"));
    QVERIFY(evaluator.asked.empty());
  }

  void aConstantPartBecomesItsResults() {
    FakeEvaluator evaluator(1);
    const QString text = folded(kMask, &evaluator);
    QCOMPARE(text, QString(R"(graph g {
  input %x : f32[4]
  const %folded.m : bool[4] = "folded.m" [1, 1, 1, 1]
  %y : f32[4] = aten.masked_fill.Scalar(%x, %folded.m, 0)
  return (%y)
}
)"));
    QCOMPARE(evaluator.asked.size(), size_t{1});
    const QString& asked = evaluator.asked.front();
    QVERIFY2(asked.contains("aten.mul.out(%k, %k)") && asked.contains("aten.gt.Scalar_out(%a, 2)"), qPrintable(asked));
    QVERIFY2(asked.contains("return (%m)") && !asked.contains("input"), qPrintable(asked));
  }

  // A backend without constant operands takes it no longer, and no kernel computes it.
  void whatLosesItsBackendIsDecomposed() {
    auto graph = ir::parse(R"(graph g {
  input %x : f32[4]
  const %k : f32[4] = "k" [0, 1, 2, 3]
  %s : f32[4] = aten.sigmoid.default(%k)
  %h : f32[4] = aten.hardswish.default(%s)
  %y : f32[4] = aten.add.Tensor(%x, %h, 1)
  return (%y)
})");
    DiagnosticSink diagnostics;
    const Context context{silentProgress(), {}};
    passes::PassContext passContext{context, diagnostics};
    passContext.keepWhole = [](const ir::Node& node) {
      return node.is("aten.hardswish.default") && !node.value(0)->isConstant();
    };
    FakeEvaluator evaluator(1);
    passContext.evaluator = &evaluator;
    passes::runPasses(*graph, passes::loweringPasses(), passContext, {});
    QCOMPARE(graph->nodes().size(), size_t{1});
    QCOMPARE(evaluator.asked.size(), size_t{2});
    QVERIFY2(evaluator.asked.back().contains("aten.mul.out(%folded.s"), qPrintable(evaluator.asked.back()));
  }

  void staysWhereNothingComputesIt() {
    FakeEvaluator evaluator;
    evaluator.fails = true;
    const QString before = folded(kMask, nullptr);
    QVERIFY(before.contains("aten.mul.Tensor(%k, %k)"));
    QCOMPARE(folded(kMask, &evaluator), before);
    QCOMPARE(evaluator.asked.size(), size_t{1});
  }

  void theEvaluatorIsNotCalledForNothing() {
    FakeEvaluator evaluator;
    folded("  input %x : f32[4]\n  %y : f32[4] = aten.exp.default(%x)\n  return (%y)\n", &evaluator);
    QVERIFY(evaluator.asked.empty());
  }

  void stays_data() {
    QTest::addColumn<QString>("body");
    QTest::newRow("random") << "  %r : f32[4] = aten.rand.default([4], none, none, none, none)\n"
                               "  %y : f32[4] = aten.mul.Tensor(%k, %r)\n  return (%y)\n";
    QTest::newRow("returned") << "  %y : f32[4] = aten.exp.default(%k)\n  return (%y)\n";
    QTest::newRow("larger than its operand") << "  %e : f32[256,4] = aten.expand_copy.default(%k, [256, 4], false)\n"
                                                "  %y : f32[256,4] = aten.mul.Tensor(%x, %e)\n  return (%y)\n";
    QTest::newRow("large operand")
        << "  const %w : f32[2097152] = \"w\"\n  %n : f32[1] = aten.sum.dim_IntList(%w, [0], "
           "true, none)\n  %y : f32[4] = aten.mul.Tensor(%k, %n)\n  return (%y)\n";
    QTest::newRow("no kernel") << "  %s : f32[4] = aten.silu.default(%k)\n"
                                  "  %y : f32[4] = aten.mul.Tensor(%x, %s)\n  return (%y)\n";
  }
  void stays() {
    QFETCH(QString, body);
    FakeEvaluator evaluator;
    const std::string text = "  input %x : f32[4]\n  const %k : f32[4] = \"k\" [0, 1, 2, 3]\n" + body.toStdString();
    QCOMPARE(folded(text, &evaluator), folded(text, nullptr));
    QVERIFY(evaluator.asked.empty());
  }

  // A result that is too large stays as a node, yet what else comes from it is known.
  // Of as many elements as its operand, so it may be wider.
  void aMaskBecomesNumbers() {
    FakeEvaluator evaluator;
    const QString text = folded(R"(  input %x : f32[1024]
  const %m : bool[1024] = "m"
  const %a : f32[] = "a" [0]
  const %b : f32[] = "b" [-inf]
  %w : f32[1024] = aten.where.self(%m, %a, %b)
  %y : f32[1024] = aten.mul.Tensor(%x, %w)
  return (%y)
)",
                                &evaluator);
    QVERIFY2(text.contains("aten.mul.Tensor(%x, %folded.w)"), qPrintable(text));
  }

  void whatComesFromALargeResultIsFolded() {
    FakeEvaluator evaluator(1);
    const QString text = folded(R"(  input %x : f32[256,4]
  const %k : f32[4] = "k" [0, 1, 2, 3]
  %e : f32[256,4] = aten.expand_copy.default(%k, [256, 4], false)
  %n : bool[256,4] = aten.gt.Scalar(%e, 100)
  %any : bool[] = aten.any.default(%n)
  %y : f32[256,4] = aten.where.self(%any, %e, %x)
  return (%y)
)",
                                &evaluator);
    QVERIFY2(text.contains("%e : f32[256,4] = aten.expand_copy.default(%k"), qPrintable(text));
    QVERIFY2(text.contains("return (%e)") && !text.contains("aten.where") && !text.contains("aten.any"),
             qPrintable(text));
  }

  void knownBranches_data() {
    QTest::addColumn<QString>("condition");
    QTest::addColumn<QString>("result");
    QTest::newRow("all") << "[true, true]" << "return (%a)";
    QTest::newRow("none") << "[false, false]" << "return (%b)";
    QTest::newRow("mixed") << "[true, false]" << "aten.where.self(%c, %a, %b)";
  }
  void knownBranches() {
    QFETCH(QString, condition);
    QFETCH(QString, result);
    FakeEvaluator evaluator;
    const QString text =
        folded("  input %a : f32[2]\n  input %b : f32[2]\n  const %c : bool[2] = \"c\" " + condition.toStdString() +
                   "\n  %y : f32[2] = aten.where.self(%c, %a, %b)\n  return (%y)\n",
               &evaluator);
    QVERIFY2(text.contains(result), qPrintable(text));
  }

  void arithmeticThatChangesNothingGoes_data() {
    QTest::addColumn<QString>("node");
    QTest::addColumn<bool>("goes");
    QTest::newRow("times one") << "aten.mul.Tensor(%x, %ones)" << true;
    QTest::newRow("plus nothing") << "aten.add.Tensor(%x, %zeros, 1)" << true;
    QTest::newRow("at least minus infinity") << "aten.maximum.default(%x, %lowest)" << true;
    QTest::newRow("plus one") << "aten.add.Tensor(%x, %ones, 1)" << false;
    QTest::newRow("times mixed") << "aten.mul.Tensor(%x, %mixed)" << false;
    QTest::newRow("from nothing") << "aten.sub.Tensor(%zeros, %x, 1)" << false;
  }
  void arithmeticThatChangesNothingGoes() {
    QFETCH(QString, node);
    QFETCH(bool, goes);
    FakeEvaluator evaluator;
    const std::string body = R"(  input %x : f32[2]
  const %ones : f32[2] = "ones" [1, 1]
  const %zeros : f32[] = "zeros" [0]
  const %lowest : f32[1] = "lowest" [-inf]
  const %mixed : f32[2] = "mixed" [1, 2]
  %a : f32[2] = aten.exp.default(%x)
  %b : f32[2] = )";
    const QString text =
        folded(body + QString(node).replace("%x", "%a").toStdString() + "\n  return (%b)\n", &evaluator);
    QVERIFY2(text.contains("return (%a)") == goes, qPrintable(text));
  }

  void aBranchOfAnotherShapeStays() {
    FakeEvaluator evaluator;
    const QString text = folded(R"(  input %a : f32[1]
  input %b : f32[2]
  const %c : bool[2] = "c" [true, true]
  %y : f32[2] = aten.where.self(%c, %a, %b)
  return (%y)
)",
                                &evaluator);
    QVERIFY2(text.contains("aten.where.self(%c, %a, %b)"), qPrintable(text));
  }

  void equalResultsAreOneConstant() {
    FakeEvaluator evaluator(1);
    const QString text = folded(R"(  input %x : f32[2]
  const %k : f32[2] = "k" [1, 2]
  %a : f32[2] = aten.exp.default(%k)
  %b : f32[2] = aten.sin.default(%k)
  %p : f32[2] = aten.mul.Tensor(%x, %a)
  %y : f32[2] = aten.add.Tensor(%p, %b, 1)
  return (%y)
)",
                                &evaluator);
    QVERIFY2(text.contains("aten.add.Tensor(%p, %folded.a, 1)"), qPrintable(text));
    QCOMPARE(text.count("const"), 1);
  }

  void aReshapedConstantNeedsNoComputing() {
    FakeEvaluator evaluator;
    const QString text = folded(R"(  input %x : f32[2,2]
  const %k : f32[4] = "k" [1, 2, 3, 4]
  %v : f32[2,2] = aten.view_copy.default(%k, [2, 2])
  %y : f32[2,2] = aten.mul.Tensor(%x, %v)
  return (%y)
)",
                                &evaluator);
    QVERIFY(evaluator.asked.empty());
    QVERIFY2(text.contains(": f32[2,2] = \"k\" [1, 2, 3, 4]") && !text.contains("view_copy"), qPrintable(text));
  }
};

QTEST_APPLESS_MAIN(TestFoldConstants)
#include "tst_fold_constants.moc"
