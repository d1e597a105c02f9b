// Several models in one window: each in a tab of its own, with its own setup, outcome and export.
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QStyle>
#include <QStyleOptionTab>
#include <QToolButton>

#include "gui/backend_model.h"
#include "gui/document_tabs.h"
#include "gui/options_model.h"
#include "gui/options_panel.h"
#include "gui/output_bar.h"
#include "gui/profile_bar.h"
#include "gui/result_page.h"
#include "gui/stage_bar.h"
#include "window_fixture.h"

using namespace exportdeck;
using namespace exportdeck::gui;
using exportdeck::gui::testing::kPatience;
using exportdeck::gui::testing::WindowFixture;

class TstGuiDocuments : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }
  void cleanupTestCase() { theme_.reset(); }
  void init() { fixture_ = std::make_unique<WindowFixture>(); }
  void cleanup() { fixture_.reset(); }

  void severalAreDropped();
  void eachHasItsOwnSetup();
  void sameModelOnce();
  void unreadableMakesRoom();
  void keysGoRound();
  void closes_data();
  void closes();
  void closeDuringExportAsks();
  void exportsSideBySide();
  void messageStaysWithItsModel();
  void windowAsksForAll();
  void arrangementIsShared();
  void tabsKeepTheirShape();

 private:
  MainWindow& window() { return fixture_->window(); }
  void open(const QString& name);
  void clickMessage(const QString& text);
  QStringList names();

  std::unique_ptr<Theme> theme_;
  std::unique_ptr<WindowFixture> fixture_;
};

void TstGuiDocuments::open(const QString& name) {
  window().open(fixture_->write(name, "model"));
  QTRY_VERIFY_WITH_TIMEOUT(!window().isReading(), kPatience);
}

void TstGuiDocuments::clickMessage(const QString& text) {
  for (auto* button : window().messages().findChildren<QPushButton*>()) {
    if (button->text() == text && button->isVisible()) return QTest::mouseClick(button, Qt::LeftButton);
  }
  QFAIL(qPrintable("no action " + text + " in: " + window().messages().message().text));
}

QStringList TstGuiDocuments::names() {
  QStringList list;
  for (int i = 0; i < window().tabs().count(); ++i) list << window().tabs().tabText(i);
  return list;
}

