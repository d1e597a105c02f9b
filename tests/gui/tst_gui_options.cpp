// The table of options under real keys and clicks.
#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QUndoStack>

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
  void bytesAreCounted();
  void pathFromNamesAndFiles();
  void listAsLines();
  void choicesTicked();
  void notesOnTheRow();
  void noRowIsCut_data();
  void noRowIsCut();
  void explained();
  void copiedAndPasted();
  void pasteNamesTheBadOnes();
  void undoneAndRedone();
  void typingIsOneChange();
  void backendIsUndone();
  void runtimeOptionsOnTheCommandLine();

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

void TstGuiOptions::bytesAreCounted() {
  OptionSpec limited = spec("label", OptionType::String, std::string());
  limited.maximum = 6;
  panel_->setOptions(options::OptionSet({limited}), {});
  auto* editor = openEditor<TextEdit>(0);
  QVERIFY(editor);
  QTest::keyClicks(editor, "caf");
  QCOMPARE(editor->countText(), "3/6");
  editor->insert("é…");
  QCOMPARE(editor->countText(), "8/6");
  QTest::keyClicks(editor, "!");
  QCOMPARE(panel_->invalidCount(), 1);
  QVERIFY2(panel_->firstReason().contains("9 bytes, at most 6"), qPrintable(panel_->firstReason()));
  for (int i = 0; i < 3; ++i) QTest::keyClick(editor, Qt::Key_Backspace);
  QCOMPARE(panel_->invalidCount(), 0);
  QTest::keyClick(editor, Qt::Key_Return);
  QCOMPARE(model().options().string("label"), "caf");
}

void TstGuiOptions::pathFromNamesAndFiles() {
  OptionSpec file = spec("kernels", OptionType::String, std::string("all"));
  file.file = options::FileRole::Read;
  file.choices = {"all", "few"};
  panel_->setOptions(options::OptionSet({file}), {});
  auto* editor = openEditor<PathEdit>(0);
  QVERIFY(editor);
  QTest::keyClick(editor, Qt::Key_Down, Qt::AltModifier);
  auto* menu = panel_->findChild<QMenu*>("pathMenu");
  QVERIFY(menu && menu->isVisible());
  QTest::keyClick(menu, Qt::Key_Down);
  QTest::keyClick(menu, Qt::Key_Down);
  QTest::keyClick(menu, Qt::Key_Return);
  QCOMPARE(model().options().string("kernels"), "few");
  QTRY_VERIFY(!panel_->findChild<QMenu*>("pathMenu"));
  editor = openEditor<PathEdit>(0);
  QVERIFY(editor);
  editor->selectAll();
  QTest::keyClicks(editor, "feww");
  QVERIFY(panel_->firstReason().contains("nearest: few"));
  editor->browse();
  auto* dialog = panel_->findChild<QFileDialog*>();
  QVERIFY(dialog);
  emit dialog->fileSelected("/tmp/kernels.txt");
  dialog->close();
  QCOMPARE(model().options().string("kernels"), "/tmp/kernels.txt");
  QCOMPARE(panel_->invalidCount(), 0);
}

void TstGuiOptions::listAsLines() {
  auto* editor = openEditor<ListEdit>(Items);
  QVERIFY(editor);
  QTest::keyClicks(editor, "one,two");
  QTest::keyClick(editor, Qt::Key_Down, Qt::AltModifier);
  auto* lines = editor->findChild<QListWidget*>("listLines");
  QVERIFY(lines);
  QCOMPARE(lines->count(), 2);
  QTest::mouseClick(editor->findChild<QPushButton*>("addLine"), Qt::LeftButton);
  auto* line = lines->findChild<QLineEdit*>();
  QVERIFY(line);
  QTest::keyClicks(line, "a,b");
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_COMPARE(model().options().list("items"), (std::vector<std::string>{"one", "two", "a,b"}));
  lines->setCurrentRow(0);
  QTest::mouseClick(editor->findChild<QPushButton*>("removeLine"), Qt::LeftButton);
  QCOMPARE(model().options().list("items"), (std::vector<std::string>{"two", "a,b"}));
  QTest::keyClick(lines, Qt::Key_Escape);
  QCOMPARE(editor->text(), "two,a\\,b");
}

void TstGuiOptions::choicesTicked() {
  OptionSpec among = spec("among", OptionType::List, std::vector<std::string>{});
  among.choices = {"red", "green", "blue"};
  panel_->setOptions(options::OptionSet({among}), {});
  auto* editor = openEditor<ListEdit>(0);
  QVERIFY(editor);
  editor->openLines();
  auto* lines = editor->findChild<QListWidget*>("listLines");
  QCOMPARE(lines->count(), 3);
  QTest::keyClick(lines, Qt::Key_Down);
  QTest::keyClick(lines, Qt::Key_Space);
  QCOMPARE(model().options().list("among"), (std::vector<std::string>{"green"}));
}

