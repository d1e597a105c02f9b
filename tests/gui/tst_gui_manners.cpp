// What a good program does everywhere: it never stands still, its colours can be told apart, its settings are typed and
// kept apart from its session, and every part can be reached by keys and has a name and a role.
#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSet>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "gui/check_bar.h"
#include "gui/document_tabs.h"
#include "gui/options_model.h"
#include "gui/options_panel.h"
#include "gui/output_bar.h"
#include "gui/settings.h"
#include "gui/source_panel.h"
#include "gui/stage_bar.h"
#include "window_fixture.h"

using namespace exportdeck;
using namespace exportdeck::gui;
using exportdeck::gui::testing::kPatience;
using exportdeck::gui::testing::WindowFixture;

namespace {

// Nanoseconds that this thread was ready to run and another program ran in its place; 0 where the system does not tell.
qint64 waitedForProcessor() {
  QFile file(QStringLiteral("/proc/self/schedstat"));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  return file.readAll().split(' ').value(1).toLongLong();
}

// The longest time between two turns of the event loop, without what other programs took of it.
class StallWatch : public QObject {
 public:
  StallWatch() {
    waited_ = waitedForProcessor();
    clock_.start();
    startTimer(2, Qt::PreciseTimer);
  }
  qint64 longest() const { return longest_ / 1'000'000; }

 protected:
  void timerEvent(QTimerEvent*) override {
    const qint64 waited = waitedForProcessor(), taken = clock_.nsecsElapsed();
    longest_ = qMax(longest_, taken - (waited - waited_));
    waited_ = waited;
    clock_.start();
  }

 private:
  QElapsedTimer clock_;
  qint64 waited_ = 0;
  qint64 longest_ = 0;
};

double luminance(const QColor& color) {
  const auto part = [](double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(color.redF()) + 0.7152 * part(color.greenF()) + 0.0722 * part(color.blueF());
}

// As WCAG 2 counts it: from 1 to 21.
double contrast(const QColor& a, const QColor& b) {
  const double one = luminance(a), two = luminance(b);
  return (qMax(one, two) + 0.05) / (qMin(one, two) + 0.05);
}

}  // namespace

class TstGuiManners : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }
  void cleanupTestCase() { theme_.reset(); }
  void init() { fixture_ = std::make_unique<WindowFixture>(); }
  void cleanup() { fixture_.reset(); }

  void neverStandsStill();
  void contrasts_data();
  void contrasts();
  void settingsTable();
  void settingsAreChecked_data();
  void settingsAreChecked();
  void placesAreApart();
  void settingsMenu();
  void everythingByKeys();
  void namesAndRoles();

 private:
  MainWindow& window() { return fixture_->window(); }
  qint64 longestStall();

  std::unique_ptr<Theme> theme_;
  std::unique_ptr<WindowFixture> fixture_;
};

// Opening, exporting with a chatty program, cancelling and closing.
qint64 TstGuiManners::longestStall() {
  MainWindow& shown = window();
  StallWatch watch;
  shown.open(fixture_->write("net.pt2", "model"));
  if (!QTest::qWaitFor([&] { return !shown.isReading(); }, kPatience)) return -1;
  qputenv("PLAY", "chatter");
  shown.setup().output().setReplaces(true);
  shown.startExport();
  if (!fixture_->waitForEnd()) return -1;
  for (int tab = 0; tab < shown.outcome().tabs().count(); ++tab) {
    shown.outcome().tabs().setCurrentIndex(tab);
    QTest::qWait(30);
  }
  qputenv("PLAY", "slow");
  shown.startExport();
  const auto running = [&] { return shown.outcome().stages().stages().at(3).state == StageBar::State::Running; };
  if (!QTest::qWaitFor(running, kPatience)) return -1;
  QTest::keyClick(&shown, Qt::Key_Escape);
  if (!fixture_->waitForEnd()) return -1;
  // A second model, and back to none.
  shown.open(fixture_->write("second.pt2", "model"));
  if (!QTest::qWaitFor([&] { return !shown.isReading(); }, kPatience)) return -1;
  for (int i = 0; i < 2; ++i) {
    QTest::keyClick(&shown, Qt::Key_W, Qt::ControlModifier);
    QTest::qWait(250);
  }
  return watch.longest();
}

// How many times slower than the machine that the limit was set on this one makes plain widgets, at least 1.
double slowness() {
  constexpr double kUsual = 8.0;  // ms
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < 5; ++round) {
    QElapsedTimer clock;
    clock.start();
    QWidget box;
    auto* column = new QVBoxLayout(&box);
    for (int i = 0; i < 200; ++i) column->addWidget(new QPushButton(QString::number(i), &box));
    box.ensurePolished();
    box.sizeHint();
    best = qMin(best, static_cast<double>(clock.nsecsElapsed()) / 1e6);
  }
  qInfo("200 buttons take %.1f ms", best);
  return qMax(1.0, best / kUsual);
}

