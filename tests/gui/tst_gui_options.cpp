// The table of options under real keys and clicks.
#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>

#include "gui/option_editors.h"
#include "gui/options_model.h"
#include "gui/options_panel.h"
#include "gui/options_view.h"
#include "window_fixture.h"

using namespace exportdeck;
using namespace exportdeck::gui;
using exportdeck::gui::testing::WindowFixture;
using options::OptionSpec;
using options::OptionType;

class TstGuiOptions : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }
  void cleanupTestCase() { theme_.reset(); }
  void init();
  void cleanup() { panel_.reset(); }

  void switchByClickAndSpace();
  void numberTyped();
  void numberStepped();
  void floatKeepsWhatIsTyped();
  void choicePicked();
  void listTyped();
  void tabGoesFromValueToValue();
  void resetByArrowAndKey();
  void resetWhileEditing();
  void resetAllAndUndo();
  void filterAndOnlyChanged();
  void runtimeTab();
  void wrongValueBlocksExport();
  void backendKeepsCommonValues();
  void commandLineIsQuoted();

 private:
  OptionsView& view() { return panel_->view(); }
  OptionsModel& model() { return panel_->exportModel(); }
  QModelIndex cell(int row, int column = OptionsModel::ValueColumn) { return view().model()->index(row, column); }
  QPoint middle(const QModelIndex& index) { return view().visualRect(index).center(); }
  void click(const QModelIndex& index) { QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, middle(index)); }
  template <typename Editor>
  Editor* openEditor(int row) {
    click(cell(row));
    return view().viewport()->findChild<Editor*>("optionEditor");
  }

  std::unique_ptr<Theme> theme_;
  std::unique_ptr<OptionsPanel> panel_;
};

namespace {

enum Row { Flag, Count, Ratio, Name, Mode, Items };

OptionSpec spec(const char* key, OptionType type, options::OptionValue fallback) {
  OptionSpec made;
  made.key = key;
  made.type = type;
  made.fallback = std::move(fallback);
  made.title = std::string("The ") + key;
  made.meaning = std::string("What ") + key + " means.";
  return made;
}

}  // namespace

void TstGuiOptions::init() {
  OptionSpec count = spec("count", OptionType::Int, int64_t{16});
  count.minimum = 16;
  count.maximum = 64;
  count.powerOfTwo = true;
  OptionSpec mode = spec("mode", OptionType::Enum, std::string("fast"));
  mode.choices = {"fast", "small", "odd"};
  const options::OptionSet set({spec("flag", OptionType::Bool, true), count, spec("ratio", OptionType::Float, 0.5),
                                spec("name", OptionType::String, std::string("n")), mode,
                                spec("items", OptionType::List, std::vector<std::string>{})});
  panel_ = std::make_unique<OptionsPanel>();
  panel_->setOptions(set, options::OptionSet({spec("threads", OptionType::Int, int64_t{0})}));
  panel_->resize(900, 420);
  panel_->show();
  QVERIFY(QTest::qWaitForWindowActive(panel_.get()));
}

void TstGuiOptions::switchByClickAndSpace() {
  click(cell(Flag));
  QVERIFY(!model().options().boolean("flag"));
  QTest::keyClick(&view(), Qt::Key_Space);
  QVERIFY(model().options().boolean("flag"));
  view().setCurrentIndex(cell(Flag, OptionsModel::OptionColumn));
  QTest::keyClick(&view(), Qt::Key_Return);
  QVERIFY(!model().options().boolean("flag"));
}

void TstGuiOptions::numberTyped() {
  auto* editor = openEditor<NumberEdit>(Count);
  QVERIFY(editor);
  QCOMPARE(editor->accessibleName(), "The count");
  editor->selectAll();
  QTest::keyClicks(editor, "48");
  // Judged while it is typed: 4, then 48.
  QCOMPARE(panel_->invalidCount(), 1);
  QVERIFY(editor->property("invalid").toBool());
  QVERIFY(panel_->firstReason().contains("power of two"));
  QTest::keyClick(editor, Qt::Key_Backspace);
  QTest::keyClick(editor, Qt::Key_Backspace);
  QTest::keyClicks(editor, "32");
  QCOMPARE(panel_->invalidCount(), 0);
  QVERIFY(!editor->property("invalid").toBool());
  QTest::keyClick(editor, Qt::Key_Return);
  QCOMPARE(model().options().integer("count"), 32);
}

