// Profiles in the window: saved, chosen, loaded, changed, and what is wrong with one is told.
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>
#include <QUndoStack>

#include "gui/backend_model.h"
#include "gui/compare_page.h"
#include "gui/options_model.h"
#include "gui/options_panel.h"
#include "gui/profile_bar.h"
#include "gui/profile_models.h"
#include "gui/repair_page.h"
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
  void namesAreJudgedWhileTyped_data();
  void namesAreJudgedWhileTyped();
  void nameOfAFile();
  void marksAreExplained();
  void saveAsOverAnother();
  void markFollowsTheValues();
  void switchingAsks();
  void switchingFromNoProfileAsksForAName();
  void renamed();
  void duplicated();
  void removedAndBack();
  void builtInStaysAsItIs();
  void standardOpensModels();
  void droppedFile();
  void recordOfAnExport();
  void compared();
  void comparisonBeginsWithDifferences();
  void nothingToCompare();
  void builtInProfile();
  void loadsFile();
  void loadedFileDoesNotReplaceSilently();
  void unreadable_data();
  void unreadable();
  void repaired_data();
  void repaired();
  void damagedInTheStore();
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
  void menu(const char* action);
  void name(const QString& name);
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

// By keys: opened, gone down to the action, Return.
void TstGuiProfiles::menu(const char* action) {
  auto* wanted = fixture_->find<QAction>(action);
  QVERIFY2(wanted->isEnabled(), action);
  QMenu& menu = window().profiles().menu();
  menu.popup(window().mapToGlobal(QPoint(700, 40)));
  menu.setActiveAction(wanted);
  QTest::keyClick(&menu, Qt::Key_Return);
}

void TstGuiProfiles::name(const QString& name) {
  auto* line = fixture_->find<QLineEdit>("profileName");
  QTRY_VERIFY(line->hasFocus());
  line->selectAll();
  QTest::keyClicks(line, name);
  QTest::keyClick(line, Qt::Key_Return);
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
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // buttons of messages that are gone
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
  QTest::keyClicks(line, "Phone two");
  QTest::keyClick(line, Qt::Key_Return);
  QCOMPARE(window().profiles().current(), "Phone two");
  QVERIFY(!window().profiles().isModified());
  QCOMPARE(window().messages().message().tone, Tone::Success);
  QVERIFY(stored("Phone two").contains("\"alignment\": 64"));
  // An unchanged profile stands for itself on the command line.
  QCOMPARE(window().setup().job().profile, "Phone two");
  QVERIFY(window().setup().job().settings.isEmpty());
  set("alignment", "128");
  QVERIFY(window().setup().job().profile.isEmpty());
  QCOMPARE(window().setup().job().settings, QStringList{"alignment=128"});
  QTest::keyClick(&window(), Qt::Key_S, Qt::ControlModifier);
  QVERIFY(stored("Phone two").contains("\"alignment\": 128"));
  fixture_->close();
  fixture_->showWithModel();
  choose("Phone two");
  QCOMPARE(options().options().integer("alignment"), 128);
}

void TstGuiProfiles::namesAreJudgedWhileTyped_data() {
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("reason");
  QTest::addColumn<bool>("wrong");
  QTest::newRow("path") << "Phone / CPU" << "It holds \"/\", so it would be taken for a path." << true;
  QTest::newRow("space before") << " a" << "It begins with a space." << true;
  QTest::newRow("space after") << "a " << "It ends with a space." << false;
  QTest::newRow("reserved") << "NUL" << "\"NUL\" is the name of a device on Windows." << true;
  QTest::newRow("file") << "mine.json" << "It ends with \".json\", so it would be taken for a file." << true;
  QTest::newRow("line break") << "a\nb" << "It holds a line break." << true;
  QTest::newRow("long") << QString(100, 'x') << "It has 100 characters, and 80 are the most." << true;
}

