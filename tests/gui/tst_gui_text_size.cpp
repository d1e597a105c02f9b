// The size of the text: chosen in the settings or by keys, applied at once and everywhere, kept, and nothing is cut.
#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include "gui/options_panel.h"
#include "gui/options_view.h"
#include "gui/output_bar.h"
#include "gui/settings.h"
#include "gui/widgets.h"
#include "window_fixture.h"

using namespace exportdeck;
using namespace exportdeck::gui;
using exportdeck::gui::testing::kPatience;
using exportdeck::gui::testing::WindowFixture;

class TstGuiTextSize : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }
  void cleanupTestCase() { theme_.reset(); }
  void init();
  void cleanup();

  void chosenInTheSettings();
  void steppedByKeys();
  void nothingIsCut_data();
  void nothingIsCut();

 private:
  MainWindow& window() { return fixture_->window(); }
  void check(const QString& state);

  std::unique_ptr<Theme> theme_;
  std::unique_ptr<WindowFixture> fixture_;
};

void TstGuiTextSize::init() {
  fixture_ = std::make_unique<WindowFixture>();
  Theme::useSetting();
}

void TstGuiTextSize::cleanup() {
  fixture_.reset();
  theme_->setScheme(Scheme::Light);
}

void TstGuiTextSize::chosenInTheSettings() {
  fixture_->showWithModel({1280, 840});
  auto* title = fixture_->find<QLabel>("sourceName");
  auto* command = fixture_->find<QLineEdit>("commandLine");
  auto* output = fixture_->find<QLineEdit>("outputPath");
  const auto heights = [&] {
    return QList<int>{title->fontMetrics().height(), command->fontMetrics().height(), output->fontMetrics().height(),
                      fixture_->find<QTabBar>("documentTabs")->fontMetrics().height()};
  };
  const QList<int> before = heights();
  QMenu* menu = fixture_->find<QToolButton>("settingsButton")->menu();
  auto* sizes = menu->findChild<QMenu*>("textSizes");
  menu->popup(window().mapToGlobal(QPoint(700, 50)));
  menu->setActiveAction(sizes->menuAction());
  QTest::keyClick(menu, Qt::Key_Right);
  QTRY_VERIFY(sizes->isVisible());
  QCOMPARE(sizes->actions().at(1)->isChecked(), true);
  sizes->setActiveAction(sizes->actions().back());
  QTest::keyClick(sizes, Qt::Key_Return);
  QCOMPARE(settingNumber(Setting::TextSize), 150);
  const QList<int> after = heights();
  for (qsizetype i = 0; i < before.size(); ++i)
    QVERIFY2(after[i] * 10 >= before[i] * 13, qPrintable(QString("%1: %2, %3").arg(i).arg(before[i]).arg(after[i])));
  QVERIFY(window().setup().options().view().rowHeight(0) > 2 * output->fontMetrics().lineSpacing());
  // Kept for the next window; the system's size comes back.
  fixture_->close();
  fixture_->showWithModel({1600, 1000});
  title = fixture_->find<QLabel>("sourceName");
  QCOMPARE(title->fontMetrics().height(), after[0]);
  QTest::keyClick(&window(), Qt::Key_0, Qt::ControlModifier);
  QCOMPARE(title->fontMetrics().height(), before[0]);
}

void TstGuiTextSize::steppedByKeys() {
  fixture_->showWithModel({1280, 840});
  const auto size = [] { return settingNumber(Setting::TextSize); };
  QTest::keyClick(&window(), Qt::Key_Plus, Qt::ControlModifier);
  QCOMPARE(size(), 110);
  for (int i = 0; i < 5; ++i) QTest::keyClick(&window(), Qt::Key_Plus, Qt::ControlModifier);
  QCOMPARE(size(), 150);
  for (int i = 0; i < 9; ++i) QTest::keyClick(&window(), Qt::Key_Minus, Qt::ControlModifier);
  QCOMPARE(size(), 90);
}

void TstGuiTextSize::check(const QString& state) {
  QTest::qWait(60);
  const QString folder = qEnvironmentVariable("EXPORTDECK_SCREENSHOTS", QDir::currentPath());
  QVERIFY(window().grab().save(QStringLiteral("%1/text_%2_%3_%4.png")
                                   .arg(folder)
                                   .arg(settingNumber(Setting::TextSize))
                                   .arg(state, theme_->scheme() == Scheme::Light ? "light" : "dark")));
  for (const QWidget* widget : window().findChildren<QWidget*>()) {
    const QWidget* parent = widget->parentWidget();
    const bool inner = qobject_cast<const QLineEdit*>(parent) || qobject_cast<const QComboBox*>(parent) ||
                       qobject_cast<const QTabBar*>(parent);
    if (!widget->isVisible() || inner || qobject_cast<const ElidedLabel*>(widget)) continue;
    const auto* text = qobject_cast<const QLabel*>(widget);
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    if ((!text || text->text().isEmpty()) && !button) continue;
    QSize needed = widget->sizeHint();
    if (text && text->wordWrap()) needed = {1, text->heightForWidth(text->width())};
    const QString what = QStringLiteral("%1: “%2” has %3x%4 of %5x%6")
                             .arg(state, text ? text->text() : button->text())
                             .arg(widget->width())
                             .arg(widget->height())
                             .arg(needed.width())
                             .arg(needed.height());
    QVERIFY2(widget->width() >= needed.width() && widget->height() >= needed.height(), qPrintable(what));
    const QRect inside(widget->mapTo(&window(), QPoint()), widget->size());
    QVERIFY2(window().rect().contains(inside), qPrintable(what + " outside the window"));
  }
}

void TstGuiTextSize::nothingIsCut_data() {
  QTest::addColumn<int>("size");
  QTest::addColumn<Scheme>("scheme");
  QTest::newRow("90 light") << 90 << Scheme::Light;
  QTest::newRow("125 light") << 125 << Scheme::Light;
  QTest::newRow("150 light") << 150 << Scheme::Light;
  QTest::newRow("150 dark") << 150 << Scheme::Dark;
}

// The window is made as small as it goes.
void TstGuiTextSize::nothingIsCut() {
  QFETCH(int, size);
  QFETCH(Scheme, scheme);
  theme_->setScheme(scheme);
  fixture_->show();
  setSetting(Setting::TextSize, size);
  Theme::useSetting();
  theme_->setScheme(scheme);
  fixture_->close();
  fixture_->show();
  window().resize(window().minimumSize());
  check("empty");
  window().open(fixture_->write("mobilenet_v2.pt2", "model"));
  QTRY_VERIFY_WITH_TIMEOUT(!window().isReading(), kPatience);
  window().resize(window().minimumSize());
  check("loaded");
  window().setup().output().setReplaces(true);
  window().startExport();
  QVERIFY(fixture_->waitForEnd());
  check("done");
  window().outcome().tabs().setCurrentIndex(OutcomePane::CoverageTab);
  check("coverage");
  window().outcome().tabs().setCurrentIndex(OutcomePane::PlanTab);
  check("plan");
  window().outcome().tabs().setCurrentIndex(OutcomePane::LogTab);
  check("log");
  window().open(fixture_->write("broken.pt2", "model"));
  QTRY_VERIFY_WITH_TIMEOUT(!window().isReading(), kPatience);
  check("broken");
}

QTEST_MAIN(TstGuiTextSize)
#include "tst_gui_text_size.moc"
