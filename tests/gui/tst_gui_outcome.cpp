// What came out: coverage with reasons and source text, fixes as buttons, the plan, past exports, and progress.
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
#include "gui/diagnostics_model.h"
#include "gui/diagnostics_page.h"
#include "gui/export_history.h"
#include "gui/option_change.h"
#include "gui/options_model.h"
#include "gui/options_panel.h"
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
  void coverageReadsTheSource();
  void fixesAreRead_data();
  void fixesAreRead();
  void fixIsDoneAndUndone();
  void backendFix();
  void planIsShown();
  void exportsAreCompared();
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
  window().outcome().showProblem(problem);
  window().outcome().showDiagnostics();
  auto* page = &window().outcome().diagnostics();
  const auto buttons = page->findChildren<QPushButton*>("fixButton");
  QCOMPARE(buttons.size(), 2);
  QTest::mouseClick(buttons[0], Qt::LeftButton);
  QCOMPARE(window().setup().backends().backend(), "portable");
  clickMessage("Undo");
  QCOMPARE(window().setup().backends().backend(), "xnnpack");
  QTest::mouseClick(buttons[1], Qt::LeftButton);
  QVERIFY(window().messages().message().text.contains("no_such_option"));
  // Equal ones are counted.
  window().outcome().showProblem(problem);
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
  QVERIFY2(model.index(11, HistoryModel::SizeColumn).data().toString().contains(QString::fromUtf8("−1.1")),
           qPrintable(model.index(11, HistoryModel::SizeColumn).data().toString()));
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