// A busy machine also slows what runs; what the window itself does too long, it does every time.
void TstGuiManners::neverStandsStill() {
#ifdef __SANITIZE_ADDRESS__
  QSKIP("a program under AddressSanitizer is several times slower");
#endif
  fixture_->show({1280, 840});
  QTest::qWait(300);
  const auto limit = static_cast<qint64>(50 * slowness());
  qint64 best = std::numeric_limits<qint64>::max();
  for (int round = 0; round < 8 && best > limit; ++round) {
    const qint64 longest = longestStall();
    QVERIFY2(longest >= 0, "the work did not come to its end");
    qInfo("the longest stop of round %d: %lld ms", round, static_cast<long long>(longest));
    best = qMin(best, longest);
  }
  QVERIFY2(best <= limit, qPrintable(QStringLiteral("the window stands still for more than %1 ms").arg(limit)));
}

void TstGuiManners::contrasts_data() {
  QTest::addColumn<Scheme>("scheme");
  QTest::newRow("light") << Scheme::Light;
  QTest::newRow("dark") << Scheme::Dark;
}

void TstGuiManners::contrasts() {
  QFETCH(Scheme, scheme);
  theme_->setScheme(scheme);
  const Colors& c = colors();
  struct Pair {
    const char* name;
    QColor ink, ground;
    double least;  // 4.5 for words, 3 for icons and the edges of controls
  };
  const Pair pairs[] = {
      {"text on a panel", c.text, c.surface, 7.0},
      {"text on the window", c.text, c.window, 7.0},
      {"text of a chosen row", c.text, c.accentSoft, 7.0},
      {"text under the pointer", c.text, c.hover, 7.0},
      {"secondary text on a panel", c.secondary, c.surface, 4.5},
      {"secondary text on the window", c.secondary, c.window, 4.5},
      {"secondary text of a chosen row", c.secondary, c.accentSoft, 4.5},
      {"secondary text under the pointer", c.secondary, c.hover, 4.5},
      {"the main button", c.onAccent, c.accent, 4.5},
      {"the main button under the pointer", c.onAccent, c.accentHover, 4.5},
      {"a mark in the accent", c.accent, c.surface, 4.5},
      {"an error on a panel", c.error, c.surface, 4.5},
      {"an error in its message", c.error, c.errorSoft, 4.5},
      {"text of an error message", c.text, c.errorSoft, 7.0},
      {"a warning on a panel", c.warning, c.surface, 4.5},
      {"a warning in its message", c.warning, c.warningSoft, 4.5},
      {"text of a warning message", c.text, c.warningSoft, 7.0},
      {"success on a panel", c.success, c.surface, 4.5},
      {"success in its message", c.success, c.successSoft, 4.5},
      {"the edge of a control", c.lineStrong, c.surface, 3.0},
      {"the edge of a control on the window", c.lineStrong, c.window, 3.0},
  };
  for (const Pair& pair : pairs) {
    const double ratio = contrast(pair.ink, pair.ground);
    QVERIFY2(ratio >= pair.least, qPrintable(QStringLiteral("%1: %2 of %3").arg(pair.name).arg(ratio).arg(pair.least)));
  }
  theme_->setScheme(Scheme::Light);
}

void TstGuiManners::settingsTable() {
  QSet<QString> keys;
  int at = 0;
  for (const SettingInfo& info : gui::settingsTable()) {
    QCOMPARE(static_cast<int>(info.setting), at++);
    QVERIFY2(!keys.contains(QLatin1String(info.key)), info.key);
    keys.insert(QLatin1String(info.key));
    QVERIFY(info.fallback.isValid());
    QVERIFY(QByteArray(info.meaning).size() > 10);
    QCOMPARE(setting(info.setting), info.fallback);
    if (!info.choices.isEmpty()) QVERIFY(info.choices.contains(info.fallback.toString()));
  }
}

void TstGuiManners::settingsAreChecked_data() {
  QTest::addColumn<QString>("line");
  QTest::addColumn<int>("which");
  QTest::addColumn<QVariant>("value");
  const auto row = [](const char* line, Setting which, const QVariant& value) {
    QTest::newRow(line) << QString::fromLatin1(line) << static_cast<int>(which) << value;
  };
  row("theme=dark", Setting::Theme, "dark");
  row("theme=mauve", Setting::Theme, "system");
  row("run_after_export=false", Setting::RunAfterExport, false);
  row("run_after_export=perhaps", Setting::RunAfterExport, true);
  row("recent_models=7", Setting::RecentModels, 7);
  row("recent_models=-1", Setting::RecentModels, 5);
  row("recent_models=99999999999999", Setting::RecentModels, 5);
  row("kept_exports=many", Setting::KeptExports, 12);
}

