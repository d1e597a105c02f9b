// Mixed operands get casts, numbers become constants of the type that is computed in.
#include <QTest>

#include "pass_support.h"

using exportdeck::passes::promoteTypes;
using exportdeck::tests::after;

class TestPromoteTypes : public QObject {
  Q_OBJECT

 private slots:
  void operands_data() {
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("contains");
    QTest::newRow("integer and float") << "%y : f32[3] = aten.add.Tensor(%x, %i, 1)"
                                       << "aten.add.Tensor(%x, %_to_copy, 1)";
    QTest::newRow("a number") << "%y : f32[3] = aten.mul.Tensor(%x, 2)" << "= \"scalar_2\" [2]";
    QTest::newRow("a number of another kind")
        << "%y : f32[3] = aten.mul.Tensor(%i, 2.5)" << "f32[] = \"scalar_2.5\" [2.5]";
    QTest::newRow("integers divide as floats")
        << "%y : f32[3] = aten.div.Tensor(%i, 2)" << "f32[3] = aten._to_copy.default(%i, dtype:f32";
    QTest::newRow("bool and integer") << "%y : i64[3] = aten.add.Tensor(%i, %b, 1)"
                                      << "i64[3] = aten._to_copy.default(%b, dtype:i64";
    QTest::newRow("comparison") << "%y : bool[3] = aten.gt.Tensor(%i, %x)" << "aten.gt.Tensor(%_to_copy, %x)";
    QTest::newRow("truth of both") << "%y : bool[3] = aten.logical_and.default(%x, %i)"
                                   << "aten.logical_and.default(%x, %_to_copy)";
    QTest::newRow("choice") << "%y : f32[3] = aten.where.self(%b, %i, %x)" << "aten.where.self(%b, %_to_copy, %x)";
    QTest::newRow("function of integers") << "%y : f32[3] = aten.exp.default(%i)" << "aten.exp.default(%_to_copy)";
    QTest::newRow("known operand") << "%y : f32[3] = aten.sub.Tensor(%x, %k, 1)"
                                   << "const %k.f32 : f32[] = \"k.f32\" [4]";
    QTest::newRow("nothing to do") << "%y : f32[3] = aten.add.Tensor(%x, %x, 1)" << "aten.add.Tensor(%x, %x, 1)";
  }
  void operands() {
    QFETCH(QString, node);
    QFETCH(QString, contains);
    const QString text = after(promoteTypes,
                               "graph g {\n  input %x : f32[3]\n  input %i : i64[3]\n  input %b : bool[3]\n"
                               "  const %k : i64[] = \"k\" [4]\n  " +
                                   node.toStdString() + "\n  return (%y)\n}");
    QVERIFY2(text.contains(contains), qPrintable(text));
  }
};

QTEST_APPLESS_MAIN(TestPromoteTypes)
#include "tst_promote_types.moc"
