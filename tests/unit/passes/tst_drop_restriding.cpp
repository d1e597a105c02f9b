// Views by strides that say again how their operand lies in memory.
#include <QTest>

#include "pass_support.h"

using namespace exportdeck;

class TestDropRestriding : public QObject {
  Q_OBJECT

 private slots:
  void views_data() {
    QTest::addColumn<QString>("strides");
    QTest::addColumn<QString>("offset");
    QTest::addColumn<bool>("operandIsChannelsLast");
    QTest::addColumn<bool>("goes");
    QTest::newRow("row-major") << "[12, 4, 2, 1]" << "none" << false << true;
    QTest::newRow("another order") << "[12, 1, 6, 3]" << "none" << false << false;
    QTest::newRow("channels last") << "[12, 1, 6, 3]" << "0" << true << true;
    QTest::newRow("row-major of channels last") << "[12, 4, 2, 1]" << "none" << true << false;
    QTest::newRow("the batch of one may say anything") << "[1, 4, 2, 1]" << "none" << false << true;
    QTest::newRow("another start") << "[12, 4, 2, 1]" << "1" << false << false;
  }
  void views() {
    QFETCH(QString, strides);
    QFETCH(QString, offset);
    QFETCH(bool, operandIsChannelsLast);
    QFETCH(bool, goes);
    const auto graph = ir::parse(
        "graph g {\n  input %x : f32[1,3,2,2]\n  %a : f32[1,3,2,2] = aten.neg.default(%x)\n"
        "  %y : f32[1,3,2,2] = aten.as_strided.default(%a, [1, 3, 2, 2], " +
        strides.toStdString() + ", " + offset.toStdString() + ")\n  return (%y)\n}");
    ir::Value* operand = graph->nodes().front()->output();
    ir::TensorType type = operand->type();
    if (operandIsChannelsLast) type.strides = {12, 1, 6, 3};
    operand->setType(type);
    DiagnosticSink diagnostics;
    const Context context{silentProgress(), {}};
    passes::PassContext passContext{context, diagnostics};
    passes::dropRestriding(*graph, passContext);
    QCOMPARE(graph->nodes().size(), goes ? size_t{1} : size_t{2});
    QCOMPARE(graph->isOutput(operand), goes);
  }
};

QTEST_APPLESS_MAIN(TestDropRestriding)
#include "tst_drop_restriding.moc"
