// What outlives the call: copies at the end, or none where nothing else needs what the memory held.
#include <QTest>

#include "base/text.h"
#include "pass_support.h"

using namespace exportdeck;
using exportdeck::passes::writeBack;
using exportdeck::tests::after;

namespace {

QStringList linesAfter(const std::string& text) {
  QStringList kept;
  for (const QString& line : after(writeBack, text).split('\n')) {
    const bool counts = line.contains(" = aten.") || line.contains("update") || line.contains("return") ||
                        line.contains(" = exportdeck.");
    if (counts) kept << line.trimmed();
  }
  return kept;
}

// 64 rows of 16 numbers: large enough for index_put_.
const std::string kCache = "  input %i : i64[1]\n  input %x : f32[1,16]\n  state %k : f32[64,16] = \"k\"\n";

}  // namespace

class TestWriteBack : public QObject {
  Q_OBJECT

 private slots:
  void updatesAreCopiedAtTheEnd() {
    QCOMPARE(linesAfter(R"(graph g {
  input %x : f32[2]
  state %n : f32[2] = "n" [0, 0]
  %y : f32[2] = aten.add.Tensor(%n, %x, 1)
  %z : f32[2] = aten.mul.Tensor(%n, %y)
  update %n = %y
  update %x = %z
  return (%y)
})"),
             (QStringList{"%y : f32[2] = aten.add.Tensor(%n, %x, 1)", "%z : f32[2] = aten.mul.Tensor(%n, %y)",
                          "%n_update : f32[2] = aten.copy_.default(%n, %y, false)",
                          "%x_update : f32[2] = aten.copy_.default(%x, %z, false)", "return (%y)"}));
  }

  // Each gets the other's old contents, and the caller the old contents of one.
  void oldContentsAreCopiedBefore() {
    QCOMPARE(
        linesAfter(R"(graph g {
  state %a : f32[4] = "a" [0, 0, 0, 0]
  state %b : f32[2,2] = "b" [1, 2, 3, 4]
  %va : f32[2,2] = aten.view_copy.default(%a, [2, 2])
  %vb : f32[4] = aten.view_copy.default(%b, [4])
  update %a = %vb
  update %b = %va
  return (%va)
})"),
        (QStringList{
            "%va : f32[2,2] = aten.view_copy.default(%a, [2, 2])", "%vb : f32[4] = aten.view_copy.default(%b, [4])",
            "%clone : f32[2,2] = aten.clone.default(%va, none)", "%clone_1 : f32[4] = aten.clone.default(%vb, none)",
            "%b_update : f32[2,2] = aten.copy_.default(%b, %clone, false)", "update %a = %clone_1",
            "return (%clone)"}));
  }

  void unchangedStatesAreNotWritten() {
    QCOMPARE(linesAfter("graph g {\n state %a : f32[1] = \"a\" [1]\n update %a = %a\n return (%a)\n}"),
             (QStringList{"return (%a)"}));
  }

  // Nothing reads the state from then on, so its update is computed where it lies.
  void whatReadsNothingOldIsComputedInPlace() {
    QCOMPARE(linesAfter(R"(graph g {
  input %x : f32[2]
  state %n : f32[2] = "n" [0, 0]
  %y : f32[2] = aten.add.Tensor(%n, %x, 1)
  %z : f32[2] = aten.exp.default(%x)
  %v : f32[1,2] = aten.view_copy.default(%z, [1, 2])
  %w : f32[1,2] = aten.neg.default(%v)
  update %n = %z
  return (%y, %w)
})")
                 .mid(4),
             (QStringList{"update %n = %z", "return (%y, %w)"}));
  }

  void readersAfterwardsKeepTheCopy_data() {
    QTest::addColumn<QString>("rest");
    QTest::newRow("state read later") << "%w : f32[2] = aten.neg.default(%n)\n update %n = %z\n return (%w)";
    QTest::newRow("view of the state read later")
        << "%v : f32[1,2] = aten.view_copy.default(%n, [1, 2])\n %w : f32[1,2] = aten.neg.default(%v)\n"
           " update %n = %z\n return (%w)";
    QTest::newRow("update returned") << "update %n = %z\n return (%z)";
    QTest::newRow("view of the update returned")
        << "%v : f32[1,2] = aten.view_copy.default(%z, [1, 2])\n update %n = %z\n return (%v)";
    QTest::newRow("two states") << "update %m = %z\n update %n = %z\n return ()";
    QTest::newRow("other sizes")
        << "%y : f32[1,2] = aten.neg.default(%x2)\n %v : f32[2] = aten.view_copy.default(%y, [2])\n"
           " update %n = %v\n return ()";
  }
  void readersAfterwardsKeepTheCopy() {
    QFETCH(QString, rest);
    const QStringList lines = linesAfter(
        "graph g {\n input %x : f32[2]\n input %x2 : f32[1,2]\n state %n : f32[2] = \"n\" [0, 0]\n"
        " state %m : f32[2] = \"m\" [0, 0]\n %z : f32[2] = aten.exp.default(%x)\n " +
        rest.toStdString() + "\n}");
    QVERIFY2(lines.join('\n').contains("aten.copy_.default(%n, "), qPrintable(lines.join('\n')));
  }

  // Rows are put where the state lies; the kernel does not count from the end, so numbers below 0 are turned before.
  void rowsArePutInPlace() {
    QCOMPARE(linesAfter("graph g {\n" + kCache + R"(  %a : f32[64,16] = aten.index_put.default(%k, {%i}, %x, false)
  %s : f32[16] = aten.sum.dim_IntList(%a, [0], false, none)
  %b : f32[64,16] = aten.index_put.default(%a, {%i}, %x, false)
  %t : f32[16] = aten.sum.dim_IntList(%b, [0], false, none)
  update %k = %b
  return (%s, %t)
})"),
             (QStringList{"%lt : bool[1] = aten.lt.Scalar(%i, 0)", "%add : i64[1] = aten.add.Tensor(%i, %scalar_64, 1)",
                          "%where : i64[1] = aten.where.self(%lt, %add, %i)",
                          "%a : f32[64,16] = aten.index_put_.default(%k, {%where}, %x, false)",
                          "%s : f32[16] = aten.sum.dim_IntList(%a, [0], false, none)",
                          "%b : f32[64,16] = aten.index_put_.default(%a, {%where}, %x, false)",
                          "%t : f32[16] = aten.sum.dim_IntList(%b, [0], false, none)", "return (%s, %t)"}));
  }

  void indicesKnownAtExportAreTakenAsTheyAre() {
    const QString text = linesAfter(R"(graph g {
  input %x : f32[3]
  state %k : f32[4,3] = "k"
  const %i : i64[1] = "i" [2]
  %a : f32[4,3] = aten.index_put.default(%k, {%i}, %x, false)
  %t : f32[3] = aten.sum.dim_IntList(%a, [0], false, none)
  update %k = %a
  return (%t)
})")
                             .join('\n');
    QVERIFY2(text.startsWith("%view_copy : f32[1,3] = aten.view_copy.default(%x, [1, 3])\n"
                             "%a : f32[4,3] = aten.index_put_.default(%k, {%i}, %view_copy, false)"),
             qPrintable(text));
  }

  void rowsAreNotPutInPlace_data() {
    QTest::addColumn<QString>("body");
    const auto row = [](const char* name, const char* body) { QTest::newRow(name) << body; };
    row("old contents read later", R"(%a : f32[64,16] = aten.index_put.default(%k, {%i}, %x, false)
  %s : f32[64,16] = aten.neg.default(%k)
  update %k = %a
  return (%s))");
    row("between is another's update", R"(state %l : f32[64,16] = "l"
  %a : f32[64,16] = aten.index_put.default(%k, {%i}, %x, false)
  %b : f32[64,16] = aten.index_put.default(%a, {%i}, %x, false)
  update %l = %a
  update %k = %b
  return ())");
    row("added up", R"(%a : f32[64,16] = aten.index_put.default(%k, {%i}, %x, true)
  update %k = %a
  return ())");
    row("two indices", R"(%a : f32[64,16] = aten.index_put.default(%k, {%i, %i}, %x, false)
  update %k = %a
  return ())");
    row("mask", R"(input %m : bool[64]
  %a : f32[64,16] = aten.index_put.default(%k, {%m}, %x, false)
  update %k = %a
  return ())");
    row("repeated values", R"(input %j : i64[2]
  %a : f32[64,16] = aten.index_put.default(%k, {%j}, %x, false)
  update %k = %a
  return ())");
    row("values of the state itself", R"(%v : f32[64,16] = aten.view_copy.default(%k, [64, 16])
  input %j : i64[64]
  %a : f32[64,16] = aten.index_put.default(%k, {%j}, %v, false)
  update %k = %a
  return ())");
  }
  void rowsAreNotPutInPlace() {
    QFETCH(QString, body);
    const QString text = after(writeBack, "graph g {\n" + kCache + body.toStdString() + "\n}");
    QVERIFY2(!text.contains("index_put_."), qPrintable(text));
    QVERIFY2(text.contains("aten.copy_.default(%k, ") || text.contains("update %k = "), qPrintable(text));
  }

  // A small copy costs less than counting from the end.
  void smallStatesAreCopied() {
    const QString text = after(writeBack, R"(graph g {
  input %i : i64[1]
  input %x : f32[1,3]
  state %k : f32[4,3] = "k"
  %a : f32[4,3] = aten.index_put.default(%k, {%i}, %x, false)
  update %k = %a
  return ()
})");
    QVERIFY2(text.contains("aten.copy_.default(%k, %a, false)"), qPrintable(text));
  }

  // XNNPACK reads beyond the end of what it is given, and the memory of a written input is its caller's.
  void delegatesReadACopyOfWrittenInputs() {
    const QStringList lines = linesAfter(R"(graph g {
  input %x : f32[2]
  %y : f32[2] = exportdeck.delegate(%x)
  body graph part {
    input %p : f32[2]
    %q : f32[2] = aten.relu.default(%p)
    return (%q)
  }
  update %x = %y
  return ()
})");
    QCOMPARE(lines.at(0), QString("%clone : f32[2] = aten.clone.default(%x, none)"));
    QCOMPARE(lines.at(1), QString("%y : f32[2] = exportdeck.delegate(%clone)"));
  }
};

QTEST_APPLESS_MAIN(TestWriteBack)
#include "tst_write_back.moc"