// What was typed or pasted stays, with the reason; it is not taken, and nothing of it is dropped.
void TstGuiProfiles::namesAreJudgedWhileTyped() {
  QFETCH(QString, typed);
  QFETCH(QString, reason);
  QFETCH(bool, wrong);
  set("alignment", "64");
  QTest::mouseClick(fixture_->find<QPushButton>("saveProfile"), Qt::LeftButton);
  auto* line = fixture_->find<QLineEdit>("profileName");
  auto* note = fixture_->find<QLabel>("nameNote");
  auto* accept = fixture_->find<QPushButton>("acceptName");
  QTRY_VERIFY(line->hasFocus());
  QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
  QApplication::clipboard()->setText(typed);
  if (typed.contains('\n'))
    QTest::keyClick(line, Qt::Key_V, Qt::ControlModifier);
  else
    QTest::keyClicks(line, typed);
  QCOMPARE(line->text(), typed);
  QVERIFY(note->isVisible());
  QCOMPARE(note->text(), reason);
  QCOMPARE(line->property("invalid").toBool(), wrong);
  QVERIFY(!accept->isEnabled());
  QTest::keyClick(line, Qt::Key_Return);
  QVERIFY2(line->isVisible(), "it is not taken");
  const auto own = services::ProfileStore().list();
  QVERIFY(std::all_of(own.begin(), own.end(), [](const auto& item) { return item.builtIn(); }));
  QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(line, "fine");
  QVERIFY(accept->isEnabled());
  QTest::mouseClick(accept, Qt::LeftButton);
  QVERIFY(stored("fine").contains("64"));
}

void TstGuiProfiles::nameOfAFile() {
  window().openProfile(fixture_->write("p.json", R"({"exportdeck_profile":1,"name":"a/b","backend":"portable"})"));
  auto* page = window().findChild<RepairPage*>("repairPage");
  QVERIFY(page);
  auto* table = page->findChild<QTableView*>("problems");
  QCOMPARE(table->model()->index(0, ProblemsModel::WhereColumn).data().toString(), "name");
  QVERIFY(table->model()->index(0, ProblemsModel::ReasonColumn).data().toString().contains("taken for a path"));
  QTest::mouseClick(page->findChild<QPushButton*>("useRest"), Qt::LeftButton);
  QCOMPARE(window().profiles().current(), "a b");
}