void TstGuiOptions::notesOnTheRow() {
  WindowFixture fixture;
  MainWindow& window = fixture.showWithModel();
  OptionsModel& options = window.setup().options().exportModel();
  const auto at = [&](const char* key) { return options.index(options.rowOf(key), OptionsModel::ValueColumn); };
  options.setData(at("min_delegate_nodes"), "3", Qt::EditRole);
  QVERIFY(at("min_delegate_nodes").data(OptionsModel::NoteRole).toString().isEmpty());
  options.setData(at("per_op_mode"), true, Qt::EditRole);
  QVERIFY(at("min_delegate_nodes").data(OptionsModel::NoteRole).toString().startsWith("With one delegate"));
  QVERIFY(at("min_delegate_nodes").data(Qt::AccessibleTextRole).toString().contains("With one delegate"));
  QVERIFY2(window.setup().blockReason().isEmpty(), "a note does not block");
}

void TstGuiOptions::noRowIsCut_data() {
  QTest::addColumn<QSize>("size");
  for (const QSize size : {QSize(1024, 700), QSize(1280, 840), QSize(1440, 900), QSize(1920, 1080)})
    QTest::addRow("%dx%d", size.width(), size.height()) << size;
}

// Rows are shown whole, and meanings that are too long say so in their tool tips.
void TstGuiOptions::noRowIsCut() {
  QFETCH(QSize, size);
  WindowFixture fixture;
  MainWindow& window = fixture.showWithModel(size);
  QTest::qWait(50);
  OptionsView& view = window.setup().options().view();
  const int room = view.viewport()->height();
  for (int row = 0; row < view.model()->rowCount(); ++row) {
    const int top = view.rowViewportPosition(row), bottom = top + view.rowHeight(row);
    if (top >= room) break;
    const int hidden = qMax(0, bottom - room);
    // No text stands in the first pixels of a row.
    const bool whole = hidden == 0 || room - top < 10;
    QVERIFY2(whole, qPrintable(QStringLiteral("row %1: %2 of its pixels are hidden").arg(row).arg(hidden)));
    const QModelIndex meaning = view.model()->index(row, OptionsModel::MeaningColumn);
    QVERIFY(meaning.data(Qt::ToolTipRole).toString().contains(meaning.data().toString().toHtmlEscaped()));
  }
}

void TstGuiOptions::explained() {
  click(cell(Count, OptionsModel::OptionColumn));
  QVERIFY(!panel_->isExplaining());
  QTest::keyClick(&view(), Qt::Key_F1);
  QVERIFY(panel_->isExplaining());
  const auto text = [this](const char* name) { return panel_->findChild<QLabel*>(name)->text(); };
  QCOMPARE(text("explainTitle"), "The count");
  QCOMPARE(text("explainFacts"), "count: a power of two from 16 to 64. Default: 16.");
  QTest::keyClick(&view(), Qt::Key_Down);
  QCOMPARE(text("explainTitle"), "The ratio");
  QVERIFY(!view().isColumnHidden(OptionsModel::MeaningColumn));
  panel_->resize(700, 420);
  QTRY_VERIFY(view().isColumnHidden(OptionsModel::MeaningColumn));
  QTest::mouseClick(panel_->findChild<QAbstractButton*>("explainOption"), Qt::LeftButton);
  QVERIFY(!panel_->isExplaining());
}

