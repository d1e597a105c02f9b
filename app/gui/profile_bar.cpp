#include "gui/profile_bar.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QStackedLayout>

#include "gui/widgets.h"

namespace exportdeck::gui {

ProfileBar::ProfileBar(QWidget* parent) : QWidget(parent), pages_(new QStackedLayout(this)) {
  pages_->addWidget(makeChoice());
  pages_->addWidget(makeNaming());
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  fill();
}

QWidget* ProfileBar::makeChoice() {
  auto* page = new QWidget;
  combo_ = new QComboBox;
  combo_->setObjectName(QStringLiteral("profileCombo"));
  combo_->setAccessibleName(tr("Profile"));
  combo_->setFixedWidth(190);
  auto* caption = label(tr("Pro&file"), FontRole::Body, "secondary");
  caption->setBuddy(combo_);
  save_ = textButton(icon(QStringLiteral("save")), tr("Save"), tr("Save the profile"));
  save_->setObjectName(QStringLiteral("saveProfile"));
  more_ = iconButton(QStringLiteral("more"), tr("More about profiles"));
  more_->setObjectName(QStringLiteral("profileMenu"));
  menu_ = makeMenu();
  more_->setMenu(menu_);
  more_->setPopupMode(QToolButton::InstantPopup);
  auto* row = new QHBoxLayout(page);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(grid::kGap);
  row->addWidget(caption);
  row->addWidget(combo_);
  row->addWidget(save_);
  row->addWidget(more_);
  connect(combo_, &QComboBox::activated, this, [this](int at) { emit chosen(combo_->itemData(at).toString()); });
  connect(save_, &QPushButton::clicked, this, [this] { emit saveWanted(QString()); });
  return page;
}

QMenu* ProfileBar::makeMenu() {
  auto* menu = new QMenu(this);
  const auto add = [&](const char* name, const QString& text, auto act) {
    QAction* action = menu->addAction(text, this, act);
    action->setObjectName(QString::fromLatin1(name));
    return action;
  };
  add("saveProfileAs", tr("Save as…"), [this] { askName(); })->setIcon(icon(QStringLiteral("save")));
  rename_ = add("renameProfile", tr("Rename…"), [this] { askName(Naming::Rename); });
  duplicate_ = add("duplicateProfile", tr("Duplicate…"), [this] { askName(Naming::Duplicate); });
  remove_ = add("removeProfile", tr("Delete"), &ProfileBar::removeWanted);
  makeStandard_ =
      add("standardProfile", tr("Use for new models"), [this] { emit standardWanted(makeStandard_->isChecked()); });
  makeStandard_->setCheckable(true);
  menu->addSeparator();
  add("importProfile", tr("Import…"), &ProfileBar::importWanted)->setIcon(icon(QStringLiteral("open")));
  export_ = add("exportProfile", tr("Export…"), &ProfileBar::exportWanted);
  menu->addSeparator();
  add("compareProfiles", tr("Compare…"), &ProfileBar::compareWanted);
  return menu;
}

QWidget* ProfileBar::makeNaming() {
  auto* page = new QWidget;
  name_ = new QLineEdit;
  name_->setObjectName(QStringLiteral("profileName"));
  name_->setAccessibleName(tr("Name of the profile"));
  name_->setPlaceholderText(tr("Name of the profile"));
  name_->setMaxLength(80);
  // With a slash it would be a file's path to the command line.
  name_->setValidator(new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[^/]*")), name_));
  name_->setMinimumWidth(190);
  accept_ = new QPushButton(tr("Save"));
  accept_->setObjectName(QStringLiteral("acceptName"));
  auto* cancel = new QPushButton(tr("Cancel"));
  cancel->setAccessibleName(tr("Leave the name as it is"));
  auto* row = new QHBoxLayout(page);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(grid::kGap);
  row->addWidget(name_, 1);
  row->addWidget(accept_);
  row->addWidget(cancel);
  const auto back = [this] { pages_->setCurrentIndex(0); };
  connect(name_, &QLineEdit::textChanged, this,
          [this](const QString& text) { accept_->setEnabled(!text.trimmed().isEmpty()); });
  connect(name_, &QLineEdit::returnPressed, this, &ProfileBar::acceptName);
  connect(accept_, &QPushButton::clicked, this, &ProfileBar::acceptName);
  connect(cancel, &QPushButton::clicked, this, back);
  name_->installEventFilter(this);
  return page;
}

// Escape in the name leaves the name; elsewhere it is the window's.
bool ProfileBar::eventFilter(QObject* watched, QEvent* event) {
  const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
  if (!isKey || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) return QWidget::eventFilter(watched, event);
  if (event->type() == QEvent::KeyPress) pages_->setCurrentIndex(0);
  event->accept();
  return true;
}

void ProfileBar::askName(Naming what) {
  naming_ = what;
  const auto* item = currentItem();
  QString proposal = current_.isEmpty() ? tr("My profile") : current_;
  // A built-in one stays as it is; a copy has another name.
  if (what == Naming::Duplicate || (what == Naming::Save && item && item->builtIn())) proposal = freeName(proposal);
  accept_->setText(what == Naming::Save ? tr("Save") : what == Naming::Rename ? tr("Rename") : tr("Duplicate"));
  accept_->setAccessibleName(tr("%1 the profile").arg(accept_->text()));
  pages_->setCurrentIndex(1);
  name_->setText(proposal);
  name_->selectAll();
  name_->setFocus();
}

QString ProfileBar::freeName(const QString& name) const {
  const auto taken = [this](const QString& wanted) {
    return std::any_of(items_.begin(), items_.end(), [&](const auto& item) { return item.name == wanted; });
  };
  QString free = tr("%1 copy").arg(name);
  for (int number = 2; taken(free); ++number) free = tr("%1 copy %2").arg(name).arg(number);
  return free;
}

void ProfileBar::acceptName() {
  QString name = name_->text().trimmed();
  if (name.endsWith(QLatin1String(".json"))) name.chop(5);
  if (name.isEmpty()) return;
  pages_->setCurrentIndex(0);
  if (naming_ == Naming::Save) emit saveWanted(name);
  if (naming_ == Naming::Rename && name != current_) emit renameWanted(name);
  if (naming_ == Naming::Duplicate) emit duplicateWanted(name);
}

void ProfileBar::setProfiles(const QList<services::ProfileStore::Item>& items, const QString& standard) {
  items_ = items;
  standard_ = standard;
  fill();
}

void ProfileBar::setCurrent(const QString& name) {
  current_ = name;
  modified_ = false;
  fill();
}

void ProfileBar::setModified(bool modified) {
  if (modified == modified_) return;
  modified_ = modified;
  fill();
}

const services::ProfileStore::Item* ProfileBar::currentItem() const {
  const auto found =
      std::find_if(items_.begin(), items_.end(), [&](const auto& item) { return item.name == current_; });
  return found == items_.end() ? nullptr : &*found;
}

// The name that is set carries the mark of what is not saved.
void ProfileBar::fill() {
  combo_->clear();
  combo_->addItem(tr("Defaults"), QString());
  for (const auto& item : items_) {
    QString text = item.builtIn() ? tr("%1 (built in)").arg(item.name) : item.name;
    if (item.name == standard_) text = tr("%1 ✓").arg(text);
    combo_->addItem(text, item.name);
    if (item.name == standard_)
      combo_->setItemData(combo_->count() - 1, tr("Models are opened with this profile"), Qt::ToolTipRole);
  }
  const auto* item = currentItem();
  if (!item && !current_.isEmpty()) combo_->addItem(current_, current_);
  const int at = combo_->findData(current_);
  if (modified_) combo_->setItemText(at, tr("%1 •").arg(combo_->itemText(at)));
  combo_->setCurrentIndex(at);
  combo_->setAccessibleDescription(modified_ ? tr("Changed and not saved") : QString());
  combo_->setToolTip(modified_ ? tr("Changed and not saved") : tr("Profile"));
  save_->setEnabled(modified_);
  const bool own = item && !item->builtIn();
  rename_->setEnabled(own);
  remove_->setEnabled(own);
  duplicate_->setEnabled(item);
  makeStandard_->setEnabled(item);
  makeStandard_->setChecked(item && item->name == standard_);
}

}  // namespace exportdeck::gui
