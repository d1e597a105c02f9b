#include "gui/profile_bar.h"

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
  auto* menu = new QMenu(more_);
  menu->addAction(icon(QStringLiteral("save")), tr("Save as…"), this, &ProfileBar::askName)
      ->setObjectName(QStringLiteral("saveProfileAs"));
  menu->addAction(icon(QStringLiteral("open")), tr("Load from file…"), this, &ProfileBar::loadWanted)
      ->setObjectName(QStringLiteral("loadProfile"));
  more_->setMenu(menu);
  more_->setPopupMode(QToolButton::InstantPopup);
  auto* row = new QHBoxLayout(page);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(grid::kGap);
  row->addWidget(caption);
  row->addWidget(combo_);
  row->addWidget(save_);
  row->addWidget(more_);
  connect(combo_, &QComboBox::activated, this, [this](int at) { emit chosen(combo_->itemData(at).toString()); });
  connect(save_, &QPushButton::clicked, this, [this] {
    if (current_.isEmpty())
      askName();
    else
      emit saveWanted(current_);
  });
  return page;
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
  accept_->setAccessibleName(tr("Save the profile under this name"));
  auto* cancel = new QPushButton(tr("Cancel"));
  cancel->setAccessibleName(tr("Do not save the profile"));
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

void ProfileBar::askName() {
  pages_->setCurrentIndex(1);
  name_->setText(current_.isEmpty() ? tr("My profile") : current_);
  name_->selectAll();
  name_->setFocus();
}

void ProfileBar::acceptName() {
  QString name = name_->text().trimmed();
  if (name.endsWith(QLatin1String(".json"))) name.chop(5);
  if (name.isEmpty()) return;
  pages_->setCurrentIndex(0);
  emit saveWanted(name);
}

void ProfileBar::setProfiles(const QList<services::ProfileStore::Item>& items) {
  items_ = items;
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

// The name that is set carries the mark of what is not saved.
void ProfileBar::fill() {
  combo_->clear();
  combo_->addItem(tr("Defaults"), QString());
  bool listed = current_.isEmpty();
  for (const auto& item : items_) {
    combo_->addItem(item.builtIn() ? tr("%1 (built in)").arg(item.name) : item.name, item.name);
    listed = listed || item.name == current_;
  }
  if (!listed) combo_->addItem(current_, current_);
  const int at = combo_->findData(current_);
  if (modified_) combo_->setItemText(at, tr("%1 •").arg(combo_->itemText(at)));
  combo_->setCurrentIndex(at);
  combo_->setAccessibleDescription(modified_ ? tr("Changed and not saved") : QString());
  combo_->setToolTip(modified_ ? tr("Changed and not saved") : tr("Profile"));
  save_->setEnabled(modified_);
}

}  // namespace exportdeck::gui