void TstGuiOptions::copiedAndPasted() {
  click(cell(Flag));
  model().setData(model().index(Items, OptionsModel::ValueColumn), "a,b", Qt::EditRole);
  view().setFocus();
  view().setCurrentIndex(cell(Flag, OptionsModel::OptionColumn));
  QTest::keyClick(&view(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(&view(), Qt::Key_C, Qt::ControlModifier);
  const QString text = QApplication::clipboard()->text();
  QCOMPARE(text, "flag=false\ncount=16\nratio=0.5\nname=n\nmode=fast\nitems=a,b");
  model().resetAll();
  QTest::keyClick(&view(), Qt::Key_V, Qt::ControlModifier);
  QCOMPARE(model().settings(), (QStringList{"flag=false", "items=a,b"}));
  QTest::keyClick(&view(), Qt::Key_Delete);
  QVERIFY2(model().settings().isEmpty(), "all rows are selected");
}

void TstGuiOptions::pasteNamesTheBadOnes() {
  QSignalSpy told(panel_.get(), &OptionsPanel::told);
  QSignalSpy edited(panel_.get(), &OptionsPanel::edited);
  QApplication::clipboard()->setText("count=32\n\nthreads = 4\ncount=48\nshine=1\nnonsense\n");
  view().setFocus();
  QTest::keyClick(&view(), Qt::Key_V, Qt::ControlModifier);
  QCOMPARE(edited.size(), 1);
  QCOMPARE(model().options().integer("count"), 32);
  QCOMPARE(panel_->runtimeModel().options().integer("threads"), 4);
  QCOMPARE(panel_->invalidCount(), 0);
  QCOMPARE(told.size(), 1);
  const auto message = told.front().front().value<Message>();
  QCOMPARE(message.text, "3 rows were not pasted");
  for (const char* word : {"count: Expects a power of two", "shine: There is no such option", "nonsense"})
    QVERIFY2(message.detail.contains(word), qPrintable(message.detail));
}

void TstGuiOptions::undoneAndRedone() {
  WindowFixture fixture;
  MainWindow& window = fixture.showWithModel();
  OptionsModel& options = window.setup().options().exportModel();
  const auto set = [&](const char* key, const QVariant& value) {
    options.setData(options.index(options.rowOf(key), OptionsModel::ValueColumn), value, Qt::EditRole);
  };
  set("plan_inputs", false);
  set("alignment", "48");
  set("exclude_ops", "a,b");
  QTest::mouseClick(fixture.find<QPushButton>("resetAll"), Qt::LeftButton);
  QCOMPARE(options.changedCount(), 0);
  auto* undo = fixture.find<QAbstractButton>("undoOption");
  QTest::mouseClick(undo, Qt::LeftButton);
  QCOMPARE(options.changedCount(), 3);
  QCOMPARE(options.invalidCount(), 1);
  QTest::mouseClick(undo, Qt::LeftButton);
  QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(options.settings(), QStringList{"plan_inputs=false"});
  QCOMPARE(window.setup().options().view().currentIndex().data(OptionsModel::SpecRole).value<const OptionSpec*>()->key,
           "alignment");
  QTest::mouseClick(undo, Qt::LeftButton);
  QVERIFY(!undo->isEnabled());
  auto* redo = fixture.find<QAbstractButton>("redoOption");
  for (int i = 0; i < 3; ++i) QTest::mouseClick(redo, Qt::LeftButton);
  QCOMPARE(options.changedCount(), 3);
  QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(options.changedCount(), 0);
  QVERIFY(!redo->isEnabled());
}

void TstGuiOptions::typingIsOneChange() {
  WindowFixture fixture;
  MainWindow& window = fixture.showWithModel();
  OptionsModel& options = window.setup().options().exportModel();
  OptionsView& table = window.setup().options().view();
  const QModelIndex alignment = table.model()->index(options.rowOf("alignment"), OptionsModel::ValueColumn);
  const auto type = [&](const char* keys) {
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(alignment).center());
    auto* editor = table.viewport()->findChild<NumberEdit*>("optionEditor");
    QVERIFY(editor);
    editor->selectAll();
    QTest::keyClicks(editor, keys);
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_VERIFY(!table.isEditing());
  };
  type("1024");
  QCOMPARE(window.setup().history().count(), 1);
  type("2048");
  QCOMPARE(window.setup().history().count(), 2);
  QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(options.options().integer("alignment"), 1024);
  type("16");
  QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(options.options().integer("alignment"), 1024);
}

void TstGuiOptions::backendIsUndone() {
  WindowFixture fixture;
  MainWindow& window = fixture.showWithModel();
  OptionsModel& options = window.setup().options().exportModel();
  options.setData(options.index(options.rowOf("per_op_mode"), OptionsModel::ValueColumn), true, Qt::EditRole);
  auto* backends = fixture.find<QComboBox>("backendCombo");
  backends->setFocus();
  QTest::keyClick(backends, Qt::Key_Home);
  QCOMPARE(window.setup().job().backend, "portable");
  QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(window.setup().job().backend, "xnnpack");
  QVERIFY(options.options().boolean("per_op_mode"));
  QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(window.setup().job().backend, "portable");
}

void TstGuiOptions::runtimeOptionsOnTheCommandLine() {
  WindowFixture fixture;
  MainWindow& window = fixture.showWithModel();
  OptionsModel& runtime = window.setup().options().runtimeModel();
  runtime.setData(runtime.index(runtime.rowOf("weight_cache_enabled"), OptionsModel::ValueColumn), true, Qt::EditRole);
  QVERIFY(window.setup().job().commandLine().contains("--set-runtime weight_cache_enabled=true"));
}

QTEST_MAIN(TstGuiOptions)
#include "tst_gui_options.moc"