void TstGuiProfiles::marksAreExplained() {
  const auto tip = [&](const QString& name) {
    return combo()->itemData(combo()->findData(name), Qt::ToolTipRole).toString();
  };
  QVERIFY2(combo()->itemText(0).contains("✓"), "models open with the defaults");
  QVERIFY(tip("").contains("✓ models are opened with it"));
  QVERIFY(combo()->toolTip().contains("✓ models are opened with it"));
  set("alignment", "64");
  QVERIFY(combo()->toolTip().contains("• changed and not saved"));
  const QString legend = combo()->itemText(combo()->count() - 1);
  QVERIFY2(legend.contains("• not saved") && legend.contains("✓ for new models"), qPrintable(legend));
  // It is words, no profile: keys do not come to it.
  combo()->setFocus();
  QTest::keyClick(combo(), Qt::Key_End);
  QVERIFY(combo()->currentText() != legend);
  clickMessage("Drop changes");
  choose("Smallest arena");
  auto* use = fixture_->find<QAction>("standardProfile");
  QCOMPARE(use->text(), "Use “Smallest arena” for new models (now: Defaults)");
  menu("standardProfile");
  QCOMPARE(use->text(), "Use “Smallest arena” for new models");
  QVERIFY(use->isChecked());
  QVERIFY(!combo()->itemText(0).contains("✓"));
  // And back to none.
  choose("");
  QCOMPARE(use->text(), "Use “Defaults” for new models (now: Smallest arena)");
  menu("standardProfile");
  QVERIFY(combo()->itemText(0).contains("✓"));
  QVERIFY2(!use->isEnabled() && use->isChecked(), "there is nothing below the defaults");
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

void TstGuiProfiles::switchingAsks() {
  saveAs("plain");
  set("alignment", "256");
  choose("");
  QCOMPARE(window().messages().message().tone, Tone::Question);
  QCOMPARE(combo()->currentData().toString(), "plain");
  QCOMPARE(options().options().integer("alignment"), 256);
  clickMessage("Stay");
  QCOMPARE(window().profiles().current(), "plain");
  choose("");
  clickMessage("Drop changes");
  QCOMPARE(options().changedCount(), 0);
  QCOMPARE(window().profiles().current(), "");
  // Dropped is not lost.
  QTest::keyClick(&window(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(options().options().integer("alignment"), 256);
  choose("plain");
  clickMessage("Drop changes");
  set("alignment", "512");
  choose("Phone CPU");
  clickMessage("Save and go on");
  QVERIFY(stored("plain").contains("512"));
  QCOMPARE(window().profiles().current(), "Phone CPU");
}

void TstGuiProfiles::switchingFromNoProfileAsksForAName() {
  set("alignment", "256");
  choose("Phone CPU");
  clickMessage("Save as…");
  auto* line = fixture_->find<QLineEdit>("profileName");
  QTRY_VERIFY(line->hasFocus());
  line->selectAll();
  QTest::keyClicks(line, "kept");
  QTest::keyClick(line, Qt::Key_Return);
  QVERIFY(stored("kept").contains("256"));
  QCOMPARE(window().profiles().current(), "Phone CPU");
}

void TstGuiProfiles::renamed() {
  set("alignment", "64");
  saveAs("old");
  set("alignment", "128");
  menu("renameProfile");
  name("new");
  QVERIFY(combo()->findData("old") < 0);
  QVERIFY(stored("new").contains("64"));
  QCOMPARE(window().profiles().current(), "new");
  QVERIFY2(window().profiles().isModified(), "what was not saved still is not");
  menu("renameProfile");
  name("Phone CPU");
  QCOMPARE(window().messages().message().tone, Tone::Error);
  QCOMPARE(window().profiles().current(), "new");
}

void TstGuiProfiles::duplicated() {
  choose("Phone CPU");
  menu("duplicateProfile");
  auto* line = fixture_->find<QLineEdit>("profileName");
  QTRY_VERIFY(line->hasFocus());
  QCOMPARE(line->text(), "Phone CPU copy");
  QTest::keyClick(line, Qt::Key_Return);
  QCOMPARE(window().profiles().current(), "Phone CPU copy");
  QVERIFY(stored("Phone CPU copy").contains("16384"));
  QVERIFY(!window().profiles().isModified());
}

void TstGuiProfiles::removedAndBack() {
  set("alignment", "64");
  saveAs("mine");
  menu("removeProfile");
  QCOMPARE(options().options().integer("alignment"), 64);
  QVERIFY2(window().profiles().isModified(), "it is in no profile any more");
  QVERIFY(window().setup().job().profile.isEmpty());
  clickMessage("Undo");
  QVERIFY(stored("mine").contains("64"));
}

void TstGuiProfiles::builtInStaysAsItIs() {
  choose("Phone CPU");
  for (const char* action : {"renameProfile", "removeProfile"})
    QVERIFY2(!fixture_->find<QAction>(action)->isEnabled(), action);
  set("alignment", "64");
  QTest::mouseClick(fixture_->find<QPushButton>("saveProfile"), Qt::LeftButton);
  auto* line = fixture_->find<QLineEdit>("profileName");
  QTRY_VERIFY(line->hasFocus());
  QCOMPARE(line->text(), "Phone CPU copy");
  name("Phone CPU");
  QVERIFY(window().messages().message().text.contains("built in"));
  QVERIFY(!stored("Phone CPU").contains("64,"));
}

void TstGuiProfiles::standardOpensModels() {
  choose("Smallest arena");
  menu("standardProfile");
  QVERIFY(combo()->currentText().contains("✓"));
  fixture_->close();
  fixture_->showWithModel();
  QCOMPARE(window().profiles().current(), "Smallest arena");
  QVERIFY(!window().profiles().isModified());
  QVERIFY(!options().options().boolean("plan_inputs"));
  QVERIFY(!window().setup().history().canUndo());
  menu("standardProfile");
  fixture_->close();
  fixture_->showWithModel();
  QCOMPARE(window().profiles().current(), "");
}

void TstGuiProfiles::droppedFile() {
  const QString path = fixture_->write("d.json", R"({"exportdeck_profile":1,"name":"Dropped","backend":"portable"})");
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(path)});
  QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&window(), &enter);
  QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&window(), &drop);
  QCOMPARE(window().profiles().current(), "Dropped");
  QCOMPARE(window().setup().job().backend, "portable");
}

void TstGuiProfiles::recordOfAnExport() {
  window().openProfile(fixture_->write(
      "net.export.json",
      R"({"exportdeck":"0","command":"export","backend":"portable","profile":null,"options":{"alignment":64},
      "source":{"hash":"a"},"output":{"hash":"b"},"request":{"source":"/a","output":"/b","verify":"run","keep_rejected":false}})"));
  QCOMPARE(window().profiles().current(), "As in net");
  QCOMPARE(window().setup().job().settings, QStringList{"alignment=64"});
}

