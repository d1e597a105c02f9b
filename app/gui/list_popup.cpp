#include "gui/list_popup.h"

#include <QBoxLayout>
#include <QListWidget>

#include "base/diagnostic.h"
#include "gui/widgets.h"

namespace exportdeck::gui {

using options::OptionSpec;

namespace {

// Also of words that are not valid as they stand: an unknown item is a line that can be removed.
QStringList itemsIn(const QString& words) {
  OptionSpec any;
  any.type = options::OptionType::List;
  QStringList items;
  try {
    const options::OptionValue value = options::parseValue(any, words.toStdString());
    for (const std::string& item : std::get<std::vector<std::string>>(value)) items << QString::fromStdString(item);
  } catch (const ExportError&) {
    for (const QString& item : words.split(QLatin1Char(','), Qt::SkipEmptyParts)) items << item.trimmed();
  }
  return items;
}

}  // namespace

ListPopup::ListPopup(const OptionSpec& spec, const QString& words, QWidget* anchor)
    : QFrame(anchor, Qt::Popup), free_(spec.choices.empty()), list_(new QListWidget) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("listPopup"));
  setProperty("look", "popup");
  list_->setObjectName(QStringLiteral("listLines"));
  list_->setAccessibleName(QString::fromStdString(spec.title));
  list_->setProperty("look", "framed");
  list_->setUniformItemSizes(true);
  list_->setEditTriggers(QAbstractItemView::AllEditTriggers);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(grid::kGap, grid::kGap, grid::kGap, grid::kGap);
  column->setSpacing(grid::kGap);
  column->addWidget(list_);
  const QStringList items = itemsIn(words);
  filling_ = true;
  for (const std::string& choice : spec.choices)
    addLine(QString::fromStdString(choice), items.contains(QString::fromStdString(choice)));
  if (free_)
    for (const QString& item : items) addLine(item, true);
  filling_ = false;
  if (free_) {
    auto* row = new QHBoxLayout;
    auto* more = new QPushButton(tr("Add"));
    more->setObjectName(QStringLiteral("addLine"));
    more->setAccessibleName(tr("Add a line"));
    auto* less = new QPushButton(tr("Remove"));
    less->setObjectName(QStringLiteral("removeLine"));
    less->setAccessibleName(tr("Remove the line"));
    row->addWidget(more);
    row->addWidget(less);
    row->addStretch();
    column->addLayout(row);
    connect(more, &QPushButton::clicked, this, &ListPopup::add);
    connect(less, &QPushButton::clicked, this, &ListPopup::remove);
  }
  connect(list_, &QListWidget::itemChanged, this, &ListPopup::tell);
  resize(qMax(280, anchor->width()), free_ ? 220 : qMin(260, 60 + 26 * list_->count()));
  move(anchor->mapToGlobal(QPoint(0, anchor->height() + 2)));
  list_->setCurrentRow(0);
  show();
  list_->setFocus(Qt::PopupFocusReason);
}

QListWidgetItem* ListPopup::addLine(const QString& text, bool ticked) {
  auto* item = new QListWidgetItem(text, list_);
  if (free_)
    item->setFlags(item->flags() | Qt::ItemIsEditable);
  else
    item->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
  return item;
}

void ListPopup::add() {
  filling_ = true;
  QListWidgetItem* item = addLine(QString(), true);
  filling_ = false;
  list_->setCurrentItem(item);
  list_->editItem(item);
}

void ListPopup::remove() {
  delete list_->takeItem(list_->currentRow());
  tell();
}

void ListPopup::tell() {
  if (filling_) return;
  std::vector<std::string> items;
  for (int row = 0; row < list_->count(); ++row) {
    const QListWidgetItem* item = list_->item(row);
    const QString text = item->text().trimmed();
    if (!text.isEmpty() && (free_ || item->checkState() == Qt::Checked)) items.push_back(text.toStdString());
  }
  emit changed(QString::fromStdString(options::formatValue(items)));
}

}  // namespace exportdeck::gui
