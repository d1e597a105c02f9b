// What came out: coverage with reasons and source text, fixes as buttons, the plan, past exports, and progress.
#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>

#include "gui/backend_model.h"
#include "gui/coverage_model.h"
#include "gui/coverage_page.h"
#include "gui/diagnostics_model.h"
#include "gui/diagnostics_page.h"
#include "gui/export_history.h"
#include "gui/option_change.h"
#include "gui/options_model.h"
#include "gui/options_panel.h"
#include "gui/options_view.h"
#include "gui/output_bar.h"
#include "gui/result_page.h"
#include "gui/settings.h"
#include "gui/stage_bar.h"
#include "gui/stage_progress.h"
#include "window_fixture.h"

using namespace exportdeck;
using namespace exportdeck::gui;
using exportdeck::gui::testing::kPatience;
using exportdeck::gui::testing::WindowFixture;

class TstGuiOutcome : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }
  void cleanupTestCase() { theme_.reset(); }
  void init() { fixture_ = std::make_unique<WindowFixture>(); }
  void cleanup() { fixture_.reset(); }

  void resultLeadsToTheReasons();
  void coverageSortsAndFilters();
  void equalRowsAreToldApart();
  void coverageReadsTheSource();
  void fixesAreRead_data();
  void fixesAreRead();
  void fixIsDoneAndUndone();
  void backendFix();
  void planIsShown();
  void exportsAreCompared();
  void eachIsComparedWithTheOneBefore();
  void changedSettingsMakeItEarlier();
  void whatFailsLeavesTheEarlierMarked();
  void whatIsNotStartedMarksIt();
  void historyIsKept();
  void damagedHistory();
  void progressNeverGoesBack();
  void progressLearns();
  void lateMessagesTakeNothingBack();
  void cancelShowsAtOnce();

 private:
  MainWindow& window() { return fixture_->window(); }
  void exportOnce();
  QTableView* table() { return fixture_->find<QTableView>("coverageTable"); }
  QString cell(int row, int column) { return table()->model()->index(row, column).data().toString(); }
  QString detail() { return fixture_->find<QTextBrowser>("coverageDetail")->toPlainText(); }
  void clickMessage(const QString& text);
  QString note(int tab);
  QWidget* shownNote();
  void type(const char* key, const QString& value);

  std::unique_ptr<Theme> theme_;
  std::unique_ptr<WindowFixture> fixture_;
};

void TstGuiOutcome::exportOnce() {
  window().setup().output().setReplaces(true);
  window().startExport();
  QVERIFY(fixture_->waitForEnd());
}

void TstGuiOutcome::clickMessage(const QString& text) {
  for (auto* button : window().messages().findChildren<QPushButton*>()) {
    if (button->text() == text && button->isVisible()) return QTest::mouseClick(button, Qt::LeftButton);
  }
  QFAIL(qPrintable("no action " + text + " in: " + window().messages().message().text));
}

// What stands above the page about it being an earlier export's; "" where nothing does.
QString TstGuiOutcome::note(int tab) {
  window().outcome().tabs().setCurrentIndex(tab);
  const QWidget* shown = shownNote();
  return shown ? shown->findChild<QLabel*>("earlierText")->accessibleName() : QString();
}

QWidget* TstGuiOutcome::shownNote() {
  for (auto* one : window().outcome().findChildren<QWidget*>("earlierNote"))
    if (one->isVisible()) return one;
  return nullptr;
}

// Into the table, by keys.
void TstGuiOutcome::type(const char* key, const QString& value) {
  OptionsView& view = window().setup().options().view();
  view.setFocus();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // an editor that was open
  view.editRow(window().setup().options().exportModel().rowOf(key));
  auto* editor = view.viewport()->findChild<QWidget*>("optionEditor");
  QVERIFY(editor);
  QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(editor, value);
  QTest::keyClick(editor, Qt::Key_Return);
}

void TstGuiOutcome::resultLeadsToTheReasons() {
  fixture_->showWithModel();
  exportOnce();
  auto* why = fixture_->find<QPushButton>("showWhy");
  QCOMPARE(why->text(), "4 left out: why?");
  QTest::mouseClick(why, Qt::LeftButton);
  QCOMPARE(window().outcome().tabs().currentIndex(), int(OutcomePane::CoverageTab));
  QVERIFY(table()->isVisible());
  QCOMPARE(table()->model()->rowCount(), 3);
  QVERIFY2(!detail().isEmpty(), "the first row is told about at once");
}