void TstGuiProfiles::compared() {
  choose("Smallest arena");
  set("alignment", "64");
  menu("compareProfiles");
  auto* page = window().findChild<ComparePage*>("comparePage");
  QVERIFY(page && page->isVisible());
  QAbstractItemModelTester tester(const_cast<ComparisonModel*>(&page->model()));
  QCOMPARE(page->model().rowCount(), 1);
  QCOMPARE(page->model().differences(), 1);
  QTest::mouseClick(page->findChild<QCheckBox*>("onlyDifferences"), Qt::LeftButton, {}, QPoint(8, 8));
  QVERIFY(page->model().rowCount() > 10);
  auto* right = page->findChild<QComboBox*>("rightProfile");
  right->setFocus();
  QTest::keyClick(right, Qt::Key_Down);
  QCOMPARE(right->currentText(), "Defaults");
  QCOMPARE(page->model().differences(), 2);
  QTest::keyClick(right, Qt::Key_Escape);
  QTRY_VERIFY(!window().findChild<ComparePage*>("comparePage"));
  QVERIFY(window().document().isVisible());
}

// Nothing was changed: an empty table would be of no use.
void TstGuiProfiles::comparisonBeginsWithDifferences() {
  const auto sides = [&] {
    menu("compareProfiles");
    auto* page = window().findChild<ComparePage*>("comparePage");
    const QStringList names{page->findChild<QComboBox*>("leftProfile")->currentText(),
                            page->findChild<QComboBox*>("rightProfile")->currentText()};
    const int count = page->model().differences();
    QTest::mouseClick(page->findChild<QPushButton*>("closePage"), Qt::LeftButton);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return count > 0 ? names : QStringList();
  };
  QCOMPARE(sides(), QStringList({"Defaults", "Find the culprit"}));
  choose("Smallest arena");
  QCOMPARE(sides(), QStringList({"Defaults", "What is set now"}));
  set("alignment", "64");
  QCOMPARE(sides(), QStringList({"Smallest arena", "What is set now"}));
}

void TstGuiProfiles::nothingToCompare() {
  options::Profile defaults = window().setup().profile("Defaults");
  ComparePage alone({{"What is set now", defaults}, {"Defaults", defaults}}, 1, 0);
  alone.show();
  auto* hint = alone.findChild<QLabel*>("nothingToCompare");
  QVERIFY(hint->isVisible());
  QVERIFY(hint->text().contains("only one set of values"));
  menu("compareProfiles");
  auto* page = window().findChild<ComparePage*>("comparePage");
  auto* right = page->findChild<QComboBox*>("rightProfile");
  hint = page->findChild<QLabel*>("nothingToCompare");
  QVERIFY(!hint->isVisible());
  right->setFocus();
  QTest::keyClick(right, Qt::Key_Home);
  QCOMPARE(right->currentText(), "What is set now");
  QVERIFY(hint->isVisible());
  QVERIFY(hint->text().contains("Choose another profile"));
  QTest::mouseClick(page->findChild<QCheckBox*>("onlyDifferences"), Qt::LeftButton, {}, QPoint(8, 8));
  QVERIFY(!hint->isVisible());
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
  window().openProfile(fixture_->write("p.json", text));
  QCOMPARE(window().setup().job().backend, "portable");
  QCOMPARE(window().setup().job().settings, QStringList{"alignment=4096"});
  QCOMPARE(window().profiles().current(), "From afar");
  QVERIFY2(window().profiles().isModified(), "it is in no store yet");
  clickMessage("Keep it there");
  QVERIFY(stored("From afar").contains("4096"));
}

void TstGuiProfiles::loadedFileDoesNotReplaceSilently() {
  set("alignment", "64");
  saveAs("mine");
  window().openProfile(fixture_->write("p.json", R"({"exportdeck_profile":1,"name":"mine","backend":"portable"})"));
  QTest::mouseClick(fixture_->find<QPushButton>("saveProfile"), Qt::LeftButton);
  QCOMPARE(window().messages().message().tone, Tone::Warning);
  QVERIFY(stored("mine").contains("64"));
}

void TstGuiProfiles::unreadable_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("no JSON") << QByteArray("{ not json");
  QTest::newRow("no profile") << QByteArray("[1]");
  QTest::newRow("no version") << QByteArray(R"({"name":"n","backend":"xnnpack"})");
}
void TstGuiProfiles::unreadable() {
  QFETCH(QByteArray, text);
  window().openProfile(fixture_->write("p.json", text));
  QCOMPARE(window().messages().message().tone, Tone::Error);
  QCOMPARE(window().profiles().current(), "");
  QVERIFY(!window().profiles().isModified());
}

