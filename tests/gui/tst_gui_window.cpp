// The window from opening a model to the end of an export, with a played command line.
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>

#include "gui/backend_model.h"
#include "gui/diagnostics_model.h"
#include "gui/diagnostics_page.h"
#include "gui/document_tabs.h"
#include "gui/log_model.h"
#include "gui/log_view.h"
#include "gui/options_model.h"
#include "gui/options_panel.h"
#include "gui/output_bar.h"
#include "gui/result_page.h"
#include "gui/source_panel.h"
#include "gui/stage_bar.h"
#include "window_fixture.h"

using namespace exportdeck;
using namespace exportdeck::gui;
using exportdeck::gui::testing::kPatience;
using exportdeck::gui::testing::WindowFixture;

class TstGuiWindow : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }
  void cleanupTestCase() { theme_.reset(); }
  void init() { fixture_ = std::make_unique<WindowFixture>(); }
  void cleanup() { fixture_.reset(); }

  void opensWhatIsDropped();
  void opensTheSample();
  void unreadableModel();
  void finishedProgram();
  void programMissing();
  void secondModelHasItsOwnTab();
  void exportsToTheEnd();
  void chattyExport();
  void existingOutput();
  void folderMissing();
  void cancels();
  void cancelsTheStubborn();
  void fails();
  void crashes();
  void closeAsks();
  void doubleClickIsNoCancel();
  void keysExportAndCancel();
  void recentModels();
  void comesBackWhereItWas();
  void logStaysFluid();
  void logFilterCopySave();
  void tabOrder();
  void themeFollows();

 private:
  MainWindow& window() { return fixture_->window(); }
  QPushButton* exportButton() { return fixture_->find<QPushButton>("exportButton"); }
  void clickExport() { QTest::mouseClick(exportButton(), Qt::LeftButton); }
  void clickMessage(const QString& text);
  StageBar::State stage(size_t at) { return window().outcome().stages().stages().at(at).state; }

  std::unique_ptr<Theme> theme_;
  std::unique_ptr<WindowFixture> fixture_;
};

void TstGuiWindow::clickMessage(const QString& text) {
  for (auto* button : window().messages().findChildren<QPushButton*>()) {
    if (button->text() != text) continue;
    QTest::mouseClick(button, Qt::LeftButton);
    return;
  }
  QFAIL(qPrintable("no action " + text + " in: " + window().messages().message().text));
}

