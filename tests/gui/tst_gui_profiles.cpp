// Profiles in the window: saved, chosen, loaded, changed, and what is wrong with one is told.
#include <QComboBox>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>

#include "gui/backend_model.h"
#include "gui/options_model.h"
#include "gui/options_panel.h"
#include "gui/profile_bar.h"
#include "window_fixture.h"

using namespace exportdeck;
using namespace exportdeck::gui;
using exportdeck::gui::testing::WindowFixture;

class TstGuiProfiles : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }
  void cleanupTestCase() { theme_.reset(); }
  void init();
  void cleanup() { fixture_.reset(); }

  void savesAndComesBack();
  void saveAsOverAnother();
  void markFollowsTheValues();
  void choosingDropsChangesWithUndo();
  void builtInProfile();
  void loadsFile();
  void loadedFileDoesNotReplaceSilently();
  void problemsAreTold_data();
  void problemsAreTold();
  void unavailableBackend();
  void wrongValueIsNotSaved();
  void escapeLeavesTheName();

 private:
  MainWindow& window() { return fixture_->window(); }
  OptionsModel& options() { return window().setup().options().exportModel(); }
  void set(const char* key, const QVariant& value) {
    QVERIFY(options().setData(options().index(options().rowOf(key), OptionsModel::ValueColumn), value, Qt::EditRole));
  }
  QComboBox* combo() { return fixture_->find<QComboBox>("profileCombo"); }
  void choose(const QString& name);
  void saveAs(const QString& name);
  void clickMessage(const QString& text);
  QString stored(const QString& name) const;

  std::unique_ptr<Theme> theme_;
  std::unique_ptr<WindowFixture> fixture_;
};

void TstGuiProfiles::init() {
  fixture_ = std::make_unique<WindowFixture>();
  fixture_->showWithModel();
}

void TstGuiProfiles::choose(const QString& name) {
  const int at = combo()->findData(name);
  QVERIFY2(at >= 0, qPrintable(name));
  combo()->setCurrentIndex(at);
  emit combo() -> activated(at);
}

void TstGuiProfiles::saveAs(const QString& name) {
  window().profiles().askName();
  auto* line = fixture_->find<QLineEdit>("profileName");
  QTRY_VERIFY(line->hasFocus());
  line->selectAll();
  QTest::keyClicks(line, name);
  QTest::keyClick(line, Qt::Key_Return);
}

void TstGuiProfiles::clickMessage(const QString& text) {
  for (auto* button : window().messages().findChildren<QPushButton*>()) {
    if (button->text() != text) continue;
    QTest::mouseClick(button, Qt::LeftButton);
    return;
  }
  QFAIL(qPrintable("no action " + text));
}

QString TstGuiProfiles::stored(const QString& name) const {
  return QString::fromStdString(services::ProfileStore().text(name));
}

void TstGuiProfiles::savesAndComesBack() {
  auto* save = fixture_->find<QPushButton>("saveProfile");
  QVERIFY2(!save->isEnabled(), "nothing to save yet");
  set("alignment", "64");
  QVERIFY(save->isEnabled());
  QVERIFY(combo()->currentText().contains("•"));
  QTest::mouseClick(save, Qt::LeftButton);
  auto* line = fixture_->find<QLineEdit>("profileName");
  QTRY_VERIFY(line->isVisible());
  line->selectAll();
  QTest::keyClicks(line, "Phone / CPU");
  QTest::keyClick(line, Qt::Key_Return);
  QCOMPARE(window().profiles().current(), "Phone  CPU");
  QVERIFY(!window().profiles().isModified());
  QCOMPARE(window().messages().message().tone, Tone::Success);
  QVERIFY(stored("Phone  CPU").contains("\"alignment\": 64"));
  // An unchanged profile stands for itself on the command line.
  QCOMPARE(window().setup().job().profile, "Phone  CPU");
  QVERIFY(window().setup().job().settings.isEmpty());
  set("alignment", "128");
  QVERIFY(window().setup().job().profile.isEmpty());
  QCOMPARE(window().setup().job().settings, QStringList{"alignment=128"});
  QTest::keyClick(&window(), Qt::Key_S, Qt::ControlModifier);
  QVERIFY(stored("Phone  CPU").contains("\"alignment\": 128"));
  fixture_->close();
  fixture_->showWithModel();
  choose("Phone  CPU");
  QCOMPARE(options().options().integer("alignment"), 128);
}

void TstGuiProfiles::saveAsOverAnother() {
  set("alignment", "64");
  saveAs("one");
  set("alignment", "32");
  saveAs("two");
  saveAs("one");
  QCOMPARE(window().messages().message().tone, Tone::Warning);
  QVERIFY2(stored("one").contains("64"), "not replaced unasked");
  clickMessage("Replace it");
  QVERIFY(stored("one").contains("32"));
  QCOMPARE(window().profiles().current(), "one");
}

void TstGuiProfiles::markFollowsTheValues() {
  set("plan_inputs", false);
  QVERIFY(window().profiles().isModified());
  set("plan_inputs", true);
  QVERIFY2(!window().profiles().isModified(), "back where it was");
  window().setup().backends().setBackend("portable");
  QVERIFY(window().profiles().isModified());
}