void TstGuiDocuments::severalAreDropped() {
  fixture_->show();
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(fixture_->write("a.pt2", "model")),
                QUrl::fromLocalFile(fixture_->write("b.pt2", "model")),
                QUrl(QStringLiteral("https://example.org/c.pt2"))});
  QDragEnterEvent enter(QPoint(500, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window(), &enter);
  QDropEvent drop(QPointF(500, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window(), &drop);
  QTRY_COMPARE(names(), QStringList({"a.pt2", "b.pt2"}));
  QCOMPARE(window().windowTitle(), QString::fromUtf8("b.pt2 — ExportDeck"));
  QTRY_VERIFY_WITH_TIMEOUT(!window().isReading(), kPatience);
  QVERIFY(window().tabs().accessibleTabName(1).contains("ready"));
}

void TstGuiDocuments::eachHasItsOwnSetup() {
  fixture_->show();
  open("a.pt2");
  window().setup().backends().setBackend("portable");
  QVERIFY(window().profiles().isModified());
  open("b.pt2");
  QCOMPARE(window().setup().backends().backend(), "xnnpack");
  QVERIFY2(!window().profiles().isModified(), "a model that was just opened has the defaults");
  QTest::mouseClick(&window().tabs(), Qt::LeftButton, {}, window().tabs().tabRect(0).center());
  QCOMPARE(window().setup().backends().backend(), "portable");
  QVERIFY(window().profiles().isModified());
  QVERIFY(fixture_->find<QLineEdit>("commandLine")->text().contains("--backend portable"));
}

void TstGuiDocuments::sameModelOnce() {
  fixture_->show();
  open("a.pt2");
  open("b.pt2");
  open("a.pt2");
  QCOMPARE(names(), QStringList({"a.pt2", "b.pt2"}));
  QCOMPARE(window().tabs().currentIndex(), 0);
}

void TstGuiDocuments::unreadableMakesRoom() {
  fixture_->show();
  open("broken.pt2");
  QVERIFY(window().tabs().accessibleTabName(0).contains("not readable"));
  open("a.pt2");
  QCOMPARE(names(), QStringList({"a.pt2"}));
  QVERIFY2(window().messages().isHidden(), "its message goes with it");
}

void TstGuiDocuments::keysGoRound() {
  fixture_->show();
  for (const char* name : {"a.pt2", "b.pt2", "c.pt2"}) open(name);
  QCOMPARE(window().tabs().currentIndex(), 2);
  QTest::keyClick(&window(), Qt::Key_Tab, Qt::ControlModifier);
  QCOMPARE(window().tabs().currentIndex(), 0);
  QTest::keyClick(&window(), Qt::Key_Backtab, Qt::ControlModifier | Qt::ShiftModifier);
  QCOMPARE(window().tabs().currentIndex(), 2);
  QTest::keyClick(&window(), Qt::Key_PageUp, Qt::ControlModifier);
  QCOMPARE(window().tabs().currentIndex(), 1);
}

void TstGuiDocuments::closes_data() {
  QTest::addColumn<QString>("how");
  for (const char* how : {"key", "middle button", "cross"}) QTest::newRow(how) << how;
}

void TstGuiDocuments::closes() {
  QFETCH(QString, how);
  fixture_->show();
  for (const char* name : {"a.pt2", "b.pt2"}) open(name);
  DocumentTabs& tabs = window().tabs();
  const auto close = [&] {
    if (how == "key")
      QTest::keyClick(&window(), Qt::Key_W, Qt::ControlModifier);
    else if (how == "cross")
      QTest::mouseClick(tabs.tabButton(tabs.currentIndex(), QTabBar::RightSide), Qt::LeftButton);
    else
      QTest::mouseClick(&tabs, Qt::MiddleButton, {}, tabs.tabRect(tabs.currentIndex()).center());
  };
  close();
  QCOMPARE(names(), QStringList({"a.pt2"}));
  QCOMPARE(window().windowTitle(), QString::fromUtf8("a.pt2 — ExportDeck"));
  close();
  QCOMPARE(tabs.count(), 0);
  QVERIFY(fixture_->find<QWidget>("emptyPage")->isVisible());
  QTest::keyClick(&window(), Qt::Key_W, Qt::ControlModifier);
  open("c.pt2");
  QCOMPARE(names(), QStringList({"c.pt2"}));
}

void TstGuiDocuments::closeDuringExportAsks() {
  qputenv("PLAY", "slow");
  fixture_->show();
  open("a.pt2");
  open("b.pt2");
  window().tabs().setCurrentIndex(0);
  window().startExport();
  QTRY_COMPARE_WITH_TIMEOUT(window().outcome().stages().stages().at(3).state, StageBar::State::Running, kPatience);
  window().tabs().setCurrentIndex(1);
  QVERIFY(window().tabs().accessibleTabName(0).contains("exporting"));
  QTest::mouseClick(window().tabs().tabButton(0, QTabBar::RightSide), Qt::LeftButton);
  QCOMPARE(window().tabs().currentIndex(), 0);
  QVERIFY(window().messages().isAsking());
  clickMessage("Keep running");
  QVERIFY(window().isExporting());
  QTest::keyClick(&window(), Qt::Key_W, Qt::ControlModifier);
  QVERIFY(window().messages().isAsking());
  clickMessage("Cancel export and close");
  QTRY_COMPARE_WITH_TIMEOUT(names(), QStringList({"b.pt2"}), kPatience);
  QVERIFY(!window().messages().isVisible());
  QVERIFY(!QFileInfo::exists(fixture_->path("a_xnnpack.pte")));
}

void TstGuiDocuments::exportsSideBySide() {
  qputenv("PLAY", "slow");
  fixture_->show();
  open("a.pt2");
  window().startExport();
  QTRY_COMPARE_WITH_TIMEOUT(window().outcome().stages().stages().at(3).state, StageBar::State::Running, kPatience);
  qunsetenv("PLAY");
  open("b.pt2");
  QVERIFY2(window().profiles().isEnabled(), "another model's export is none of this one");
  window().startExport();
  QVERIFY(fixture_->waitForEnd());
  QCOMPARE(window().outcome().result().headline(), "b_xnnpack.pte is there, and it runs");
  window().tabs().setCurrentIndex(0);
  QVERIFY(window().isExporting());
  QVERIFY(!window().profiles().isEnabled());
  QTest::keyClick(&window(), Qt::Key_Escape);
  QVERIFY(fixture_->waitForEnd());
  QCOMPARE(window().outcome().result().headline(), "Cancelled");
  QVERIFY(window().tabs().accessibleTabName(0).contains("cancelled"));
  QVERIFY(window().tabs().accessibleTabName(1).contains("exported"));
}

void TstGuiDocuments::messageStaysWithItsModel() {
  qputenv("PLAY", "fail");
  fixture_->show();
  open("a.pt2");
  window().startExport();
  open("b.pt2");
  QTRY_VERIFY_WITH_TIMEOUT(window().tabs().accessibleTabName(0).contains("not exported"), kPatience);
  QVERIFY(window().messages().isHidden());
  window().tabs().setCurrentIndex(0);
  QVERIFY(window().messages().message().text.contains("aten.sort.default"));
  window().tabs().setCurrentIndex(1);
  QVERIFY(window().messages().isHidden());
  window().tabs().setCurrentIndex(0);
  QVERIFY(window().messages().message().text.contains("aten.sort.default"));
}

void TstGuiDocuments::windowAsksForAll() {
  qputenv("PLAY", "slow");
  fixture_->show();
  for (const char* name : {"a.pt2", "b.pt2"}) {
    open(name);
    window().startExport();
  }
  open("c.pt2");
  QVERIFY(!window().close());
  QCOMPARE(window().messages().message().text, "2 exports are running.");
  window().tabs().setCurrentIndex(0);
  QVERIFY2(window().messages().isAsking(), "the question is the window's");
  clickMessage("Cancel exports and close");
  QTRY_VERIFY_WITH_TIMEOUT(!window().isVisible(), kPatience);
}

void TstGuiDocuments::arrangementIsShared() {
  fixture_->show({1280, 840});
  open("a.pt2");
  const auto rows = [&] {
    QList<int> sizes;
    for (QSplitter* splitter : window().document().findChildren<QSplitter*>())
      if (splitter->orientation() == Qt::Vertical) sizes = splitter->sizes();
    return sizes;
  };
  for (QSplitter* splitter : window().document().findChildren<QSplitter*>())
    if (splitter->orientation() == Qt::Vertical) splitter->setSizes({420, 340});
  const QList<int> wanted = rows();
  open("b.pt2");
  QTRY_COMPARE(rows(), wanted);
  QVERIFY(window().close());
  fixture_->close();
  fixture_->show({1280, 840});
  open("c.pt2");
  QTRY_COMPARE(rows(), wanted);
}

// Many names at the least width: shortened in the middle, whole in the tool tip, and no torn edge.
void TstGuiDocuments::tabsKeepTheirShape() {
  fixture_->show({1024, 700});
  for (const char* name : {"a_model_with_a_rather_long_name_1.pt2", "a_model_with_a_rather_long_name_2.pt2",
                           "a_model_with_a_rather_long_name_3.pt2"})
    open(name);
  DocumentTabs& tabs = window().tabs();
  QCOMPARE(tabs.elideMode(), Qt::ElideMiddle);
  QVERIFY2(tabs.tabRect(2).right() <= tabs.width(), "three models have room");
  for (int i = 0; i < 3; ++i) QVERIFY(tabs.tabToolTip(i).contains(tabs.tabText(i)));
  for (const char* name : {"d.pt2", "e.pt2", "f.pt2", "g.pt2"}) open(name);
  QVERIFY2(tabs.tabRect(0).left() < 0, "seven do not");
  QStyleOptionTab option;
  option.initFrom(&tabs);
  option.rect = tabs.tabRect(6);
  for (const auto edge : {QStyle::SE_TabBarTearIndicatorLeft, QStyle::SE_TabBarTearIndicatorRight})
    QVERIFY(tabs.style()->subElementRect(edge, &option, &tabs).width() <= 1);
  const QImage picture = window().grab().toImage();
  QVERIFY(picture.save(qEnvironmentVariable("EXPORTDECK_SCREENSHOTS", QDir::currentPath()) + "/tabs_light.png"));
}

QTEST_MAIN(TstGuiDocuments)
#include "tst_gui_documents.moc"