void TstGuiOutcome::coverageSortsAndFilters() {
  fixture_->showWithModel({1440, 900});
  exportOnce();
  window().outcome().tabs().setCurrentIndex(OutcomePane::CoverageTab);
  auto* views = fixture_->find<QTabBar>("coverageViews");
  QTest::mouseClick(views, Qt::LeftButton, {}, views->tabRect(1).center());
  QCOMPARE(table()->model()->rowCount(), 6);
  QHeaderView* header = table()->horizontalHeader();
  const auto clickHeader = [&](int column) {
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                      {header->sectionViewportPosition(column) + 10, header->height() / 2});
  };
  clickHeader(CoverageModel::WorkColumn);
  QCOMPARE(cell(0, CoverageModel::WorkColumn), QString::fromUtf8("–"));
  clickHeader(CoverageModel::WorkColumn);
  QCOMPARE(cell(0, CoverageModel::NameColumn), "aten.convolution.default");
  QCOMPARE(cell(0, CoverageModel::DelegatedColumn), "52 of 52");
  QVERIFY2(cell(0, CoverageModel::WorkColumn).contains("99.6"), qPrintable(cell(0, CoverageModel::WorkColumn)));
  auto* search = fixture_->find<QLineEdit>("coverageSearch");
  search->setFocus();
  QTest::keyClicks(search, "dimension 1");
  QCOMPARE(table()->model()->rowCount(), 1);
  QCOMPARE(cell(0, CoverageModel::NameColumn), "aten.mean.dim");
  QVERIFY(cell(0, CoverageModel::ReasonColumn).endsWith("and 1 more"));
  QTest::keyClicks(search, " no such words");
  QCOMPARE(table()->model()->rowCount(), 0);
  QCOMPARE(detail(), QString());
  search->clear();
  QTest::mouseClick(views, Qt::LeftButton, {}, views->tabRect(2).center());
  QCOMPARE(table()->model()->rowCount(), 3);
}

// One operator and one reason, twice: the module and the line say which is which, at every width.
void TstGuiOutcome::equalRowsAreToldApart() {
  fixture_->showWithModel();
  exportOnce();
  window().outcome().tabs().setCurrentIndex(OutcomePane::CoverageTab);
  ExportReport report;
  report.delegates = 1;
  for (const auto& [module, line] : {std::pair("stem.act", 10), {"blocks.1.act", 9}, {"blocks.0.act", 120}}) {
    LeftOut item;
    item.op = "aten.gelu.default";
    item.count = 1;
    item.reason = "There is no such node";
    item.origin.modulePath = module;
    item.origin.sourceFile = "/a/net.py";
    item.origin.sourceLine = line;
    report.leftOut.append(item);
  }
  LeftOut unplaced;
  unplaced.op = "aten.gelu.default";
  unplaced.count = 1;
  unplaced.reason = "There is no such node";
  unplaced.origin.node = "gelu_3";
  report.leftOut.append(unplaced);
  window().outcome().coverage().setReport(report);
  QCOMPARE(table()->width() < 700, true);
  for (const int column :
       {CoverageModel::NameColumn, CoverageModel::ModuleColumn, CoverageModel::LineColumn, CoverageModel::ReasonColumn})
    QVERIFY(!table()->isColumnHidden(column) && table()->columnWidth(column) > 40);
  const auto column = [&](int which) {
    QStringList texts;
    for (int row = 0; row < table()->model()->rowCount(); ++row) texts << cell(row, which);
    return texts;
  };
  const auto clickHeader = [&](int which) {
    QHeaderView* header = table()->horizontalHeader();
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                      {header->sectionViewportPosition(which) + 10, header->height() / 2});
  };
  QCOMPARE(column(CoverageModel::ModuleColumn),
           QStringList({"stem.act", "blocks.1.act", "blocks.0.act", "node gelu_3"}));
  clickHeader(CoverageModel::ModuleColumn);
  QCOMPARE(column(CoverageModel::ModuleColumn),
           QStringList({"blocks.0.act", "blocks.1.act", "node gelu_3", "stem.act"}));
  clickHeader(CoverageModel::LineColumn);
  QCOMPARE(column(CoverageModel::LineColumn).mid(0, 3), QStringList({"net.py:9", "net.py:10", "net.py:120"}));
  auto* search = fixture_->find<QLineEdit>("coverageSearch");
  search->setFocus();
  QTest::keyClicks(search, "blocks.");
  QCOMPARE(table()->model()->rowCount(), 2);
  QTest::keyClick(search, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(search, ":120");
  QCOMPARE(table()->model()->rowCount(), 1);
}