void TstGuiProfiles::repaired_data() {
  QTest::addColumn<QByteArray>("fields");
  QTest::addColumn<QString>("where");
  QTest::newRow("newer") << QByteArray(R"("exportdeck_profile":99,"backend":"xnnpack")") << "exportdeck_profile";
  QTest::newRow("unknown backend") << QByteArray(R"("exportdeck_profile":1,"backend":"xnnpac")") << "backend";
  QTest::newRow("unknown key") << QByteArray(R"("exportdeck_profile":1,"backend":"xnnpack","colour":1)") << "colour";
  QTest::newRow("wrong type")
      << QByteArray(
             R"("exportdeck_profile":1,"backend":"xnnpack","runtime_options":{"xnnpack":{"workspace_sharing_mode":"2"}})")
      << "runtime_options.xnnpack.workspace_sharing_mode";
  QTest::newRow("out of range")
      << QByteArray(
             R"("exportdeck_profile":1,"backend":"xnnpack","runtime_options":{"xnnpack":{"workspace_sharing_mode":7}})")
      << "runtime_options.xnnpack.workspace_sharing_mode";
}
// The valid rest is taken when asked for, and the file stays as it is until told otherwise.
void TstGuiProfiles::repaired() {
  QFETCH(QByteArray, fields);
  QFETCH(QString, where);
  const QByteArray text = "{" + fields + R"(,"name":"old","export_options":{"alignment":64}})";
  const QString path = fixture_->write("p.json", text);
  const auto page = [this] { return window().findChild<RepairPage*>("repairPage"); };
  window().openProfile(path);
  QVERIFY(page() && page()->isVisible());
  QCOMPARE(options().changedCount(), 0);
  auto* table = page()->findChild<QTableView*>("problems");
  QAbstractItemModelTester tester(table->model());
  QCOMPARE(table->model()->rowCount(), 1);
  QCOMPARE(table->model()->index(0, ProblemsModel::WhereColumn).data().toString(), where);
  QVERIFY(page()->findChild<QLabel*>("kept")->text().contains("alignment 64"));
  QTest::mouseClick(page()->findChild<QPushButton*>("closePage"), Qt::LeftButton);
  QTRY_VERIFY(!page());
  QCOMPARE(options().changedCount(), 0);
  window().openProfile(path);
  QTest::mouseClick(page()->findChild<QPushButton*>("useRest"), Qt::LeftButton);
  QTRY_VERIFY(!page());
  QCOMPARE(options().options().integer("alignment"), 64);
  QVERIFY(window().profiles().isModified());
  QCOMPARE(QString::fromStdString(services::ProfileStore().text(path)), QString(text));
  window().openProfile(path);
  clickMessage("Drop changes");
  QTest::mouseClick(page()->findChild<QPushButton*>("replaceFile"), Qt::LeftButton);
  QTRY_VERIFY(!page());
  QVERIFY(services::ProfileStore().read(path).problems.empty());
  QCOMPARE(services::ProfileStore().load(path).exportOptions.integer("alignment"), 64);
}

void TstGuiProfiles::damagedInTheStore() {
  saveAs("mine");
  QString path;
  for (const auto& item : services::ProfileStore().list())
    if (item.name == "mine") path = item.path;
  services::ProfileStore::writeText(R"({"exportdeck_profile":1,"name":"mine","backend":"xnnpack","x":1})", path);
  choose("");
  choose("mine");
  auto* page = window().findChild<RepairPage*>("repairPage");
  QVERIFY(page);
  QCOMPARE(window().profiles().current(), "");
  QTest::mouseClick(page->findChild<QPushButton*>("replaceFile"), Qt::LeftButton);
  QCOMPARE(window().profiles().current(), "mine");
  QVERIFY(!window().profiles().isModified());
}

void TstGuiProfiles::unavailableBackend() {
  window().openProfile(fixture_->write("p.json", R"({"exportdeck_profile":1,"name":"n","backend":"coreml"})"));
  QCOMPARE(window().setup().backends().backend(), "coreml");
  QCOMPARE(window().messages().message().tone, Tone::Warning);
  QTest::mouseClick(fixture_->find<QPushButton>("exportButton"), Qt::LeftButton);
  QVERIFY(!window().isExporting());
  window().openProfile(fixture_->path("p.json"));
  clickMessage("Drop changes");
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
