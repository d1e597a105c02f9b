// The form's lower part and what opens files: how the program is checked, the command line that is shown, the dialogs,
// and the page in place of a file that cannot be read.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QToolButton>

#include "gui/check_bar.h"
#include "gui/command_field.h"
#include "gui/output_bar.h"
#include "gui/result_page.h"
#include "gui/widgets.h"
#include "support/files.h"
#include "window_fixture.h"

using namespace exportdeck;
using namespace exportdeck::gui;
using exportdeck::gui::testing::kPatience;
using exportdeck::gui::testing::WindowFixture;

class TstGuiCheck : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }
  void cleanupTestCase() { theme_.reset(); }
  void init() { fixture_ = std::make_unique<WindowFixture>(); }
  void cleanup() { fixture_.reset(); }

  void choosesTheCheck();
  void caseThatIsNotThere();
  void comparesWithARealCase();
  void rejectedIsKept();
  void commandIsShortened();
  void openDialogIsOurs_data();
  void openDialogIsOurs();
  void dialogRemembersItsFolder();
  void unreadableFile();
  void unreadableBecomesReadable();
  void fileThatHasGone();

 private:
  MainWindow& window() { return fixture_->window(); }
  void chooseCheck(int index);
  void typeCase(const QString& path);
  void clickExport() { QTest::mouseClick(fixture_->find<QPushButton>("exportButton"), Qt::LeftButton); }
  QFileDialog* dialog();
  QString text(const char* name) { return fixture_->find<QLabel>(name)->text(); }

  std::unique_ptr<Theme> theme_;
  std::unique_ptr<WindowFixture> fixture_;
};

// By keys, as a list that has the focus is gone through.
void TstGuiCheck::chooseCheck(int index) {
  auto* combo = fixture_->find<QComboBox>("checkChoice");
  combo->setFocus();
  QTest::keyClick(combo, Qt::Key_Home);
  for (int i = 0; i < index; ++i) QTest::keyClick(combo, Qt::Key_Down);
  QCOMPARE(combo->currentIndex(), index);
}

