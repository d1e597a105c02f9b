#include "gui/profile_bar.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QStandardItemModel>

#include "gui/texts.h"
#include "gui/widgets.h"
#include "options/profile_name.h"

namespace exportdeck::gui {

namespace {
constexpr int kComboWidth = 200, kComboFrame = 44;
}

ProfileBar::ProfileBar(QWidget* parent) : QWidget(parent), pages_(new QStackedLayout(this)) {
  pages_->addWidget(makeChoice());
  pages_->addWidget(makeNaming());
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  connect(&Theme::current(), &Theme::changed, this, &ProfileBar::fill);
  fill();
}

QWidget* ProfileBar::makeChoice() {
  auto* page = new QWidget;
  combo_ = new ListCombo(tr("Profiles"));
  combo_->setObjectName(QStringLiteral("profileCombo"));
  combo_->setAccessibleName(tr("Profile"));
  holdWidth(combo_, kComboWidth, kComboWidth);
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
  menu->addSeparator();
  makeStandard_ = add("standardProfile", QString(), [this] { emit standardWanted(makeStandard_->isChecked()); });
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
  holdWidth(name_, 190);
  accept_ = new QPushButton(tr("Save"));
  accept_->setObjectName(QStringLiteral("acceptName"));
  auto* cancel = new QPushButton(tr("Cancel"));
  cancel->setAccessibleName(tr("Leave the name as it is"));
  nameNote_ = label(QString(), FontRole::Small, "secondary");
  nameNote_->setObjectName(QStringLiteral("nameNote"));
  auto* row = new QHBoxLayout;
  row->setSpacing(grid::kGap);
  row->addWidget(name_, 1);
  row->addWidget(accept_);
  row->addWidget(cancel);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(nameNote_);
  const auto back = [this] { pages_->setCurrentIndex(0); };
  connect(name_, &QLineEdit::textChanged, this, &ProfileBar::judgeName);
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

// Each key is judged: what cannot be a name stays as it was typed, with the reason.
void ProfileBar::judgeName() {
  const std::string name = name_->text().toStdString();
  const QString reason = QString::fromStdString(options::whyNoProfileName(name));
  accept_->setEnabled(reason.isEmpty());
  // A space after a word is mostly followed by another: that is no fault yet.
  QString begun = name_->text();
  while (begun.endsWith(QLatin1Char(' '))) begun.chop(1);
  const bool wrong = !reason.isEmpty() && !begun.isEmpty() && !options::whyNoProfileName(begun.toStdString()).empty();
  setLook(name_, "invalid", wrong);
  setLook(nameNote_, "look", wrong ? "error" : "secondary");
  nameNote_->setText(reason.isEmpty() ? tr("It is kept among your profiles.") : sentence(capitalised(reason)));
  name_->setAccessibleDescription(nameNote_->text());
}

void ProfileBar::acceptName() {
  const QString name = name_->text();
  if (!accept_->isEnabled()) return;
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

namespace {

const QString kUnsavedMark = QStringLiteral("•"), kStandardMark = QStringLiteral("✓");

}  // namespace

// The marks stay in view, however long the name.
void ProfileBar::addChoice(const QString& text, const QString& name) {
  QStringList marks, help{text};
  if (modified_ && name == current_) {
    marks << kUnsavedMark;
    help << tr("%1 changed and not saved").arg(kUnsavedMark);
  }
  if (name == standard_) {
    marks << kStandardMark;
    help << tr("%1 models are opened with it").arg(kStandardMark);
  }
  const QString mark = marks.isEmpty() ? QString() : QStringLiteral("  ") + marks.join(QLatin1Char(' '));
  const QFontMetrics metrics = combo_->fontMetrics();
  const int room = Theme::current().scaled(kComboWidth) - kComboFrame - metrics.horizontalAdvance(mark);
  combo_->addItem(metrics.elidedText(text, Qt::ElideRight, room) + mark, name);
  combo_->setItemData(combo_->count() - 1, help.join(QLatin1Char('\n')), Qt::ToolTipRole);
}

// What the marks mean, at the foot of the list; it cannot be chosen.
void ProfileBar::addLegend() {
  combo_->addItem(tr("%1 not saved   %2 for new models").arg(kUnsavedMark, kStandardMark), QVariant());
  const int at = combo_->count() - 1;
  if (auto* model = qobject_cast<QStandardItemModel*>(combo_->model())) model->item(at)->setFlags(Qt::NoItemFlags);
  combo_->setItemData(at, Theme::current().font(FontRole::Small), Qt::FontRole);
  combo_->setItemData(at, colors().secondary, Qt::ForegroundRole);
}

void ProfileBar::fill() {
  fillChoice();
  fillMenu();
}

void ProfileBar::fillChoice() {
  combo_->clear();
  addChoice(tr("Defaults"), QString());
  for (const auto& item : items_) addChoice(item.builtIn() ? tr("%1 (built in)").arg(item.name) : item.name, item.name);
  if (!currentItem() && !current_.isEmpty()) addChoice(current_, current_);
  addLegend();
  combo_->setCurrentIndex(combo_->findData(current_));
  combo_->setAccessibleDescription(modified_ ? tr("Changed and not saved") : QString());
  combo_->setToolTip(combo_->currentData(Qt::ToolTipRole).toString());
  save_->setEnabled(modified_);
}

void ProfileBar::fillMenu() {
  const auto* item = currentItem();
  const bool own = item && !item->builtIn();
  rename_->setEnabled(own);
  remove_->setEnabled(own);
  duplicate_->setEnabled(item);
  const bool isStandard = current_ == standard_;
  const QString name = current_.isEmpty() ? tr("Defaults") : current_;
  const QString shown = menu_->fontMetrics().elidedText(name, Qt::ElideMiddle, Theme::current().scaled(kComboWidth));
  const QString standard = menu_->fontMetrics().elidedText(standard_.isEmpty() ? tr("Defaults") : standard_,
                                                           Qt::ElideMiddle, Theme::current().scaled(kComboWidth));
  makeStandard_->setText(isStandard ? tr("Use “%1” for new models").arg(shown)
                                    : tr("Use “%1” for new models (now: %2)").arg(shown, standard));
  // The defaults make way for another, they are not switched off.
  makeStandard_->setEnabled(current_.isEmpty() ? !isStandard : item != nullptr);
  makeStandard_->setChecked(isStandard);
}

}  // namespace exportdeck::gui
