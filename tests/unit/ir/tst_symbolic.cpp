// Sizes that are known only at run time: normal forms, bounds, and what numbers come out.
#include <QTest>
#include <map>
#include <random>

#include "base/diagnostic.h"
#include "base/text.h"
#include "ir/symbolic.h"
#include "support/errors.h"

using namespace exportdeck;
using ir::SymInt;

namespace {

const SymInt kS = SymInt::symbol("s0", 2, 16), kT = SymInt::symbol("s1", 3, 5), kFree = SymInt::symbol("u0", 0, {});

SymInt parsed(const std::string& text) {
  const auto found = ir::parseSymInt(text, [](std::string_view name) {
    return name == "s0" ? kS : name == "s1" ? kT : kFree;
  });
  return found.value();
}

QString text(const SymInt& size) {
  return QString::fromStdString(size.text());
}

}  // namespace

class TestSymbolic : public QObject {
  Q_OBJECT

 private slots:
  void normalForm_data() {
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("normal");
    QTest::newRow("collected") << "s0 + s0" << "2*s0";
    QTest::newRow("ordered") << "s1*s0 + 3 + s0" << "s0 + s0*s1 + 3";
    QTest::newRow("gone") << "s0 - s0 + 4" << "4";
    QTest::newRow("expanded") << "s0*floordiv(8, 2) - 4*s0 - 1*s1" << "-s1";
    QTest::newRow("divides evenly") << "floordiv(6*s0 + 3, 3)" << "2*s0 + 1";
    QTest::newRow("divides by a symbol") << "floordiv(2*s0*s1, s1)" << "2*s0";
    QTest::newRow("does not divide") << "floordiv(s0 + 1, 2)" << "floordiv(s0 + 1, 2)";
    QTest::newRow("no remainder") << "mod(4*s0, 2)" << "0";
    QTest::newRow("remainder") << "mod(s0, 2)" << "mod(s0, 2)";
    QTest::newRow("known minimum") << "min(s0, 20)" << "s0";
    QTest::newRow("open minimum") << "min(s0, 8)" << "min(8, s0)";
    QTest::newRow("known maximum") << "max(s0 + 20, s1)" << "s0 + 20";
    QTest::newRow("rounded down") << "floordiv(-7, 2)" << "-4";
    QTest::newRow("remainder of a negative") << "mod(-7, 2)" << "1";
  }
  void normalForm() {
    QFETCH(QString, written);
    QFETCH(QString, normal);
    const SymInt size = parsed(written.toStdString());
    QCOMPARE(text(size), normal);
    QVERIFY(parsed(size.text()) == size);
  }

  void bounds_data() {
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("bounds");
    QTest::newRow("symbol") << "s0" << "2 16";
    QTest::newRow("linear") << "2*s0 + 1" << "5 33";
    QTest::newRow("negative factor") << "20 - s0" << "4 18";
    QTest::newRow("product") << "s0*s1" << "6 80";
    QTest::newRow("quotient") << "floordiv(s0 - 1, 2)" << "0 7";
    QTest::newRow("remainder") << "mod(s0, 5)" << "0 4";
    QTest::newRow("open above") << "u0 + s0" << "2 none";
    QTest::newRow("larger than numbers are") << "s0*u0" << "0 none";
  }
  void bounds() {
    QFETCH(QString, written);
    QFETCH(QString, bounds);
    const auto shown = [](std::optional<int64_t> bound) { return bound ? concat(*bound) : std::string("none"); };
    const SymInt size = parsed(written.toStdString());
    QCOMPARE(QString::fromStdString(concat(shown(size.lower()), " ", shown(size.upper()))), bounds);
  }

  // The normal form means what was written, and bounds hold, whatever the symbols are.
  void meaning() {
    std::mt19937 random(7);
    const auto below = [&](int64_t limit) { return static_cast<int64_t>(random() % static_cast<uint64_t>(limit)); };
    for (int round = 0; round < 2000; ++round) {
      std::vector<std::pair<SymInt, int64_t>> pool;
      const int64_t s = 2 + below(15), t = 3 + below(3);
      pool.emplace_back(kS, s);
      pool.emplace_back(kT, t);
      pool.emplace_back(below(9), 0);
      pool.back().second = pool.back().first.value();
      for (int step = 0; step < 6; ++step) {
        const auto a = pool[static_cast<size_t>(below(static_cast<int64_t>(pool.size())))];
        const auto b = pool[static_cast<size_t>(below(static_cast<int64_t>(pool.size())))];
        const auto floored = [](int64_t x, int64_t y) { return (x - ((x % y) + y) % y) / y; };
        switch (below(6)) {
          case 0:
            pool.emplace_back(a.first + b.first, a.second + b.second);
            break;
          case 1:
            pool.emplace_back(a.first - b.first, a.second - b.second);
            break;
          case 2:
            pool.emplace_back(a.first * b.first, a.second * b.second);
            break;
          case 3:
            pool.emplace_back(ir::maximum(a.first, b.first), std::max(a.second, b.second));
            break;
          case 4:
            if (b.first.lower().value_or(0) > 0) pool.emplace_back(a.first / b.first, floored(a.second, b.second));
            break;
          default:
            if (b.first.lower().value_or(0) > 0)
              pool.emplace_back(a.first % b.first, a.second - floored(a.second, b.second) * b.second);
            break;
        }
        if (std::abs(pool.back().second) > 1'000'000) pool.pop_back();
      }
      const auto valueOf = [&](const std::string& name) { return name == "s0" ? s : t; };
      for (const auto& [size, number] : pool) {
        QCOMPARE(ir::evaluate(size, valueOf), number);
        QVERIFY2(size.lower().value_or(number) <= number && size.upper().value_or(number) >= number,
                 size.text().c_str());
        QVERIFY(parsed(size.text()) == size);
      }
    }
  }

  void comparisons() {
    QVERIFY(kS > 1);
    QVERIFY(kS <= 16);
    QVERIFY(kS + 1 > kS);
    QVERIFY(kS != 1);
    QCOMPARE(tests::errorCode([] { return kS < 8; }), std::string("shape.unsupported"));
    const auto refused = tests::errorOf([] { return kS.value(); });
    QVERIFY(refused && refused->message.find("s0") != std::string::npos);
    QCOMPARE(tests::errorCode([] { return kFree * SymInt(std::numeric_limits<int64_t>::max()) * 2; }),
             std::string("shape.unsupported"));
  }

  void symbols() {
    QCOMPARE(ir::symbolsOf(parsed("floordiv(s1*s0, 7) + s1")), (std::vector<std::string>{"s0", "s1"}));
    QVERIFY(!ir::parseSymInt("s0 +", [](std::string_view) { return kS; }));
    QVERIFY(!ir::parseSymInt("what(s0, 1)", [](std::string_view) { return kS; }));
  }
};

QTEST_APPLESS_MAIN(TestSymbolic)
#include "tst_symbolic.moc"
