// How the window looks: pictures of each state in both themes and several sizes and scales, no clipped or overlapping
// text, a name on each control.
#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QProcessEnvironment>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>

#include "gui/backend_model.h"
#include "gui/check_bar.h"
#include "gui/options_model.h"
#include "gui/options_panel.h"
#include "gui/options_view.h"
#include "gui/output_bar.h"
#include "gui/profile_bar.h"
#include "gui/stage_bar.h"
#include "gui/widgets.h"
#include "window_fixture.h"

using namespace exportdeck::gui;
using exportdeck::gui::testing::kPatience;
using exportdeck::gui::testing::WindowFixture;

namespace {

// A part that a control of Qt made for itself: the icons in a line edit, the line edit in a combo box.
bool isInner(const QWidget& widget) {
  const QWidget* parent = widget.parentWidget();
  return qobject_cast<const QLineEdit*>(parent) || qobject_cast<const QComboBox*>(parent) ||
         qobject_cast<const QTabBar*>(parent);
}

}  // namespace

class TstGuiLook : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qobject_cast<QApplication*>(QCoreApplication::instance())); }
  void cleanupTestCase() { theme_.reset(); }
  void states_data();
  void states();
  void scales_data();
  void scales();

 private:
  void checkOverlap(const QWidget& window);
  void picture(QWidget& window, const QString& state);
  void checkClipping(const QWidget& window);
  void checkNames(const QWidget& window);
  void look(QWidget& window, const QString& state);

  std::unique_ptr<Theme> theme_;
};

void TstGuiLook::states_data() {
  QTest::addColumn<Scheme>("scheme");
  QTest::addColumn<QSize>("size");
  for (const Scheme scheme : {Scheme::Light, Scheme::Dark})
    for (const QSize size : {QSize(1024, 700), QSize(1440, 900), QSize(3840, 2160)})
      QTest::addRow("%s %dx%d", scheme == Scheme::Light ? "light" : "dark", size.width(), size.height())
          << scheme << size;
}

void TstGuiLook::picture(QWidget& window, const QString& state) {
  const QString folder = qEnvironmentVariable("EXPORTDECK_SCREENSHOTS", QDir::currentPath());
  const QString scale = qEnvironmentVariable("QT_SCALE_FACTOR");
  const QString name = QStringLiteral("%1/%2_%3_%4x%5%6.png")
                           .arg(folder, state, theme_->scheme() == Scheme::Light ? "light" : "dark")
                           .arg(window.width())
                           .arg(window.height())
                           .arg(scale.isEmpty() ? QString() : QLatin1Char('@') + scale);
  QVERIFY2(window.grab().save(name), qPrintable(name));
}

void TstGuiLook::checkClipping(const QWidget& window) {
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (!widget->isVisible() || qobject_cast<const ElidedLabel*>(widget) || isInner(*widget)) continue;
    const auto* text = qobject_cast<const QLabel*>(widget);
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    if ((!text || text->text().isEmpty()) && !button) continue;
    QSize needed = widget->sizeHint();
    if (text && text->wordWrap()) needed = {1, text->heightForWidth(text->width())};
    const QString what = QStringLiteral("%1 “%2” has %3x%4 of %5x%6")
                             .arg(widget->metaObject()->className(), text ? text->text() : button->text())
                             .arg(widget->width())
                             .arg(widget->height())
                             .arg(needed.width())
                             .arg(needed.height());
    QVERIFY2(widget->width() >= needed.width() && widget->height() >= needed.height(), qPrintable(what));
    const QRect inside(widget->mapTo(&window, QPoint()), widget->size());
    QVERIFY2(window.rect().contains(inside), qPrintable(what + " outside the window"));
  }
}

// Words and buttons that stand beside each other do not lie on each other.
void TstGuiLook::checkOverlap(const QWidget& window) {
  QList<const QWidget*> shown;
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    const auto* text = qobject_cast<const QLabel*>(widget);
    const bool counts = (text && !text->text().isEmpty()) || qobject_cast<const QAbstractButton*>(widget) ||
                        qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QComboBox*>(widget);
    if (counts && widget->isVisible() && !isInner(*widget)) shown << widget;
  }
  const auto place = [&](const QWidget* widget) { return QRect(widget->mapTo(&window, QPoint()), widget->size()); };
  for (qsizetype i = 0; i < shown.size(); ++i) {
    for (qsizetype k = i + 1; k < shown.size(); ++k) {
      if (shown[i]->isAncestorOf(shown[k]) || shown[k]->isAncestorOf(shown[i])) continue;
      // An editor of a table lies on its table.
      if (qobject_cast<const QAbstractScrollArea*>(shown[i]->parentWidget()->parentWidget())) continue;
      if (qobject_cast<const QAbstractScrollArea*>(shown[k]->parentWidget()->parentWidget())) continue;
      QVERIFY2(!place(shown[i]).intersects(place(shown[k])),
               qPrintable(QStringLiteral("%1 %2 lies on %3 %4")
                              .arg(shown[i]->metaObject()->className(), shown[i]->objectName(),
                                   shown[k]->metaObject()->className(), shown[k]->objectName())));
    }
  }
}

