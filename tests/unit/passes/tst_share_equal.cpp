// What is computed twice is computed once.
#include <QTest>

#include "pass_support.h"

using namespace exportdeck;
using exportdeck::tests::graphAfter;

class TestShareEqual : public QObject {
  Q_OBJECT

 private slots:
  void nodes_data() {
    QTest::addColumn<QString>("second");  // the first is %a = mul(%x, %k)
    QTest::addColumn<bool>("shared");
    QTest::newRow("the same") << "aten.mul.Tensor(%x, %k)" << true;
    QTest::newRow("a constant of the same content") << "aten.mul.Tensor(%x, %same)" << true;
    QTest::newRow("another number") << "aten.mul.Tensor(%x, %other)" << false;
    QTest::newRow("a number that only another type tells") << "aten.mul.Tensor(%x, %wide)" << false;
    QTest::newRow("another operand") << "aten.mul.Tensor(%z, %k)" << false;
    QTest::newRow("a state that begins so") << "aten.mul.Tensor(%x, %state)" << false;
    QTest::newRow("another operator") << "aten.div.Tensor(%x, %k)" << false;
  }
  void nodes() {
    QFETCH(QString, second);
    QFETCH(bool, shared);
    const auto graph = graphAfter(passes::shareEqual, R"(graph g {
  input %x : f32[2]
  input %z : f32[2]
  const %k : f32[] = "k" [0.5]
  const %same : f32[] = "same" [0.5]
  const %other : f32[] = "other" [0.25]
  const %wide : f64[] = "wide" [0.5]
  state %state : f32[] = "state" [0.5]
  %a : f32[2] = aten.mul.Tensor(%x, %k)
  %b : f32[2] = )" + second.toStdString() + R"(
  %y : f32[2] = aten.sub.Tensor(%a, %b, 1)
  return (%y)
})");
    QCOMPARE(graph->nodes().size(), size_t(shared ? 2 : 3));
    const ir::Node& last = *graph->nodes().back();
    QCOMPARE(last.value(0) == last.value(1), shared);
  }

  void chainsAreFollowed() {
    const auto graph = graphAfter(passes::shareEqual, R"(graph g {
  input %x : f32[2,3]
  %a : f32[3,2] = aten.permute_copy.default(%x, [1, 0])
  %b : f32[3,2] = aten.permute_copy.default(%x, [1, 0])
  %c : f32[3,2] = aten.abs.default(%a)
  %d : f32[3,2] = aten.abs.default(%b)
  %e : f32[6,2] = aten.cat.default({%c, %d}, 0)
  return (%e)
})");
    QCOMPARE(graph->nodes().size(), size_t{3});
  }

  void whatDiffersEachTimeStays() {
    const auto graph = graphAfter(passes::shareEqual, R"(graph g {
  %a : f32[2] = aten.rand.default([2], dtype:f32, none, none, none)
  %b : f32[2] = aten.rand.default([2], dtype:f32, none, none, none)
  %c : f32[2] = aten.sub.Tensor(%a, %b, 1)
  return (%c)
})");
    QCOMPARE(graph->nodes().size(), size_t{3});
  }

  // The caller may write into one and read the other.
  void resultsOfTheProgramStayApart() {
    const auto graph = graphAfter(passes::shareEqual, R"(graph g {
  input %x : f32[2]
  %a : f32[2] = aten.abs.default(%x)
  %b : f32[2] = aten.abs.default(%x)
  return (%a, %b)
})");
    QCOMPARE(graph->nodes().size(), size_t{2});
  }
};

QTEST_APPLESS_MAIN(TestShareEqual)
#include "tst_share_equal.moc"
