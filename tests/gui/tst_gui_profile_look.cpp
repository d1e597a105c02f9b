// How the options and the profiles look: pictures in both themes and two sizes, no clipped text, a name on each
// control.
#include <QAbstractButton>
#include <QLabel>
#include <QListWidget>

#include "gui/compare_page.h"
#include "gui/option_editors.h"
#include "gui/options_model.h"
#include "gui/options_panel.h"
#include "gui/options_view.h"
#include "gui/profile_bar.h"
#include "gui/repair_page.h"
#include "gui/widgets.h"
#include "window_fixture.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QMenu>
#include <QTabBar>

using namespace exportdeck::gui;
using exportdeck::gui::testing::WindowFixture;

class TstGuiProfileLook : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }
  void cleanupTestCase() { theme_.reset(); }
  void states_data();
  void states();

 private:
  void look(QWidget& widget, const QString& state);

  QSize size_;
  std::unique_ptr<Theme> theme_;
};

void TstGuiProfileLook::states_data() {
  QTest::addColumn<Scheme>("scheme");
  QTest::addColumn<QSize>("size");
  for (const Scheme scheme : {Scheme::Light, Scheme::Dark})
    for (const QSize size : {QSize(1024, 700), QSize(1440, 900)})
      QTest::addRow("%s %dx%d", scheme == Scheme::Light ? "light" : "dark", size.width(), size.height())
          << scheme << size;
}

void TstGuiProfileLook::look(QWidget& widget, const QString& state) {
  QTest::qWait(30);
  const QString folder = qEnvironmentVariable("EXPORTDECK_SCREENSHOTS", QDir::currentPath());
  const QString name = QStringLiteral("%1/%2_%3_%4x%5.png")
                           .arg(folder, state, theme_->scheme() == Scheme::Light ? "light" : "dark")
                           .arg(size_.width())
                           .arg(size_.height());
  QVERIFY2(widget.grab().save(name), qPrintable(name));
  for (const QWidget* part : widget.findChildren<QWidget*>()) {
    if (!part->isVisible() || qobject_cast<const ElidedLabel*>(part)) continue;
    if (part->focusPolicy() != Qt::NoFocus && !part->objectName().startsWith("qt_") &&
        !qobject_cast<QComboBox*>(part->parentWidget()) && !qobject_cast<QLineEdit*>(part->parentWidget()) &&
        !qobject_cast<QTabBar*>(part->parentWidget()))
      QVERIFY2(!part->accessibleName().isEmpty(), part->metaObject()->className());
    const auto* text = qobject_cast<const QLabel*>(part);
    const auto* button = qobject_cast<const QAbstractButton*>(part);
    if ((!text || text->text().isEmpty()) && (!button || button->text().isEmpty())) continue;
    const QSize needed = text && text->wordWrap() ? QSize(1, text->heightForWidth(text->width())) : part->sizeHint();
    const QString what = text ? text->text() : button->text();
    QVERIFY2(part->width() >= needed.width() && part->height() >= needed.height(), qPrintable(state + ": " + what));
  }
}

void TstGuiProfileLook::states() {
  QFETCH(Scheme, scheme);
  QFETCH(QSize, size);
  theme_->setScheme(scheme);
  size_ = size;
  WindowFixture fixture;
  MainWindow& window = fixture.showWithModel(size);
  OptionsPanel& options = window.setup().options();
  OptionsModel& exports = options.exportModel();
  const auto set = [](OptionsModel& model, const char* key, const QVariant& value) {
    model.setData(model.index(model.rowOf(key), OptionsModel::ValueColumn), value, Qt::EditRole);
  };
  set(exports, "per_op_mode", true);
  set(exports, "min_delegate_nodes", "4");
  set(exports, "exclude_ops", "aten.mul.Tensor,aten.softmax.int");
  options.showOption("min_delegate_nodes");
  options.explain();
  look(window, "explained");
  options.view().editRow(exports.rowOf("exclude_ops"));
  auto* list = options.view().viewport()->findChild<ListEdit*>("optionEditor");
  QVERIFY(list);
  list->openLines();
  look(*list->findChild<QWidget*>("listPopup"), "list");
  list->findChild<QWidget*>("listPopup")->close();
  set(options.runtimeModel(), "packed_cache_path", "/data/weights/packed.bin");
  options.showOption("packed_cache_path");
  options.view().editRow(options.runtimeModel().rowOf("packed_cache_path"));
  look(window, "runtime");
  fixture.find<QComboBox>("backendCombo")->setFocus();
  options.explain();

  emit window.profiles().compareWanted();
  QVERIFY(window.findChild<ComparePage*>());
  look(window, "compare");
  emit window.findChild<ComparePage*>()->closeWanted();
  emit window.profiles().chosen("Phone CPU");
  look(window, "asking");
  window.messages().message().actions[1].run();
  window.messages().dismiss();
  window.openProfile(fixture.write(
      "old.json",
      R"({"exportdeck_profile":3,"name":"Watch","backend":"xnnpac","export_options":{"alignment":64,"segment_alignment":3,"shine":[1,2],"plan_inputs":"no"},"runtime_options":{"ZBackend":{"a":1}}})"));
  QVERIFY(window.findChild<RepairPage*>());
  look(window, "repair");
  emit window.findChild<RepairPage*>()->closeWanted();
  auto* combo = fixture.find<QComboBox>("profileCombo");
  combo->showPopup();
  look(*combo->view()->window(), "profile_list");
  combo->hidePopup();
  window.profiles().menu().popup(window.mapToGlobal(QPoint(600, 40)));
  look(window.profiles().menu(), "profile_menu");
  window.profiles().menu().close();
}

QTEST_MAIN(TstGuiProfileLook)
#include "tst_gui_profile_look.moc"