void TstGuiOutcome::coverageReadsTheSource() {
  fixture_->write("net.py", "import torch\n\ndef pool(x):\n  return x.mean(1)  # of <channels>\n");
  fixture_->showWithModel();
  exportOnce();
  window().outcome().tabs().setCurrentIndex(OutcomePane::CoverageTab);
  table()->setFocus();
  table()->selectRow(0);
  QTest::keyClick(table(), Qt::Key_Down);
  for (const char* word : {"Reduces over dimension 1", "Keep the dimensions", "features.17.pool", "net.ChannelPool",
                           "return x.mean(1)  # of <channels>", "def pool(x):"})
    QVERIFY2(QString(detail()).replace(QChar(0xa0), ' ').contains(word), qPrintable(detail()));
  // A file that is not there: the line that the archive recorded.
  QTest::keyClick(table(), Qt::Key_Up);
  QVERIFY2(detail().contains("x = x.flatten(1)"), qPrintable(detail()));
  // One that has changed since, and is shorter now.
  fixture_->write("net.py", "import torch\n");
  QTest::keyClick(table(), Qt::Key_Down);
  QVERIFY2(detail().contains("return x.mean(1)") && !detail().contains("import torch"), qPrintable(detail()));
}

void TstGuiOutcome::fixesAreRead_data() {
  QTest::addColumn<QString>("fix");
  QTest::addColumn<QString>("key");
  QTest::addColumn<QString>("value");
  QTest::newRow("switch") << "Set per_op_mode=true." << "per_op_mode" << "true";
  QTest::newRow("empty") << "Remove it from exclude_ops: set exclude_ops=" << "exclude_ops" << "";
  QTest::newRow("list") << "Remove it from exclude_ops: set exclude_ops=aten.a.default,b" << "exclude_ops"
                        << "aten.a.default,b";
  QTest::newRow("backend") << "Export with --backend portable, which takes it into a delegate" << "backend"
                           << "portable";
  QTest::newRow("kernels") << "Use --runtime-profile quantized, which has it, and build the runtime so"
                           << "runtime_profile" << "quantized";
  QTest::newRow("list of kernels") << "Add aten::x.out to the runtime's operators and to the list given with "
                                      "--runtime-profile"
                                   << "" << "";
  QTest::newRow("words") << "Do it on the outputs" << "" << "";
  QTest::newRow("code") << "Use sort(dim = 1)" << "" << "";
}

void TstGuiOutcome::fixesAreRead() {
  QFETCH(QString, fix);
  QFETCH(QString, key);
  QFETCH(QString, value);
  const auto change = OptionChange::fromFix(fix);
  QCOMPARE(change.has_value(), !key.isEmpty());
  if (!change) return;
  QCOMPARE(change->key, key);
  QCOMPARE(change->value, value);
}

void TstGuiOutcome::fixIsDoneAndUndone() {
  fixture_->showWithModel();
  OptionsModel& options = window().setup().options().exportModel();
  const QModelIndex excluded = options.index(options.rowOf("exclude_ops"), OptionsModel::ValueColumn);
  options.setData(excluded, "aten.mean.dim", Qt::EditRole);
  exportOnce();
  window().outcome().tabs().setCurrentIndex(OutcomePane::CoverageTab);
  table()->selectRow(2);
  auto* button = fixture_->find<QPushButton>("fixButton");
  QVERIFY(button->isVisible());
  QCOMPARE(button->text(), "Clear exclude_ops");
  QTest::mouseClick(button, Qt::LeftButton);
  QCOMPARE(excluded.data(Qt::EditRole).toString(), "");
  QVERIFY(!fixture_->find<QLineEdit>("commandLine")->text().contains("exclude_ops"));
  clickMessage("Undo");
  QCOMPARE(excluded.data(Qt::EditRole).toString(), "aten.mean.dim");
  QTest::mouseClick(button, Qt::LeftButton);
  clickMessage("Export again");
  QVERIFY(window().isExporting());
  QVERIFY(fixture_->waitForEnd());
  QVERIFY(!fixture_->calls().section("\nexport\n", -1).contains("exclude_ops"));
}