void TstGuiLook::checkNames(const QWidget& window) {
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || widget->objectName().startsWith("qt_"))
      continue;
    if (isInner(*widget)) continue;
    QVERIFY2(!widget->accessibleName().isEmpty(),
             qPrintable(QStringLiteral("%1 %2 has no accessible name")
                            .arg(widget->metaObject()->className(), widget->objectName())));
  }
}

void TstGuiLook::look(QWidget& window, const QString& state) {
  QTest::qWait(60);
  picture(window, state);
  checkClipping(window);
  checkOverlap(window);
  checkNames(window);
}

void TstGuiLook::states() {
  QFETCH(Scheme, scheme);
  QFETCH(QSize, size);
  theme_->setScheme(scheme);
  WindowFixture fixture;
  MainWindow& empty = fixture.show(size);
  look(empty, "empty");

  fixture.write("net.py",
                "class ChannelPool(nn.Module):\n    def forward(self, x):\n        # one value a pixel\n        return "
                "x.mean(1)\n\n\n");
  MainWindow& window = fixture.showWithModel(size);
  look(window, "loaded");

  auto* optionTabs = fixture.find<QTabBar>("optionTabs");
  optionTabs->setCurrentIndex(2);
  window.setup().options().paste("bound=s0=16,s7=4");
  look(window, "sizes");
  window.setup().options().exportModel().resetAll();
  optionTabs->setCurrentIndex(0);

  auto& model = window.setup().options().exportModel();
  model.setData(model.index(model.rowOf("alignment"), OptionsModel::ValueColumn), "48", Qt::EditRole);
  model.setData(model.index(model.rowOf("plan_outputs"), OptionsModel::ValueColumn), false, Qt::EditRole);
  window.startExport();
  look(window, "invalid");
  model.resetAll();

  qputenv("PLAY", "slow");
  window.startExport();
  QTRY_COMPARE_WITH_TIMEOUT(window.outcome().stages().stages().at(3).state, StageBar::State::Running, kPatience);
  look(window, "exporting");
  window.close();
  look(window, "closing");
  window.cancelExport();
  QVERIFY(fixture.waitForEnd());
  look(window, "cancelled");

  qunsetenv("PLAY");
  window.startExport();
  QVERIFY(fixture.waitForEnd());
  look(window, "done");
  QTest::mouseClick(fixture.find<QPushButton>("showWhy"), Qt::LeftButton);
  fixture.find<QTableView>("coverageTable")->selectRow(1);
  look(window, "coverage");
  fixture.find<QTabBar>("coverageViews")->setCurrentIndex(2);
  look(window, "modules");
  window.outcome().tabs().setCurrentIndex(OutcomePane::PlanTab);
  look(window, "plan");
  window.outcome().tabs().setCurrentIndex(OutcomePane::LogTab);
  look(window, "log");
  window.startExport();
  QVERIFY(fixture.waitForEnd());
  window.open(fixture.write("a_model_with_a_rather_long_name_of_its_own.pt2", "model"));
  window.open(fixture.write("broken.pt2", "model"));
  QTRY_VERIFY_WITH_TIMEOUT(!window.isReading(), kPatience);
  look(window, "broken");
  window.open(fixture.path("mobilenet_v2.pt2"));
  QTRY_VERIFY_WITH_TIMEOUT(!window.isReading(), kPatience);
  window.setup().check().setVerification("/data/cases/mobilenet_v2");
  look(window, "check");
  window.setup().check().setVerification("run");
  window.setup().output().setReplaces(true);
  window.startExport();
  QVERIFY(fixture.waitForEnd());
  look(window, "several");

  qputenv("PLAY", "fail");
  window.setup().output().setReplaces(true);
  window.startExport();
  QVERIFY(fixture.waitForEnd());
  look(window, "failed");
  window.outcome().tabs().setCurrentIndex(OutcomePane::ResultTab);
  look(window, "earlier");
  window.messages().dismiss();
  window.startExport();
  QVERIFY(fixture.waitForEnd());

  window.profiles().askName();
  look(window, "naming");
  fixture.find<QLineEdit>("profileName")->setText("Phone / CPU");
  look(window, "naming_wrong");
  auto& backends = window.setup().backends();
  backends.showPopup();
  QTest::qWait(60);
  picture(*backends.view()->window(), "backends");
  backends.hidePopup();
}

void TstGuiLook::scales_data() {
  QTest::addColumn<QString>("scale");
  for (const char* scale : {"1.5", "2"}) QTest::newRow(scale) << QString::fromLatin1(scale);
}

// The scale of a screen is fixed when a program starts, so this one starts again, on a screen that is large enough.
void TstGuiLook::scales() {
  QFETCH(QString, scale);
  if (qEnvironmentVariableIsSet("QT_SCALE_FACTOR")) QSKIP("this is the program at another scale");
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("QT_SCALE_FACTOR", scale);
  environment.insert("QT_QPA_PLATFORM", environment.value("QT_QPA_PLATFORM").replace("screen.json", "screen_4k.json"));
  QProcess again;
  again.setProcessEnvironment(environment);
  again.setProcessChannelMode(QProcess::MergedChannels);
  again.start(QCoreApplication::applicationFilePath(), {"states:light 1024x700", "states:dark 1024x700"});
  QVERIFY(again.waitForFinished(10 * kPatience));
  QVERIFY2(again.exitCode() == 0, again.readAll().constData());
}

QTEST_MAIN(TstGuiLook)
#include "tst_gui_look.moc"
