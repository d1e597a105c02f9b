// The tab of sizes that change: typed, undone, from a profile, and in the way of an export.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QUndoStack>

#include "gui/option_editors.h"
#include "gui/options_panel.h"
#include "gui/options_view.h"
#include "window_fixture.h"

using namespace exportdeck;
using namespace exportdeck::gui;
using exportdeck::gui::testing::kPatience;
using exportdeck::gui::testing::WindowFixture;

class TstGuiSizes : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }
  void cleanupTestCase() { theme_.reset(); }

  void typedAndUndone();
  void outsideTheModelsRange();
  void noNumber();
  void withoutALimit();
  void ofAnotherModel();
  void resetAll();
  void bytesFollow();
  void hiddenWithoutSizes();

 private:
  static constexpr int kSizesTab = 2;

  static void open(WindowFixture& fixture, const QString& name) {
    fixture.window().open(fixture.write(name, "model"));
    QVERIFY(QTest::qWaitFor([&] { return !fixture.window().isReading(); }, kPatience));
  }
  static void showTab(WindowFixture& fixture) {
    auto* tabs = fixture.find<QTabBar>("optionTabs");
    QVERIFY(tabs->isTabVisible(kSizesTab));
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(kSizesTab).center());
    QCOMPARE(tabs->currentIndex(), kSizesTab);
  }
  static void type(WindowFixture& fixture, int row, const char* words) {
    OptionsView& table = fixture.window().setup().options().view();
    const QModelIndex cell = table.model()->index(row, OptionsModel::ValueColumn);
    if (!table.indexWidget(cell))
      QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(cell).center());
    auto* editor = qobject_cast<NumberEdit*>(table.indexWidget(cell));
    QVERIFY(editor);
    editor->selectAll();
    QTest::keyClicks(editor, words);
    QTest::keyClick(editor, Qt::Key_Return);
  }
  static std::vector<std::string> bounds(const WindowFixture& fixture) {
    return const_cast<WindowFixture&>(fixture).window().setup().options().exportModel().options().list("bound");
  }
  static std::vector<std::string> only(const char* bound) { return {bound}; }

  std::unique_ptr<Theme> theme_;
};

void TstGuiSizes::typedAndUndone() {
  WindowFixture fixture;
  SetupPane& setup = fixture.showWithModel().setup();
  showTab(fixture);
  OptionsView& table = setup.options().view();
  QCOMPARE(table.model()->rowCount(), 1);
  QCOMPARE(table.model()->index(0, OptionsModel::ValueColumn).data().toString(), "64");
  QVERIFY(table.model()->index(0, OptionsModel::MeaningColumn).data().toString().contains("image dim 0: 1 to 64"));
  QCOMPARE(table.model()->headerData(OptionsModel::ValueColumn, Qt::Horizontal).toString(), "Largest");
  type(fixture, 0, "16");
  QVERIFY(bounds(fixture) == only("s0=16"));
  QVERIFY(fixture.find<QLineEdit>("commandLine")->text().contains("bound=s0=16"));
  setup.history().undo();
  QVERIFY(bounds(fixture).empty());
  QCOMPARE(table.model()->index(0, OptionsModel::ValueColumn).data().toString(), "64");
  setup.history().redo();
  QVERIFY(bounds(fixture) == only("s0=16"));
  // What the model states is no change.
  type(fixture, 0, "64");
  QVERIFY(bounds(fixture).empty());
}

void TstGuiSizes::outsideTheModelsRange() {
  WindowFixture fixture;
  MainWindow& window = fixture.showWithModel();
  showTab(fixture);
  type(fixture, 0, "65");
  QCOMPARE(window.setup().options().invalidCount(), 1);
  QVERIFY(window.setup().options().firstReason().contains("64"));
  fixture.find<QTabBar>("optionTabs")->setCurrentIndex(0);
  QTest::mouseClick(fixture.find<QPushButton>("exportButton"), Qt::LeftButton);
  QVERIFY(!window.isExporting());
  QCOMPARE(fixture.find<QTabBar>("optionTabs")->currentIndex(), kSizesTab);
}