void TstGuiWindow::opensWhatIsDropped() {
  MainWindow& window = fixture_->show();
  QVERIFY(fixture_->find<QWidget>("emptyPage")->isVisible());
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(fixture_->write("net.pt2", "model"))});
  QDragEnterEvent enter(QPoint(500, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(500, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &drop);
  QVERIFY(drop.isAccepted());
  QTRY_VERIFY_WITH_TIMEOUT(!window.isReading(), kPatience);
  QVERIFY(!fixture_->find<QWidget>("emptyPage")->isVisible());
  QCOMPARE(window.windowTitle(), "net.pt2 — ExportDeck");
  QCOMPARE(window.source().contents().rowCount(), 4);
  QVERIFY(exportButton()->isEnabled());
  QVERIFY(fixture_->find<QLineEdit>("outputPath")->text().endsWith("net_xnnpack.pte"));
  // Words are no model.
  QMimeData words;
  words.setText("words");
  QDragEnterEvent wrong(QPoint(500, 300), Qt::CopyAction, &words, Qt::LeftButton, Qt::NoModifier);
  wrong.ignore();
  QApplication::sendEvent(&window, &wrong);
  QVERIFY(!wrong.isAccepted());
}

void TstGuiWindow::opensTheSample() {
  MainWindow& window = fixture_->show();
  QTest::mouseClick(fixture_->find<QPushButton>("trySample"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!window.isReading() && exportButton()->isEnabled(), kPatience);
  const QString path = window.setup().job().source;
  QVERIFY2(path.startsWith(fixture_->path("data")), qPrintable(path));
  QVERIFY(QFileInfo(path).size() > 10'000);
  QVERIFY(QFileInfo(path).isWritable());
  QCOMPARE(window.setup().job().output, fixture_->path("digits_xnnpack.pte"));
}

void TstGuiWindow::unreadableModel() {
  MainWindow& window = fixture_->show();
  window.open(fixture_->write("broken.pt2", "x"));
  QTRY_VERIFY_WITH_TIMEOUT(!window.isReading(), kPatience);
  QVERIFY2(!exportButton()->isVisible(), "what cannot be read cannot be exported");
  QVERIFY(fixture_->find<QLabel>("failedHelp")->text().contains("torch.export.save"));
}

void TstGuiWindow::finishedProgram() {
  MainWindow& window = fixture_->show();
  window.open(fixture_->write("done.pte", "x"));
  QTRY_VERIFY_WITH_TIMEOUT(!window.isReading(), kPatience);
  QVERIFY(fixture_->find<QLabel>("failedWhat")->text().contains("finished program"));
  QVERIFY(!exportButton()->isVisible());
}

void TstGuiWindow::programMissing() {
  qputenv("EXPORTDECK_CLI", "/nonexistent/exportdeck");
  MainWindow& window = fixture_->show();
  window.open(fixture_->write("net.pt2", "x"));
  QTRY_VERIFY_WITH_TIMEOUT(!window.isReading(), kPatience);
  QTRY_VERIFY(fixture_->find<QLabel>("failedWhat")->isVisible());
  QVERIFY(fixture_->find<QLabel>("failedWhat")->text().contains("/nonexistent/exportdeck"));
}

void TstGuiWindow::secondModelHasItsOwnTab() {
  MainWindow& window = fixture_->showWithModel();
  clickExport();
  QVERIFY(fixture_->waitForEnd());
  window.open(fixture_->write("second.pt2", "model"));
  QTRY_VERIFY_WITH_TIMEOUT(!window.isReading(), kPatience);
  QVERIFY(fixture_->find<QLineEdit>("outputPath")->text().endsWith("second_xnnpack.pte"));
  QCOMPARE(window.outcome().result().headline(), "Nothing exported yet");
  QCOMPARE(stage(0), StageBar::State::Waiting);
  QCOMPARE(window.tabs().count(), 2);
  QTest::mouseClick(&window.tabs(), Qt::LeftButton, {}, window.tabs().tabRect(0).center());
  QCOMPARE(window.outcome().result().headline(), "mobilenet_v2_xnnpack.pte is there, and it runs");
}

void TstGuiWindow::exportsToTheEnd() {
  MainWindow& window = fixture_->showWithModel();
  clickExport();
  QVERIFY(window.isExporting());
  QCOMPARE(exportButton()->text(), "Cancel");
  QVERIFY(!fixture_->find<QComboBox>("backendCombo")->isEnabled());
  QVERIFY(fixture_->waitForEnd());
  QCOMPARE(exportButton()->text().remove('&'), "Export");
  QVERIFY(fixture_->find<QComboBox>("backendCombo")->isEnabled());
  for (size_t i = 0; i < 6; ++i) QCOMPARE(stage(i), StageBar::State::Done);
  QCOMPARE(window.outcome().stages().stages().at(3).seconds, 0.21);
  QVERIFY(window.outcome().stages().accessibleDescription().contains("Write: done in"));
  QCOMPARE(window.outcome().result().headline(), "mobilenet_v2_xnnpack.pte is there, and it runs");
  QCOMPARE(fixture_->find<QTableView>("coverageTable")->model()->rowCount(), 3);
  QCOMPARE(window.outcome().tabs().tabText(OutcomePane::CoverageTab), QString::fromUtf8("Coverage 97.0\u2009%"));
  QCOMPARE(window.outcome().diagnostics().model().rowCount(), 1);
  QCOMPARE(window.outcome().tabs().tabText(OutcomePane::DiagnosticsTab), "Diagnostics 1");
  QVERIFY2(window.messages().isHidden(), "success needs no message");
  QTest::mouseClick(fixture_->find<QPushButton>("copyPath"), Qt::LeftButton);
  QCOMPARE(QApplication::clipboard()->text(), fixture_->path("mobilenet_v2_xnnpack.pte"));
  const QString calls = fixture_->calls();
  for (const char* word : {"export", "--backend\nxnnpack", "--verify\nrun", "--progress\njson", "--json"})
    QVERIFY2(calls.contains(word), word);
  QVERIFY(!calls.contains("--force"));
}

void TstGuiWindow::chattyExport() {
  qputenv("PLAY", "chatter");
  MainWindow& window = fixture_->showWithModel();
  clickExport();
  QVERIFY(fixture_->waitForEnd());
  QCOMPARE(window.outcome().result().headline(), "mobilenet_v2_xnnpack.pte is there, and it runs");
  QVERIFY(window.outcome().log().model().rowCount() > 2000);
}

void TstGuiWindow::existingOutput() {
  MainWindow& window = fixture_->showWithModel();
  fixture_->write("mobilenet_v2_xnnpack.pte", "mine");
  clickExport();
  QVERIFY2(!window.isExporting(), "an existing file is not replaced unasked");
  QCOMPARE(window.messages().message().tone, Tone::Warning);
  clickMessage("Replace");
  QVERIFY(window.isExporting());
  QVERIFY(fixture_->waitForEnd());
  QVERIFY(fixture_->calls().contains("--force"));
  QVERIFY2(window.setup().output().replaces(), "what this window wrote it may write again");
  // Another file's name takes the leave away.
  fixture_->write("other.pte", "mine");
  window.setup().output().setPath(fixture_->path("other.pte"));
  QVERIFY(window.setup().output().exists());
  QVERIFY(!window.setup().output().replaces());
}

void TstGuiWindow::folderMissing() {
  MainWindow& window = fixture_->showWithModel();
  auto* path = fixture_->find<QLineEdit>("outputPath");
  for (const QString& wrong :
       {fixture_->path("no/such/folder.pte"), QString(), QStringLiteral("relative.pte"), fixture_->path(".")}) {
    path->setText(wrong);
    QVERIFY2(!window.setup().output().reason().isEmpty(), qPrintable(wrong));
    clickExport();
    QVERIFY(!window.isExporting());
    QCOMPARE(window.messages().message().tone, Tone::Warning);
  }
  path->setText(fixture_->path("fine.pte"));
  QVERIFY(window.setup().blockReason().isEmpty());
}

void TstGuiWindow::cancels() {
  qputenv("PLAY", "slow");
  MainWindow& window = fixture_->showWithModel();
  clickExport();
  QTRY_COMPARE_WITH_TIMEOUT(stage(3), StageBar::State::Running, kPatience);
  QTRY_COMPARE(window.outcome().stages().stages().at(3).done, 6'100'000u);
  QTest::qWait(QApplication::doubleClickInterval());
  clickExport();
  QCOMPARE(exportButton()->text(), "Cancelling…");
  QVERIFY(fixture_->waitForEnd());
  QCOMPARE(window.outcome().result().headline(), "Cancelled");
  QCOMPARE(stage(3), StageBar::State::Stopped);
  QVERIFY2(window.messages().isHidden(), "a wish fulfilled is no error");
  QVERIFY(!QFileInfo::exists(fixture_->path("mobilenet_v2_xnnpack.pte")));
  QVERIFY(exportButton()->isEnabled());
}

void TstGuiWindow::cancelsTheStubborn() {
  qputenv("PLAY", "stubborn");
  MainWindow& window = fixture_->showWithModel();
  clickExport();
  QTRY_COMPARE_WITH_TIMEOUT(stage(3), StageBar::State::Running, kPatience);
  QTest::qWait(100);
  window.cancelExport();
  QVERIFY(fixture_->waitForEnd());
  QCOMPARE(window.outcome().result().headline(), "Cancelled");
}

void TstGuiWindow::fails() {
  qputenv("PLAY", "fail");
  MainWindow& window = fixture_->showWithModel();
  clickExport();
  QVERIFY(fixture_->waitForEnd());
  QCOMPARE(stage(0), StageBar::State::Done);
  QCOMPARE(stage(1), StageBar::State::Failed);
  QCOMPARE(stage(2), StageBar::State::Waiting);
  QCOMPARE(window.outcome().tabs().currentIndex(), int(OutcomePane::DiagnosticsTab));
  QCOMPARE(window.outcome().diagnostics().model().rowCount(), 1);
  const QString detail = fixture_->find<QTextBrowser>("diagnosticDetail")->toPlainText();
  for (const char* word : {"aten.sort.default", "ranker.py:48", "x.sort(dim=-1)", "head.rank", "operator.unsupported",
                           "Replace it by topk"})
    QVERIFY2(detail.contains(word), word);
  QCOMPARE(window.messages().message().tone, Tone::Error);
  QCOMPARE(window.outcome().result().headline(), "Not exported");
}

void TstGuiWindow::crashes() {
  qputenv("PLAY", "crash");
  MainWindow& window = fixture_->showWithModel();
  clickExport();
  QVERIFY(fixture_->waitForEnd());
  QCOMPARE(stage(3), StageBar::State::Failed);
  QCOMPARE(window.outcome().result().headline(), "Not exported");
  QCOMPARE(window.messages().message().tone, Tone::Error);
  QCOMPARE(window.outcome().diagnostics().model().count(Severity::Error), 1);
}

void TstGuiWindow::closeAsks() {
  qputenv("PLAY", "slow");
  MainWindow& window = fixture_->showWithModel();
  clickExport();
  QTRY_COMPARE_WITH_TIMEOUT(stage(3), StageBar::State::Running, kPatience);
  window.close();
  QVERIFY(window.isVisible());
  QVERIFY(window.messages().isAsking());
  // What happens meanwhile does not take the question away.
  window.open(fixture_->path("mobilenet_v2.pt2"));
  QVERIFY(window.messages().isAsking());
  clickMessage("Keep running");
  QVERIFY(!window.messages().isAsking());
  QVERIFY(window.isExporting());
  window.close();
  QVERIFY(window.messages().isAsking());
  clickMessage("Cancel export and close");
  QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), kPatience);
  QVERIFY(!window.isExporting());
}

void TstGuiWindow::doubleClickIsNoCancel() {
  qputenv("PLAY", "slow");
  MainWindow& window = fixture_->showWithModel();
  QTest::mouseClick(exportButton(), Qt::LeftButton);
  QTest::mouseClick(exportButton(), Qt::LeftButton);
  QVERIFY(window.isExporting());
  QCOMPARE(exportButton()->text(), "Cancel");
  window.cancelExport();
  QVERIFY(fixture_->waitForEnd());
}

void TstGuiWindow::keysExportAndCancel() {
  qputenv("PLAY", "slow");
  MainWindow& window = fixture_->showWithModel();
  QTest::keyClick(&window, Qt::Key_E, Qt::ControlModifier);
  QVERIFY(window.isExporting());
  QTRY_COMPARE_WITH_TIMEOUT(stage(3), StageBar::State::Running, kPatience);
  QTest::keyClick(&window, Qt::Key_Escape);
  QVERIFY(fixture_->waitForEnd());
  QCOMPARE(window.outcome().result().headline(), "Cancelled");
  QTest::keyClick(&window, Qt::Key_Return, Qt::ControlModifier);
  QVERIFY(window.isExporting());
  window.cancelExport();
  QVERIFY(fixture_->waitForEnd());
}

void TstGuiWindow::recentModels() {
  fixture_->showWithModel();
  fixture_->close();
  fixture_->show();
  auto* page = fixture_->find<QWidget>("emptyPage");
  QPushButton* recent = nullptr;
  for (auto* button : page->findChildren<QPushButton*>())
    if (button->text().contains("mobilenet_v2.pt2")) recent = button;
  QVERIFY(recent && recent->isVisible());
  QTest::mouseClick(recent, Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(window().source().contents().rowCount(), 4, kPatience);
}

void TstGuiWindow::comesBackWhereItWas() {
  fixture_->show({1100, 720});
  QVERIFY(window().close());
  fixture_->close();
  const MainWindow again;
  QCOMPARE(again.size(), QSize(1100, 720));
}

void TstGuiWindow::logStaysFluid() {
  MainWindow& window = fixture_->showWithModel();
  window.outcome().tabs().setCurrentIndex(OutcomePane::LogTab);
  LogModel& model = window.outcome().log().model();
  QElapsedTimer clock;
  qint64 worst = 0;
  for (int batch = 0; batch < 100; ++batch) {
    clock.start();
    for (int i = 0; i < 1000; ++i)
      model.append(LogLevel::Debug, QStringLiteral("line %1 of a chatty export").arg(batch * 1000 + i));
    QCoreApplication::processEvents();
    worst = qMax(worst, clock.elapsed());
  }
  model.flush();
  QVERIFY(model.rowCount() >= 100'000);
  qInfo("the longest stop while 100000 lines came in: %lld ms", static_cast<long long>(worst));
  QVERIFY2(worst < 400, "the window stood still");
  auto* search = fixture_->find<QLineEdit>("logSearch");
  clock.start();
  search->setText("line 99999 ");
  QCOMPARE(window.outcome().log().list().model()->rowCount(), 1);
  QVERIFY2(clock.elapsed() < 2000, "filtering took too long");
}

void TstGuiWindow::logFilterCopySave() {
  MainWindow& window = fixture_->showWithModel();
  clickExport();
  QVERIFY(fixture_->waitForEnd());
  window.outcome().tabs().setCurrentIndex(OutcomePane::LogTab);
  LogView& log = window.outcome().log();
  const int all = log.list().model()->rowCount();
  auto* level = fixture_->find<QComboBox>("logLevel");
  level->setFocus();
  QTest::keyClick(level, Qt::Key_Down);
  QTest::keyClick(level, Qt::Key_Down);
  QCOMPARE(log.list().model()->rowCount(), 1);
  QVERIFY(all > 10);
  QTest::mouseClick(fixture_->find<QAbstractButton>("copyLog"), Qt::LeftButton);
  QVERIFY(QApplication::clipboard()->text().contains("fewer than the threads of the phone"));
  QTest::keyClick(level, Qt::Key_Home);
  QSignalSpy saved(&log, &LogView::saved), failed(&log, &LogView::saveFailed);
  log.saveTo(fixture_->path("the.log"));
  QCOMPARE(saved.size(), 1);
  QFile file(fixture_->path("the.log"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(QString::fromUtf8(file.readAll()).count('\n'), all);
  log.saveTo(fixture_->path("no/such/folder/the.log"));
  QCOMPARE(failed.size(), 1);
  QCOMPARE(window.messages().message().tone, Tone::Error);
}

// As the eye goes: what is open, where it goes, how, go, what came out.
void TstGuiWindow::tabOrder() {
  MainWindow& window = fixture_->showWithModel();
  auto& model = window.setup().options().exportModel();
  model.setData(model.index(model.rowOf("alignment"), OptionsModel::ValueColumn), "64", Qt::EditRole);
  QStringList order;
  QWidget* first = fixture_->find<QPushButton>("openButton");
  QWidget* widget = first;
  do {
    const bool stops = widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) &&
                       !widget->objectName().isEmpty();
    if (stops && !widget->objectName().startsWith("qt_")) order << widget->objectName();
    widget = widget->nextInFocusChain();
  } while (widget != first);
  QCOMPARE(order, QStringList({"openButton",   "recentButton",   "documentTabs",   "profileCombo", "saveProfile",
                               "profileMenu",  "settingsButton", "sourceContents", "backendCombo", "optionTabs",
                               "onlyChanged",  "optionSearch",   "undoOption",     "resetAll",     "explainOption",
                               "optionsTable", "outputPath",     "browseOutput",   "checkChoice",  "keepRejected",
                               "commandLine",  "copyCommand",    "exportButton",   "outcomeTabs"}));
}

void TstGuiWindow::themeFollows() {
  MainWindow& window = fixture_->showWithModel();
  theme_->setScheme(Scheme::Dark);
  const QColor dark = window.grab().toImage().pixelColor(500, 20);
  theme_->setScheme(Scheme::Light);
  const QColor light = window.grab().toImage().pixelColor(500, 20);
  QVERIFY(dark.lightness() < 80);
  QVERIFY(light.lightness() > 200);
}

QTEST_MAIN(TstGuiWindow)
#include "tst_gui_window.moc"