void TstGuiProfiles::choosingDropsChangesWithUndo() {
  saveAs("plain");
  set("alignment", "256");
  choose("");
  QCOMPARE(options().changedCount(), 0);
  clickMessage("Undo");
  QCOMPARE(options().options().integer("alignment"), 256);
  QCOMPARE(window().profiles().current(), "plain");
  QVERIFY(window().profiles().isModified());
}

void TstGuiProfiles::builtInProfile() {
  QVERIFY2(combo()->count() > 1, "profiles come with the program");
  const QString name = combo()->itemData(1).toString();
  choose(name);
  QCOMPARE(window().profiles().current(), name);
  QVERIFY(!window().profiles().isModified());
  QCOMPARE(window().setup().job().profile, name);
}

void TstGuiProfiles::loadsFile() {
  const QByteArray text =
      R"({"exportdeck_profile":1,"name":"From afar","backend":"portable","export_options":{"alignment":4096},"runtime_options":{}})";
  window().loadProfileFile(fixture_->write("p.json", text));
  QCOMPARE(window().setup().job().backend, "portable");
  QCOMPARE(window().setup().job().settings, QStringList{"alignment=4096"});
  QCOMPARE(window().profiles().current(), "From afar");
  QVERIFY2(window().profiles().isModified(), "it is in no store yet");
  QVERIFY(window().messages().isHidden());
}

void TstGuiProfiles::loadedFileDoesNotReplaceSilently() {
  set("alignment", "64");
  saveAs("mine");
  window().loadProfileFile(fixture_->write("p.json", R"({"exportdeck_profile":1,"name":"mine","backend":"portable"})"));
  QTest::mouseClick(fixture_->find<QPushButton>("saveProfile"), Qt::LeftButton);
  QCOMPARE(window().messages().message().tone, Tone::Warning);
  QVERIFY(stored("mine").contains("64"));
}

void TstGuiProfiles::problemsAreTold_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<bool>("fatal");
  QTest::addColumn<QString>("says");
  QTest::newRow("no JSON") << QByteArray("{ not json") << true << "JSON";
  QTest::newRow("newer") << QByteArray(R"({"exportdeck_profile":99,"name":"n","backend":"xnnpack"})") << true
                         << "newer";
  QTest::newRow("unknown backend") << QByteArray(R"({"exportdeck_profile":1,"name":"n","backend":"xnnpac"})") << true
                                   << "xnnpack";
  QTest::newRow("unknown key")
      << QByteArray(R"({"exportdeck_profile":1,"name":"n","backend":"xnnpack","export_options":{"alignmnt":64}})")
      << false << "alignmnt";
  QTest::newRow("wrong type")
      << QByteArray(R"({"exportdeck_profile":1,"name":"n","backend":"xnnpack","export_options":{"alignment":"64"}})")
      << false << "alignment";
  QTest::newRow("out of range")
      << QByteArray(R"({"exportdeck_profile":1,"name":"n","backend":"xnnpack","export_options":{"alignment":8}})")
      << false << "alignment";
}

void TstGuiProfiles::problemsAreTold() {
  QFETCH(QByteArray, text);
  QFETCH(bool, fatal);
  QFETCH(QString, says);
  set("plan_inputs", false);
  window().loadProfileFile(fixture_->write("p.json", text));
  QVERIFY(window().messages().isVisible());
  QCOMPARE(window().messages().message().tone, fatal ? Tone::Error : Tone::Warning);
  QVERIFY2(window().messages().message().detail.contains(says), qPrintable(window().messages().message().detail));
  // What cannot be used changes nothing; else the valid rest is taken.
  QCOMPARE(options().options().boolean("plan_inputs"), !fatal);
  QVERIFY(window().profiles().isModified());
}

void TstGuiProfiles::unavailableBackend() {
  window().loadProfileFile(fixture_->write("p.json", R"({"exportdeck_profile":1,"name":"n","backend":"coreml"})"));
  QCOMPARE(window().setup().backends().backend(), "coreml");
  QCOMPARE(window().messages().message().tone, Tone::Warning);
  QTest::mouseClick(fixture_->find<QPushButton>("exportButton"), Qt::LeftButton);
  QVERIFY(!window().isExporting());
  window().loadProfileFile(fixture_->path("p.json"));
  clickMessage("Use xnnpack");
  QCOMPARE(window().setup().backends().backend(), "xnnpack");
  QVERIFY(window().setup().blockReason().isEmpty());
}

void TstGuiProfiles::wrongValueIsNotSaved() {
  set("alignment", "48");
  saveAs("wrong");
  QCOMPARE(window().messages().message().tone, Tone::Warning);
  QVERIFY(combo()->findData("wrong") < 0);
}

void TstGuiProfiles::escapeLeavesTheName() {
  window().profiles().askName();
  auto* line = fixture_->find<QLineEdit>("profileName");
  QTRY_VERIFY(line->hasFocus());
  QTest::keyClick(line, Qt::Key_Escape);
  QVERIFY(!line->isVisible());
  QVERIFY(combo()->isVisible());
}

QTEST_MAIN(TstGuiProfiles)
#include "tst_gui_profiles.moc"