void TstGuiCheck::typeCase(const QString& path) {
  auto* folder = fixture_->find<QLineEdit>("caseFolder");
  QVERIFY(folder->isVisible());
  folder->setFocus();
  QTest::keyClick(folder, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(folder, path);
}

QFileDialog* TstGuiCheck::dialog() {
  QFileDialog* found = nullptr;
  const bool shown = QTest::qWaitFor([&] {
    for (QWidget* widget : QApplication::topLevelWidgets())
      if (auto* one = qobject_cast<QFileDialog*>(widget); one && one->isVisible()) found = one;
    return found != nullptr;
  });
  if (!shown) qFatal("no dialog opens");
  return found;
}

void TstGuiCheck::choosesTheCheck() {
  fixture_->showWithModel();
  auto* keep = fixture_->find<QCheckBox>("keepRejected");
  QCOMPARE(window().setup().job().verify, "run");
  chooseCheck(CheckBar::Nothing);
  QCOMPARE(window().setup().job().verify, "none");
  QVERIFY2(!keep->isEnabled(), "what is not checked is not rejected");
  chooseCheck(CheckBar::Run);
  QTest::mouseClick(keep, Qt::LeftButton, {}, QPoint(8, keep->height() / 2));
  QVERIFY(window().setup().job().keepRejected);
  QDir().mkpath(fixture_->path("a case"));
  fixture_->write("a case/case.json", "{}");
  chooseCheck(CheckBar::Case);
  typeCase(fixture_->path("a case"));
  const QString command = fixture_->find<QLineEdit>("commandLine")->text();
  QVERIFY2(command.contains("--verify '" + fixture_->path("a case") + "' --keep-rejected"), qPrintable(command));
  clickExport();
  QVERIFY(fixture_->waitForEnd());
  QVERIFY(fixture_->calls().contains("--verify\n" + fixture_->path("a case") + "\n--keep-rejected"));
  chooseCheck(CheckBar::Nothing);
  QVERIFY2(!window().setup().job().keepRejected, "the tick waits for a check");
}

void TstGuiCheck::caseThatIsNotThere() {
  fixture_->showWithModel();
  chooseCheck(CheckBar::Case);
  auto* note = fixture_->find<ElidedLabel>("checkNote");
  QVERIFY(note->isVisible() && note->fullText().contains("case.json"));
  QDir().mkpath(fixture_->path("empty"));
  const QList<std::pair<QString, QString>> wrong{{fixture_->path("nowhere"), "There is no folder"},
                                                 {fixture_->path("empty"), "holds no case.json"},
                                                 {"relative", "Give the whole path"}};
  for (const auto& [path, reason] : wrong) {
    typeCase(path);
    QVERIFY2(note->fullText().contains(reason), qPrintable(note->fullText()));
    clickExport();
    QVERIFY(!window().isExporting());
    QCOMPARE(window().messages().message().tone, Tone::Warning);
    QVERIFY(window().messages().message().detail.contains(reason));
    QVERIFY(fixture_->find<QLineEdit>("caseFolder")->hasFocus());
  }
  chooseCheck(CheckBar::Run);
  QVERIFY(!note->isVisible());
  QVERIFY(window().setup().blockReason().isEmpty());
}

// Through the real program: the same service, and the same verdict.
void TstGuiCheck::comparesWithARealCase() {
  qputenv("EXPORTDECK_CLI", WindowFixture::realProgram().toUtf8());
  fixture_->show();
  window().openSample();
  QTRY_VERIFY_WITH_TIMEOUT(!window().isReading(), kPatience);
  chooseCheck(CheckBar::Case);
  typeCase(QStringLiteral(EXPORTDECK_SOURCE_DIR "/resources/samples/digits_case"));
  QTest::keyClick(&window(), Qt::Key_E, Qt::ControlModifier);
  QVERIFY(window().isExporting());
  QVERIFY(fixture_->waitForEnd());
  QStringList facts;
  for (const QLabel* label : window().outcome().result().findChildren<QLabel*>()) facts << label->text();
  QVERIFY2(facts.contains("matches"), qPrintable(facts.join('|')));
}

void TstGuiCheck::rejectedIsKept() {
  qputenv("EXPORTDECK_CLI", WindowFixture::realProgram().toUtf8());
  const QDir from(QStringLiteral(EXPORTDECK_SOURCE_DIR "/resources/samples/digits_case"));
  QDir().mkpath(fixture_->path("case"));
  for (const QString& name : from.entryList(QDir::Files)) {
    QFile file(from.filePath(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray bytes = file.readAll();
    // Other outputs than those that the model gives.
    if (name.startsWith("scores")) bytes.fill('\x41');
    fixture_->write("case/" + name, bytes);
  }
  fixture_->show();
  window().openSample();
  QTRY_VERIFY_WITH_TIMEOUT(!window().isReading(), kPatience);
  const QString output = window().setup().job().output;
  chooseCheck(CheckBar::Case);
  typeCase(fixture_->path("case"));
  auto* keep = fixture_->find<QCheckBox>("keepRejected");
  QTest::mouseClick(keep, Qt::LeftButton, {}, QPoint(8, keep->height() / 2));
  clickExport();
  QVERIFY(fixture_->waitForEnd());
  QCOMPARE(window().outcome().result().headline(), "Not exported");
  QVERIFY(!QFileInfo::exists(output));
  const QDir folder = QFileInfo(output).absoluteDir();
  QVERIFY2(!folder.entryList({"*.rejected"}, QDir::Files).isEmpty(), qPrintable(folder.entryList().join(' ')));
}

void TstGuiCheck::commandIsShortened() {
  fixture_->showWithModel();
  auto* command = fixture_->find<CommandField>("commandLine");
  const QString whole = window().setup().job().commandLine();
  QCOMPARE(command->text(), whole);
  QVERIFY(!command->hasFocus());
  QVERIFY2(command->shownText().contains(QChar(0x2026)), qPrintable(command->shownText()));
  QVERIFY(command->shownText().startsWith("exportdeck export"));
  QVERIFY(command->fontMetrics().horizontalAdvance(command->shownText()) < command->width());
  QCOMPARE(command->toolTip(), whole);
  QTest::mouseClick(fixture_->find<QToolButton>("copyCommand"), Qt::LeftButton);
  QCOMPARE(QApplication::clipboard()->text(), whole);
  // Who comes there by keys can go through it.
  command->setFocus(Qt::TabFocusReason);
  QCOMPARE(command->shownText(), whole);
  QTest::keyClick(command, Qt::Key_A, Qt::ControlModifier);
  QCOMPARE(command->selectedText(), whole);
}

void TstGuiCheck::openDialogIsOurs_data() {
  QTest::addColumn<Scheme>("scheme");
  QTest::newRow("light") << Scheme::Light;
  QTest::newRow("dark") << Scheme::Dark;
}

void TstGuiCheck::openDialogIsOurs() {
  QFETCH(Scheme, scheme);
  theme_->setScheme(scheme);
  fixture_->write("notes.txt", "no model");
  fixture_->showWithModel();
  QTest::keyClick(&window(), Qt::Key_O, Qt::ControlModifier);
  QFileDialog* open = dialog();
  QCOMPARE(open->windowTitle(), "Open a model");
  QVERIFY(open->nameFilters().front().contains("*.pt2"));
  QVERIFY2(!open->testOption(QFileDialog::DontUseNativeDialog), "the platform's own is taken where there is one");
  QTRY_VERIFY(
      open->findChild<QListView*>("listView")->model()->rowCount(open->findChild<QListView*>("listView")->rootIndex()) >
      0);
  QTest::qWait(50);
  const QString folder = qEnvironmentVariable("EXPORTDECK_SCREENSHOTS", QDir::currentPath());
  const QImage picture = open->grab().toImage();
  QVERIFY(picture.save(folder + (scheme == Scheme::Light ? "/open_light.png" : "/open_dark.png")));
  const int ground = picture.pixelColor(4, 4).lightness();
  QVERIFY2(scheme == Scheme::Light ? ground > 200 : ground < 60, "it has the theme's colours");
  QTest::keyClick(open, Qt::Key_Escape);
  QTRY_VERIFY(!open->isVisible());
  theme_->setScheme(Scheme::Light);
}

void TstGuiCheck::dialogRemembersItsFolder() {
  QDir().mkpath(fixture_->path("deep/models"));
  const QString file = fixture_->write("deep/models/net.pt2", "model");
  fixture_->show();
  QTest::keyClick(&window(), Qt::Key_O, Qt::ControlModifier);
  QFileDialog* open = dialog();
  QCOMPARE(open->directory().absolutePath(), QFileInfo(QDir::homePath()).absoluteFilePath());
  open->selectFile(file);
  QTest::mouseClick(open->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!window().isReading() && window().document().path() == file, kPatience);
  fixture_->close();
  fixture_->show();
  QTest::keyClick(&window(), Qt::Key_O, Qt::ControlModifier);
  QCOMPARE(dialog()->directory().absolutePath(), fixture_->path("deep/models"));
  QTest::keyClick(dialog(), Qt::Key_Escape);
}

void TstGuiCheck::unreadableFile() {
  fixture_->show();
  window().open(fixture_->write("broken.pt2", "x"));
  QTRY_VERIFY_WITH_TIMEOUT(!window().isReading(), kPatience);
  QVERIFY(fixture_->find<QWidget>("failedPage")->isVisible());
  for (const char* part : {"backendCombo", "optionsTable", "exportButton", "outcomeTabs", "stageBar"})
    QVERIFY2(!fixture_->find<QWidget>(part)->isVisible(), part);
  QCOMPARE(text("failedTitle"), "broken.pt2 cannot be opened");
  QCOMPARE(text("failedWhat"), "The file is no zip archive.");
  QCOMPARE(text("failedWhy"), "Its first bytes are not those of one.");
  QVERIFY(text("failedWhere").contains("broken.pt2"));
  QVERIFY(text("failedHelp").contains("Save the model again with torch.export.save."));
  QVERIFY2(window().messages().isHidden(), "it is said once");
  QTest::keyClick(&window(), Qt::Key_E, Qt::ControlModifier);
  QVERIFY(!window().isExporting());
  // The first button has the focus.
  QTRY_COMPARE(QApplication::focusWidget()->objectName(), "chooseAnother");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
  QCOMPARE(dialog()->windowTitle(), "Open a model");
  QTest::keyClick(dialog(), Qt::Key_Escape);
}

void TstGuiCheck::unreadableBecomesReadable() {
  qputenv("EXPORTDECK_CLI", WindowFixture::realProgram().toUtf8());
  fixture_->show();
  window().open(fixture_->write("model.pt2", "x"));
  QTRY_VERIFY_WITH_TIMEOUT(!window().isReading(), kPatience);
  auto* again = fixture_->find<QPushButton>("tryAgain");
  QTest::mouseClick(again, Qt::LeftButton);
  QVERIFY2(!again->isEnabled(), "it is being read");
  QTRY_VERIFY_WITH_TIMEOUT(!window().isReading(), kPatience);
  QVERIFY(again->isVisible() && again->isEnabled());
  QFile::remove(fixture_->path("model.pt2"));
  QVERIFY(
      QFile::copy(QStringLiteral(EXPORTDECK_SOURCE_DIR "/resources/samples/digits.pt2"), fixture_->path("model.pt2")));
  QTest::mouseClick(again, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!window().isReading(), kPatience);
  QVERIFY(!fixture_->find<QWidget>("failedPage")->isVisible());
  QVERIFY(fixture_->find<QPushButton>("exportButton")->isEnabled());
}

void TstGuiCheck::fileThatHasGone() {
  qputenv("EXPORTDECK_CLI", WindowFixture::realProgram().toUtf8());
  fixture_->show();
  window().open(fixture_->path("gone.pt2"));
  QTRY_VERIFY_WITH_TIMEOUT(!window().isReading(), kPatience);
  QVERIFY(fixture_->find<QWidget>("failedPage")->isVisible());
  QVERIFY(!text("failedHelp").isEmpty() && !text("failedWhat").isEmpty());
}

QTEST_MAIN(TstGuiCheck)
#include "tst_gui_check.moc"