// Wrong in the option too, and yet one value.
void TstGuiSizes::noNumber() {
  WindowFixture fixture;
  MainWindow& window = fixture.showWithModel();
  showTab(fixture);
  type(fixture, 0, "many");
  QCOMPARE(window.setup().options().invalidCount(), 1);
  window.setup().options().showFirstInvalid();
  QCOMPARE(fixture.find<QTabBar>("optionTabs")->currentIndex(), kSizesTab);
  type(fixture, 0, "8");
  QCOMPARE(window.setup().options().invalidCount(), 0);
  QVERIFY(bounds(fixture) == only("s0=8"));
}

void TstGuiSizes::withoutALimit() {
  WindowFixture fixture;
  MainWindow& window = fixture.show();
  open(fixture, "unbounded.pt2");
  QCOMPARE(window.setup().options().invalidCount(), 1);
  QVERIFY(window.setup().options().firstReason().contains("states no largest value"));
  QTest::mouseClick(fixture.find<QPushButton>("exportButton"), Qt::LeftButton);
  QVERIFY(!window.isExporting());
  QCOMPARE(fixture.find<QTabBar>("optionTabs")->currentIndex(), kSizesTab);
  type(fixture, 0, "512");
  QCOMPARE(window.setup().options().invalidCount(), 0);
  QVERIFY(bounds(fixture) == only("s0=512"));
  // Without it the row is wrong again.
  OptionsView& table = window.setup().options().view();
  table.setCurrentIndex(table.model()->index(0, OptionsModel::OptionColumn));
  QTest::keyClick(&table, Qt::Key_Delete);
  QVERIFY(bounds(fixture).empty());
  QCOMPARE(window.setup().options().invalidCount(), 1);
}

void TstGuiSizes::ofAnotherModel() {
  WindowFixture fixture;
  MainWindow& window = fixture.showWithModel();
  OptionsPanel& options = window.setup().options();
  options.paste("bound=s0=16,s9=4");
  showTab(fixture);
  QCOMPARE(options.view().model()->rowCount(), 2);
  QCOMPARE(options.invalidCount(), 1);
  QVERIFY(options.firstReason().contains("no such size"));
  options.view().setCurrentIndex(options.view().model()->index(1, OptionsModel::OptionColumn));
  QTest::keyClick(&options.view(), Qt::Key_Delete);
  QTRY_COMPARE(options.view().model()->rowCount(), 1);
  QVERIFY(bounds(fixture) == only("s0=16"));
  QCOMPARE(options.invalidCount(), 0);
}

void TstGuiSizes::resetAll() {
  WindowFixture fixture;
  SetupPane& setup = fixture.showWithModel().setup();
  setup.options().paste("bound=s0=16");
  showTab(fixture);
  QTest::mouseClick(fixture.find<QPushButton>("resetAll"), Qt::LeftButton);
  QVERIFY(bounds(fixture).empty());
  setup.options().restore();
  QVERIFY(bounds(fixture) == only("s0=16"));
  QCOMPARE(setup.options().view().model()->index(0, OptionsModel::ValueColumn).data().toString(), "16");
}

void TstGuiSizes::bytesFollow() {
  WindowFixture fixture;
  fixture.showWithModel();
  showTab(fixture);
  auto* note = fixture.find<QLabel>("optionsNote");
  QVERIFY2(note->text().contains("inputs up to 38.5"), qPrintable(note->text()));
  type(fixture, 0, "16");
  QTRY_VERIFY_WITH_TIMEOUT(note->text().contains("inputs up to 9.6"), kPatience);
}

void TstGuiSizes::hiddenWithoutSizes() {
  WindowFixture fixture;
  fixture.show();
  QVERIFY(!fixture.find<QTabBar>("optionTabs")->isTabVisible(kSizesTab));
}

QTEST_MAIN(TstGuiSizes)
#include "tst_gui_sizes.moc"