void TstGuiOutcome::backendFix() {
  fixture_->showWithModel();
  Diagnostic problem{Code::OperatorUnsupported,
                     Severity::Error,
                     "It needs a kernel",
                     {},
                     {},
                     {"Export with --backend portable, which takes it into a delegate", "Set no_such_option=3"}};
  auto* page = &window().outcome().diagnostics();
  page->model().add(problem);
  page->select(0);
  window().outcome().showDiagnostics();
  const auto buttons = page->findChildren<QPushButton*>("fixButton");
  QCOMPARE(buttons.size(), 2);
  QTest::mouseClick(buttons[0], Qt::LeftButton);
  QCOMPARE(window().setup().backends().backend(), "portable");
  clickMessage("Undo");
  QCOMPARE(window().setup().backends().backend(), "xnnpack");
  QTest::mouseClick(buttons[1], Qt::LeftButton);
  QVERIFY(window().messages().message().text.contains("no_such_option"));
  // Equal ones are counted.
  page->model().add(problem);
  QCOMPARE(page->model().rowCount(), 1);
  QCOMPARE(page->model().index(0, DiagnosticsModel::CountColumn).data().toString(), QString::fromUtf8("× 2"));
}

void TstGuiOutcome::planIsShown() {
  fixture_->showWithModel();
  exportOnce();
  window().outcome().tabs().setCurrentIndex(OutcomePane::PlanTab);
  auto* kernels = fixture_->find<QListView>("kernelList");
  QVERIFY(kernels->isVisible());
  QCOMPARE(kernels->model()->rowCount(), 2);
  QCOMPARE(kernels->model()->index(0, 0).data().toString(), "aten::mean.out");
}

void TstGuiOutcome::exportsAreCompared() {
  fixture_->showWithModel();
  exportOnce();
  OptionsModel& options = window().setup().options().exportModel();
  options.setData(options.index(options.rowOf("alignment"), OptionsModel::ValueColumn), "64", Qt::EditRole);
  exportOnce();
  auto* history = fixture_->find<QTableView>("historyTable");
  QVERIFY(history->isVisible());
  QCOMPARE(history->model()->rowCount(), 2);
  QCOMPARE(history->model()->index(0, HistoryModel::ChangedColumn).data().toString(), "alignment=64");
  QCOMPARE(history->model()->index(1, HistoryModel::ChangedColumn).data().toString(), "all options at their defaults");
}

// The newest carries the change it brought; the first has nothing to be compared with.
void TstGuiOutcome::eachIsComparedWithTheOneBefore() {
  HistoryModel model;
  const QAbstractItemModelTester tester(&model);
  const QDateTime now = QDateTime::currentDateTime();
  model.setExports({{now, "o", "xnnpack", {}, 1100, 50, 0.5, 0.75},
                    {now, "o", "xnnpack", {}, 1000, 100, 1.0, 0.5},
                    {now, "o", "xnnpack", {}, 1000, 0, 1.0, 0.5}});
  const auto text = [&](int row, int column) {
    return model.index(row, column).data().toString().replace(QChar(0x2009), QLatin1Char(' '));
  };
  QCOMPARE(text(0, HistoryModel::SizeColumn), "1.1 kB  (+10.0 %)");
  QCOMPARE(text(0, HistoryModel::ArenaColumn), QString::fromUtf8("50 bytes  (−50.0 %)"));
  QCOMPARE(text(0, HistoryModel::TimeColumn), QString::fromUtf8("0.50 s  (−50.0 %)"));
  QCOMPARE(text(0, HistoryModel::DelegatedColumn), "75.0 %  (+25.0 points)");
  QCOMPARE(text(1, HistoryModel::SizeColumn), "1.0 kB");
  QCOMPARE(text(1, HistoryModel::ArenaColumn), "100 bytes  (before: none)");
  QCOMPARE(text(2, HistoryModel::ArenaColumn), "0 bytes");
  QVERIFY(model.index(0, HistoryModel::SizeColumn).data(Qt::ToolTipRole).toString().contains("1.0"));
  QVERIFY(text(0, HistoryModel::WhenColumn).startsWith("now"));
  model.setEarlier(true);
  QVERIFY(!text(0, HistoryModel::WhenColumn).contains("now"));
}

