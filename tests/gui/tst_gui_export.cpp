// The window with the real command line: the bundled sample from opening to a program that ran.
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QTableView>

#include "gui/backend_model.h"
#include "gui/diagnostics_model.h"
#include "gui/diagnostics_page.h"
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

class TstGuiExport : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void cleanupTestCase() { theme_.reset(); }
  void sample_data();
  void sample();
  void damagedModel();
  void folderGoesAway();
  void opensItsArgument();

 private:
  void useRealProgram() { qputenv("EXPORTDECK_CLI", WindowFixture::realProgram().toUtf8()); }
  std::unique_ptr<Theme> theme_;
};

void TstGuiExport::initTestCase() {
  QVERIFY2(QFileInfo(WindowFixture::realProgram()).isExecutable(), qPrintable(WindowFixture::realProgram()));
  theme_ = std::make_unique<Theme>(*qApp);
}

void TstGuiExport::sample_data() {
  QTest::addColumn<QString>("backend");
  QTest::newRow("xnnpack") << "xnnpack";
  QTest::newRow("portable") << "portable";
}

void TstGuiExport::sample() {
  QFETCH(QString, backend);
  WindowFixture fixture;
  useRealProgram();
  MainWindow& window = fixture.show({1280, 840});
  QTest::mouseClick(fixture.find<QPushButton>("trySample"), Qt::LeftButton);
  auto* button = fixture.find<QPushButton>("exportButton");
  QTRY_VERIFY_WITH_TIMEOUT(!window.isReading(), kPatience);
  QVERIFY2(button->isEnabled(), qPrintable(window.messages().message().text));
  window.setup().backends().setBackend(backend);
  OptionsModel& options = window.setup().options().exportModel();
  options.setData(options.index(options.rowOf("alignment"), OptionsModel::ValueColumn), "64", Qt::EditRole);
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(window.isExporting());
  QVERIFY(fixture.waitForEnd());
  QVERIFY2(window.outcome().result().headline().endsWith("is there, and it runs"),
           qPrintable(window.messages().message().text + window.messages().message().detail));
  for (const StageBar::Stage& stage : window.outcome().stages().stages()) QCOMPARE(stage.state, StageBar::State::Done);
  const QString output = window.setup().output().path();
  QVERIFY(QFileInfo(output).size() > 1000);
  QVERIFY(QFileInfo::exists(QString(output).replace(".pte", ".export.json")));
  window.grab().save(QStringLiteral("%1/sample_%2.png")
                         .arg(qEnvironmentVariable("EXPORTDECK_SCREENSHOTS", QDir::currentPath()), backend));
}

void TstGuiExport::damagedModel() {
  WindowFixture fixture;
  useRealProgram();
  MainWindow& window = fixture.show();
  window.open(fixture.write("damaged.pt2", QByteArray(5000, 'x')));
  QTRY_VERIFY_WITH_TIMEOUT(!window.isReading(), kPatience);
  QVERIFY(fixture.find<QWidget>("failedPage")->isVisible());
  QVERIFY(!fixture.find<QPushButton>("exportButton")->isVisible());
}

void TstGuiExport::folderGoesAway() {
  WindowFixture fixture;
  useRealProgram();
  MainWindow& window = fixture.show();
  window.openSample();
  QTRY_VERIFY_WITH_TIMEOUT(!window.isReading(), kPatience);
  QDir folder(fixture.path("there"));
  QVERIFY(folder.mkpath("."));
  window.setup().output().setPath(folder.filePath("out.pte"));
  QVERIFY(window.setup().blockReason().isEmpty());
  QVERIFY(folder.removeRecursively());
  QTest::mouseClick(fixture.find<QPushButton>("exportButton"), Qt::LeftButton);
  QVERIFY(!window.isExporting());
  QVERIFY(window.messages().message().detail.contains("does not exist"));
}

void TstGuiExport::opensItsArgument() {
  WindowFixture fixture;
  QProcess program;
  const QString gui = qEnvironmentVariable("EXPORTDECK_BIN") + "/exportdeck-gui";
  program.start(gui, {"--version"});
  QVERIFY(program.waitForFinished(kPatience));
  QCOMPARE(program.exitCode(), 0);
  QVERIFY(program.readAllStandardOutput().contains(EXPORTDECK_VERSION));
  program.start(gui, {fixture.write("given.pt2", "model")});
  QTRY_VERIFY_WITH_TIMEOUT(fixture.calls().contains("inspect\n" + fixture.path("given.pt2")), kPatience);
  QCOMPARE(program.state(), QProcess::Running);
  program.terminate();
  QVERIFY(program.waitForFinished(kPatience));
}

QTEST_MAIN(TstGuiExport)
#include "tst_gui_export.moc"