void TstGuiManners::settingsAreChecked() {
  QFETCH(QString, line);
  QFETCH(int, which);
  QFETCH(QVariant, value);
  QDir().mkpath(fixture_->path("config/exportdeck"));
  fixture_->write("config/exportdeck/settings.ini", "[General]\n" + line.toLatin1() + "\n");
  QCOMPARE(setting(static_cast<Setting>(which)), value);
}

void TstGuiManners::placesAreApart() {
  fixture_->showWithModel();
  setSetting(Setting::Theme, "light");
  QVERIFY(window().close());
  QVERIFY(QFileInfo(fixture_->path("config/exportdeck/settings.ini")).size() > 0);
  QVERIFY(QFileInfo(fixture_->path("state/exportdeck/session.ini")).size() > 0);
  QFile settings(fixture_->path("config/exportdeck/settings.ini"));
  QVERIFY(settings.open(QIODevice::ReadOnly));
  const QByteArray text = settings.readAll();
  QVERIFY(text.contains("theme=light"));
  QVERIFY2(!text.contains("geometry") && !text.contains("mobilenet"), text.constData());
  QCOMPARE(QDir(fixture_->path("config/exportdeck")).entryList(QDir::Files), QStringList({"settings.ini"}));
}

void TstGuiManners::settingsMenu() {
  fixture_->show();
  QMenu* menu = fixture_->find<QToolButton>("settingsButton")->menu();
  const auto choose = [&](const QString& title) {
    for (QAction* action : menu->actions())
      if (action->text() == title) return action->trigger();
    qFatal("no action %s", qPrintable(title));
  };
  choose("Dark");
  QCOMPARE(theme_->scheme(), Scheme::Dark);
  QCOMPARE(settingText(Setting::Theme), "dark");
  choose("Light");
  QCOMPARE(theme_->scheme(), Scheme::Light);
  choose("Run programs after export, unless told otherwise");
  window().open(fixture_->write("a.pt2", "model"));
  window().open(fixture_->write("b.pt2", "model"));
  QVERIFY2(window().setup().check().verification() == "none", "a model opened later follows the setting");
}

// From open to result without a pointer: each page and each control of it has the focus once.
void TstGuiManners::everythingByKeys() {
  fixture_->showWithModel();
  window().setup().output().setReplaces(true);
  QTest::keyClick(&window(), Qt::Key_E, Qt::ControlModifier);
  QVERIFY(fixture_->waitForEnd());
  const auto reached = [&] {
    QStringList names;
    fixture_->find<QPushButton>("openButton")->setFocus();
    for (int i = 0; i < 60; ++i) {
      const QWidget* focus = QApplication::focusWidget();
      if (!focus) break;
      names << focus->objectName();
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      if (QApplication::focusWidget() && QApplication::focusWidget()->objectName() == QLatin1String("openButton"))
        break;
    }
    return names;
  };
  auto* pages = window().outcome().tabs().tabBar();
  const QList<QStringList> wanted{{"showWhy", "revealResult", "copyPath", "historyTable"},
                                  {"coverageViews", "coverageSearch", "coverageTable", "coverageDetail"},
                                  {"diagnosticsTable", "diagnosticDetail"},
                                  {"kernelList"},
                                  {"logLevel", "logSearch", "copyLog", "saveLog", "logList"}};
  pages->setCurrentIndex(0);
  for (const QStringList& page : wanted) {
    const QStringList names = reached();
    for (const QString& name : page + QStringList{"documentTabs", "backendCombo", "exportButton"})
      QVERIFY2(names.contains(name), qPrintable(name + " is not among " + names.join(' ')));
    pages->setFocus();
    QTest::keyClick(pages, Qt::Key_Right);
  }
}

void TstGuiManners::namesAndRoles() {
  fixture_->showWithModel();
  window().setup().output().setReplaces(true);
  window().startExport();
  QVERIFY(fixture_->waitForEnd());
  for (int tab = 0; tab < window().outcome().tabs().count(); ++tab) {
    window().outcome().tabs().setCurrentIndex(tab);
    for (QWidget* widget : window().findChildren<QWidget*>()) {
      // A page of tabs has no role of its own in Qt: its bar has one.
      if (qobject_cast<QTabWidget*>(widget)) continue;
      if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus) || widget->objectName().startsWith("qt_"))
        continue;
      if (qobject_cast<QLineEdit*>(widget) && qobject_cast<QComboBox*>(widget->parentWidget())) continue;
      QAccessibleInterface* access = QAccessible::queryAccessibleInterface(widget);
      const QString what = QStringLiteral("%1 %2").arg(widget->metaObject()->className(), widget->objectName());
      QVERIFY2(access, qPrintable(what));
      QVERIFY2(!access->text(QAccessible::Name).isEmpty(), qPrintable(what + " has no name"));
      QVERIFY2(access->role() != QAccessible::NoRole && access->role() != QAccessible::Client,
               qPrintable(what + " has no role"));
    }
  }
}

QTEST_MAIN(TstGuiManners)
#include "tst_gui_manners.moc"
