// Bounds of sizes that change: as options say them, and as a program has them.
#include <QTest>

#include "driver/size_bounds.h"
#include "options/catalogue.h"
#include "support/errors.h"

using namespace exportdeck;

class TestSizeBounds : public QObject {
  Q_OBJECT

 private slots:
  void options_data() {
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("bounds");  // empty: refused
    QTest::newRow("one") << "bound=s0=512" << "s0 512;";
    QTest::newRow("several") << "bound=s0=512,s1=8" << "s0 512;s1 8;";
    QTest::newRow("one twice") << "bound=s0=512,s0=8" << "";
    QTest::newRow("no number") << "bound=s0" << "";
    QTest::newRow("no symbol") << "bound==5" << "";
    QTest::newRow("more than a number") << "bound=s0=5x" << "";
    QTest::newRow("nothing") << "bound=s0=0" << "";
    QTest::newRow("too large") << "bound=s0=99999999999999999999" << "";
  }
  void options() {
    QFETCH(QString, setting);
    QFETCH(QString, bounds);
    options::OptionSet set(options::Catalogue::builtIn().find("xnnpack")->exportOptions);
    if (bounds.isEmpty()) {
      QCOMPARE(tests::errorCode([&] {
                 set.setText(setting.toStdString());
                 return 0;
               }),
               std::string("option.invalid"));
      return;
    }
    set.setText(setting.toStdString());
    QString found;
    for (const auto& [symbol, upper] : driver::sizeBounds(set))
      found += QString::fromStdString(symbol) + " " + QString::number(upper) + ";";
    QCOMPARE(found, bounds);
  }

  void nothingIsBoundedUnasked() {
    QVERIFY(driver::sizeBounds(options::OptionSet()).empty());
    QVERIFY(
        driver::sizeBounds(options::OptionSet(options::Catalogue::builtIn().find("portable")->exportOptions)).empty());
  }

  void sizesOfAProgram() {
    const auto graph = ir::parse(R"(graph g {
  symbol s0 in [2, 16]
  symbol s1 in [1, ]
  input %x : f32[s0,3]
  input %y : f32[4,"s0 + s1"]
  %a : f32[s0,3] = aten.abs.default(%x)
  return (%a)
})");
    const auto sizes = driver::sizesToJson(*graph);
    QCOMPARE(sizes.size(), size_t{2});
    QCOMPARE(sizes[0]["symbol"].get<std::string>(), std::string("s0"));
    QCOMPARE(sizes[0]["upper"].get<int64_t>(), int64_t{16});
    QCOMPARE(sizes[0]["inputs"].dump(), std::string("[\"x dim 0\",\"y dim 1\"]"));
    QVERIFY(sizes[1]["upper"].is_null());
    QCOMPARE(sizes[1]["lower"].get<int64_t>(), int64_t{1});
  }
};

QTEST_APPLESS_MAIN(TestSizeBounds)
#include "tst_size_bounds.moc"