void TstGuiOptions::numberStepped() {
  auto* editor = openEditor<NumberEdit>(Count);
  QVERIFY(editor);
  QTest::keyClick(editor, Qt::Key_Up);
  QCOMPARE(editor->text(), "32");
  QTest::keyClick(editor, Qt::Key_Up);
  QTest::keyClick(editor, Qt::Key_Up);
  QCOMPARE(editor->text(), "64");
  QTest::keyClick(editor, Qt::Key_Down);
  QCOMPARE(model().options().integer("count"), 32);
  QTest::keyClick(editor, Qt::Key_Escape);
}

void TstGuiOptions::floatKeepsWhatIsTyped() {
  auto* editor = openEditor<NumberEdit>(Ratio);
  QVERIFY(editor);
  editor->selectAll();
  QTest::keyClicks(editor, "1.50");
  QCOMPARE(editor->text(), "1.50");
  QCOMPARE(model().options().number("ratio"), 1.5);
  QTest::keyClick(editor, Qt::Key_Return);
  QCOMPARE(cell(Ratio).data().toString(), "1.5");
}

void TstGuiOptions::choicePicked() {
  auto* combo = openEditor<QComboBox>(Mode);
  QVERIFY(combo);
  QTRY_VERIFY2(combo->view()->isVisible(), "one click opens the list");
  QTest::keyClick(combo->view(), Qt::Key_Down);
  QTest::keyClick(combo->view(), Qt::Key_Return);
  QTRY_COMPARE(model().options().string("mode"), "small");
}

void TstGuiOptions::listTyped() {
  auto* line = openEditor<QLineEdit>(Items);
  QVERIFY(line);
  QTest::keyClicks(line, "aten.mul.Tensor, aten.add.Tensor");
  QTest::keyClick(line, Qt::Key_Return);
  QCOMPARE(model().options().list("items"), (std::vector<std::string>{"aten.mul.Tensor", "aten.add.Tensor"}));
}

void TstGuiOptions::tabGoesFromValueToValue() {
  auto* editor = openEditor<NumberEdit>(Count);
  QVERIFY(editor);
  QTest::keyClick(editor, Qt::Key_Tab);
  QCOMPARE(view().currentIndex(), cell(Ratio));
  auto* next = qobject_cast<NumberEdit*>(QApplication::focusWidget());
  QVERIFY(next);
  QTest::keyClick(next, Qt::Key_Backtab);
  QCOMPARE(view().currentIndex(), cell(Count));
  // After the last value Tab leaves the table.
  auto* last = openEditor<QLineEdit>(Items);
  QVERIFY(last);
  QTest::keyClick(last, Qt::Key_Tab);
  QTRY_VERIFY(!view().hasFocus() && !view().isAncestorOf(QApplication::focusWidget()));
}

void TstGuiOptions::resetByArrowAndKey() {
  model().setData(model().index(Name, OptionsModel::ValueColumn), "other", Qt::EditRole);
  QVERIFY(cell(Name).data(Qt::FontRole).value<QFont>().weight() >= QFont::DemiBold);
  const QRect arrow = OptionDelegate::resetRect(view().visualRect(cell(Name, OptionsModel::DefaultColumn)));
  QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, arrow.center());
  QCOMPARE(model().options().string("name"), "n");
  model().setData(model().index(Name, OptionsModel::ValueColumn), "other", Qt::EditRole);
  view().setCurrentIndex(cell(Name, OptionsModel::OptionColumn));
  QTest::keyClick(&view(), Qt::Key_Delete);
  QCOMPARE(model().options().string("name"), "n");
}

void TstGuiOptions::resetWhileEditing() {
  auto* editor = openEditor<NumberEdit>(Count);
  QVERIFY(editor);
  editor->selectAll();
  QTest::keyClicks(editor, "5");
  QCOMPARE(panel_->invalidCount(), 1);
  model().setData(model().index(Count, OptionsModel::ValueColumn), {}, OptionsModel::ResetRole);
  QCOMPARE(editor->text(), "16");
  QTest::keyClick(editor, Qt::Key_Return);
  QCOMPARE(model().changedCount(), 0);
}

void TstGuiOptions::resetAllAndUndo() {
  auto* reset = panel_->findChild<QPushButton*>("resetAll");
  QVERIFY(!reset->isEnabled());
  click(cell(Flag));
  model().setData(model().index(Ratio, OptionsModel::ValueColumn), "2", Qt::EditRole);
  QVERIFY(reset->isEnabled());
  QSignalSpy done(panel_.get(), &OptionsPanel::resetAllDone);
  QTest::mouseClick(reset, Qt::LeftButton);
  QCOMPARE(done.size(), 1);
  QCOMPARE(done.first().first().toInt(), 2);
  QCOMPARE(model().changedCount(), 0);
  panel_->restore();
  QCOMPARE(model().changedCount(), 2);
  QCOMPARE(model().options().number("ratio"), 2.0);
}