void TstGuiOutcome::changedSettingsMakeItEarlier() {
  fixture_->showWithModel();
  exportOnce();
  const QString coverage = window().outcome().tabs().tabText(OutcomePane::CoverageTab);
  for (const int tab : {OutcomePane::ResultTab, OutcomePane::CoverageTab, OutcomePane::PlanTab})
    QCOMPARE(note(tab), "");
  type("alignment", "64");
  const QString time = QDateTime::currentDateTime().toString("HH:");
  for (const int tab : {OutcomePane::ResultTab, OutcomePane::CoverageTab, OutcomePane::PlanTab}) {
    QVERIFY2(note(tab).startsWith("This is the export of " + time), qPrintable(note(tab)));
    QVERIFY2(note(tab).endsWith("Changed since: Buffer alignment."), qPrintable(note(tab)));
  }
  QVERIFY(window().outcome().result().headline().contains("as it was exported at"));
  QCOMPARE(window().outcome().tabs().tabText(OutcomePane::CoverageTab), "Coverage");
  QVERIFY2(note(OutcomePane::DiagnosticsTab).isEmpty(), "these are of the last export in any case");
  // Back as it was, it is current again.
  QTest::keyClick(&window(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(note(OutcomePane::ResultTab), "");
  QCOMPARE(window().outcome().result().headline(), "mobilenet_v2_xnnpack.pte is there, and it runs");
  QCOMPARE(window().outcome().tabs().tabText(OutcomePane::CoverageTab), coverage);
  window().setup().output().setPath(fixture_->path("other.pte"));
  QVERIFY(note(OutcomePane::ResultTab).endsWith("Changed since: Output."));
  exportOnce();
  QCOMPARE(note(OutcomePane::ResultTab), "");
}

void TstGuiOutcome::whatFailsLeavesTheEarlierMarked() {
  fixture_->showWithModel();
  exportOnce();
  qputenv("PLAY", "fail");
  exportOnce();
  QCOMPARE(window().outcome().tabs().currentIndex(), int(OutcomePane::DiagnosticsTab));
  for (const int tab : {OutcomePane::ResultTab, OutcomePane::CoverageTab, OutcomePane::PlanTab})
    QVERIFY2(note(tab).contains("the last one was refused: The operator aten.sort.default cannot be lowered."),
             qPrintable(note(tab)));
  QCOMPARE(fixture_->find<QTableView>("coverageTable")->model()->rowCount(), 3);
  QVERIFY(!window().outcome().result().headline().contains("it runs"));
  auto* see = shownNote()->findChild<QPushButton*>("seeDiagnostics");
  QTest::mouseClick(see, Qt::LeftButton);
  QCOMPARE(window().outcome().tabs().currentIndex(), int(OutcomePane::DiagnosticsTab));
  qputenv("PLAY", "slow");
  window().startExport();
  QVERIFY(note(OutcomePane::PlanTab).endsWith("a new one is running."));
  QCOMPARE(note(OutcomePane::ResultTab), "");
  QTest::keyClick(&window(), Qt::Key_Escape);
  QVERIFY(fixture_->waitForEnd());
  QVERIFY(note(OutcomePane::ResultTab).endsWith("the last one was cancelled."));
  // Another reading of the model begins from nothing.
  QVERIFY(window().outcome().stages().seconds() > 0.0);
  window().open(fixture_->path("mobilenet_v2.pt2"));
  QCOMPARE(note(OutcomePane::ResultTab), "");
  QCOMPARE(window().outcome().stages().seconds(), 0.0);
}

void TstGuiOutcome::whatIsNotStartedMarksIt() {
  fixture_->showWithModel();
  exportOnce();
  type("alignment", "48");
  QTest::mouseClick(fixture_->find<QPushButton>("exportButton"), Qt::LeftButton);
  QVERIFY(!window().isExporting());
  QVERIFY2(note(OutcomePane::ResultTab).endsWith("the next one was not started: 1 value is wrong."),
           qPrintable(note(OutcomePane::ResultTab)));
  type("alignment", "16");
  QCOMPARE(note(OutcomePane::ResultTab), "");
}

void TstGuiOutcome::historyIsKept() {
  const QString source = fixture_->path("net.pt2");
  for (int i = 0; i < 15; ++i) {
    const PastExport past{QDateTime::currentDateTime(), "o.pte", "xnnpack", {"a=1"}, 1000 + i, 500, 0.5, 0.25};
    QVERIFY(rememberExport(source, past, settingNumber(Setting::KeptExports)));
  }
  const QList<PastExport> kept = pastExports(source);
  QCOMPARE(kept.size(), settingNumber(Setting::KeptExports));
  QCOMPARE(kept.front().bytes, 1014);
  QCOMPARE(kept.front().changed, QStringList({"a=1"}));
  QCOMPARE(kept.front().delegated, 0.25);
  QVERIFY(pastExports(fixture_->path("other.pt2")).isEmpty());
  HistoryModel model;
  model.setExports(kept);
  QVERIFY2(model.index(0, HistoryModel::SizeColumn).data().toString().contains("+0.1"),
           qPrintable(model.index(0, HistoryModel::SizeColumn).data().toString()));
}

void TstGuiOutcome::damagedHistory() {
  const QString source = fixture_->path("net.pt2");
  const PastExport past{QDateTime::currentDateTime(), "o.pte", "xnnpack", {}, 1000, 500, 0.5, 1.0};
  QVERIFY(rememberExport(source, past, 5));
  const QDir folder(stateFolder() + "/exports");
  const QString file = folder.filePath(folder.entryList(QDir::Files).front());
  QFile damaged(file);
  QVERIFY(damaged.open(QIODevice::WriteOnly));
  damaged.write("{\"exports\": [1, {\"when\": 3}, ");
  damaged.close();
  QVERIFY(pastExports(source).isEmpty());
  QVERIFY(rememberExport(source, past, 5));
  QCOMPARE(pastExports(source).size(), 1);
}

void TstGuiOutcome::progressNeverGoesBack() {
  StageProgress progress;
  progress.begin({"read", "write"}, {{"read", 1.0}, {"write", 3.0}});
  progress.start("read");
  progress.advance(0.5);
  QCOMPARE(progress.value(), 0.125);
  progress.advance(0.2);
  QCOMPARE(progress.value(), 0.125);
  // A stage that was not planned makes the whole longer; what was shown stays.
  progress.setPlan({"read", "write", "verify"});
  QCOMPARE(progress.value(), 0.125);
  progress.finish("read");
  progress.start("write");
  double before = progress.value();
  for (int i = 1; i <= 200; ++i) {
    progress.wait(i * 0.5);
    QVERIFY(progress.value() >= before);
    before = progress.value();
  }
  QVERIFY2(before < 1.0, "it is not finished before it is");
  progress.finish("write");
  QVERIFY(progress.value() < 1.0);
  progress.start("verify");
  progress.finish("verify");
  QCOMPARE(progress.value(), 1.0);
}

void TstGuiOutcome::progressLearns() {
  QVERIFY(StageProgress::rememberedTimes().isEmpty());
  StageProgress::remember({{"read", 1.0}, {"write", 0.0}});
  StageProgress::remember({{"read", 2.0}});
  QCOMPARE(StageProgress::rememberedTimes().value("read"), 1.4);
  fixture_->showWithModel();
  exportOnce();
  QCOMPARE(window().outcome().stages().progress(), 1.0);
  QTRY_VERIFY(StageProgress::rememberedTimes().value("verify") > 0.0);
}

void TstGuiOutcome::lateMessagesTakeNothingBack() {
  StageBar bar;
  bar.begin();
  bar.setPlan({"read", "write"});
  bar.start("write");
  bar.advance("write", 80, 100);
  const double before = bar.progress();
  bar.advance("write", 20, 100);
  QCOMPARE(bar.stages().at(1).done, 80u);
  QCOMPARE(bar.progress(), before);
}

void TstGuiOutcome::cancelShowsAtOnce() {
  qputenv("PLAY", "stubborn");
  fixture_->showWithModel();
  window().startExport();
  QTRY_COMPARE_WITH_TIMEOUT(window().outcome().stages().stages().at(3).state, StageBar::State::Running, kPatience);
  auto* button = fixture_->find<QPushButton>("exportButton");
  QElapsedTimer clock;
  clock.start();
  QTest::keyClick(&window(), Qt::Key_Escape);
  QCoreApplication::processEvents();
  QCOMPARE(button->text(), QString::fromUtf8("Cancelling…"));
  QVERIFY2(clock.elapsed() < 100, "the wish to cancel is seen at once, also where the work does not stop");
  QVERIFY(window().isExporting());
  QVERIFY(fixture_->waitForEnd());
}

QTEST_MAIN(TstGuiOutcome)
#include "tst_gui_outcome.moc"