void TstGuiOptions::filterAndOnlyChanged() {
  auto* search = panel_->findChild<QLineEdit*>("optionSearch");
  search->setFocus();
  QTest::keyClicks(search, "ratio");
  QCOMPARE(view().model()->rowCount(), 1);
  search->clear();
  QCOMPARE(view().model()->rowCount(), 6);
  click(cell(Flag));
  auto* only = panel_->findChild<QAbstractButton*>("onlyChanged");
  QTest::mouseClick(only, Qt::LeftButton, {}, QPoint(8, only->height() / 2));
  QCOMPARE(view().model()->rowCount(), 1);
}

void TstGuiOptions::runtimeTab() {
  auto* tabs = panel_->findChild<QTabBar*>("optionTabs");
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
  QCOMPARE(view().model()->rowCount(), 1);
  auto* editor = openEditor<NumberEdit>(0);
  QVERIFY(editor);
  editor->selectAll();
  QTest::keyClicks(editor, "x");
  QCOMPARE(panel_->invalidCount(), 1);
  tabs->setCurrentIndex(0);
  panel_->showFirstInvalid();
  QCOMPARE(tabs->currentIndex(), 1);
  panel_->setOptions(options::OptionSet(), options::OptionSet());
  QVERIFY(!tabs->isTabVisible(1));
  QCOMPARE(tabs->currentIndex(), 0);
}

void TstGuiOptions::wrongValueBlocksExport() {
  WindowFixture fixture;
  MainWindow& window = fixture.showWithModel();
  OptionsModel& options = window.setup().options().exportModel();
  OptionsView& table = window.setup().options().view();
  const QModelIndex alignment = table.model()->index(options.rowOf("alignment"), OptionsModel::ValueColumn);
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(alignment).center());
  auto* editor = table.viewport()->findChild<NumberEdit*>("optionEditor");
  QVERIFY(editor);
  editor->selectAll();
  QTest::keyClicks(editor, "48");
  auto* button = fixture.find<QPushButton>("exportButton");
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(!window.isExporting());
  QVERIFY2(!fixture.calls().contains("export"), "nothing may be started");
  QVERIFY(window.messages().message().detail.contains("power of two"));
  QCOMPARE(table.currentIndex(), alignment);
  QVERIFY(fixture.find<QLabel>("blocker")->text().contains("1 value"));
  QTest::keyClick(table.viewport()->findChild<NumberEdit*>("optionEditor"), Qt::Key_Return);
  options.resetAll();
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(window.isExporting());
  QVERIFY(fixture.waitForEnd());
}

void TstGuiOptions::backendKeepsCommonValues() {
  WindowFixture fixture;
  MainWindow& window = fixture.showWithModel();
  OptionsModel& options = window.setup().options().exportModel();
  options.setData(options.index(options.rowOf("alignment"), OptionsModel::ValueColumn), "64", Qt::EditRole);
  auto* backends = fixture.find<QComboBox>("backendCombo");
  backends->setFocus();
  QTest::keyClick(backends, Qt::Key_Home);
  QCOMPARE(window.setup().job().backend, "portable");
  QCOMPARE(window.setup().job().settings, QStringList{"alignment=64"});
  QVERIFY(window.setup().job().output.endsWith("mobilenet_v2_portable.pte"));
}

void TstGuiOptions::commandLineIsQuoted() {
  WindowFixture fixture;
  MainWindow& window = fixture.show({1440, 900});
  window.open(fixture.write("my model's.pt2", "model"));
  QTRY_VERIFY(!window.isReading());
  OptionsModel& options = window.setup().options().exportModel();
  options.setData(options.index(options.rowOf("exclude_ops"), OptionsModel::ValueColumn), "aten.mul.Tensor",
                  Qt::EditRole);
  QTest::mouseClick(fixture.find<QAbstractButton>("copyCommand"), Qt::LeftButton);
  const QString words = QApplication::clipboard()->text();
  QVERIFY2(words.startsWith("exportdeck export '"), qPrintable(words));
  QVERIFY2(words.contains("my model'\\''s.pt2'"), qPrintable(words));
  QVERIFY2(words.contains("--set exclude_ops=aten.mul.Tensor"), qPrintable(words));
  QVERIFY2(words.contains("--verify run"), qPrintable(words));
}

QTEST_MAIN(TstGuiOptions)
#include "tst_gui_options.moc"
