#include "gui/backend_model.h"

#include <QAbstractItemView>
#include <QPainter>
#include <algorithm>

#include "gui/icons.h"
#include "gui/texts.h"
#include "gui/theme.h"

namespace exportdeck::gui {

BackendModel::BackendModel(const options::Catalogue& catalogue, QObject* parent) : QAbstractListModel(parent) {
  for (const options::BackendEntry& entry : catalogue.entries()) {
    const options::Availability state = catalogue.availability(entry);
    Row row{QString::fromStdString(entry.id), QString::fromStdString(entry.title),
            QString::fromStdString(entry.summary), state.available, false};
    if (!state.available) {
      row.note = capitalised(QString::fromStdString(state.reason));
      if (!state.remedy.empty()) row.note = tr("%1; %2").arg(row.note, QString::fromStdString(state.remedy));
    }
    rows_.push_back(std::move(row));
  }
  const auto unavailable =
      std::stable_partition(rows_.begin(), rows_.end(), [](const Row& row) { return row.available; });
  if (unavailable != rows_.begin() && unavailable != rows_.end())
    rows_.insert(unavailable, Row{{}, {}, {}, false, true});
}

int BackendModel::rowOf(const QString& id) const {
  const auto found =
      std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return !row.separator && row.id == id; });
  return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int BackendModel::firstAvailable() const {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.available; });
  return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int BackendModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant BackendModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[static_cast<size_t>(index.row())];
  switch (role) {
    // QComboBox knows a separator by this description.
    case Qt::AccessibleDescriptionRole:
      return row.separator ? QStringLiteral("separator") : row.note;
    case Qt::AccessibleTextRole:
      return row.available || row.separator ? row.title : tr("%1, not available: %2").arg(row.title, row.note);
    case Qt::DisplayRole:
      return row.title;
    case Qt::ToolTipRole:
      return row.note;
    case IdRole:
      return row.id;
    case AvailableRole:
      return row.available;
    case NoteRole:
      return row.note;
    case SeparatorRole:
      return row.separator;
    default:
      return {};
  }
}

Qt::ItemFlags BackendModel::flags(const QModelIndex& index) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  return rows_[static_cast<size_t>(index.row())].available ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::ItemFlags{};
}

void BackendDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QRect cell = option.rect;
  painter->save();
  if (index.data(BackendModel::SeparatorRole).toBool()) {
    painter->setPen(colors().line);
    painter->drawLine(cell.left() + 8, cell.center().y(), cell.right() - 8, cell.center().y());
    painter->restore();
    return;
  }
  const bool available = index.data(BackendModel::AvailableRole).toBool();
  painter->fillRect(cell, option.state & QStyle::State_Selected ? colors().accentSoft : colors().surface);
  const QRect text = cell.adjusted(34, 6, -10, -6);
  paintIcon(*painter, QRect(cell.x() + 10, text.y() + 1, grid::kIcon, grid::kIcon),
            available ? QStringLiteral("chip") : QStringLiteral("skipped"), available ? Ink::Accent : Ink::Disabled);
  const QFont title = Theme::current().font(available ? FontRole::Strong : FontRole::Body),
              note = Theme::current().font(FontRole::Small);
  painter->setFont(title);
  painter->setPen(available ? colors().text : colors().disabled);
  painter->drawText(text, Qt::AlignTop | Qt::AlignLeft, index.data().toString());
  painter->setFont(note);
  painter->setPen(colors().secondary);
  painter->drawText(
      text, Qt::AlignBottom | Qt::AlignLeft,
      QFontMetrics(note).elidedText(index.data(BackendModel::NoteRole).toString(), Qt::ElideRight, text.width()));
  painter->restore();
}

QSize BackendDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  if (index.data(BackendModel::SeparatorRole).toBool()) return {10, 9};
  return {200, 2 * option.fontMetrics.lineSpacing() + 14};
}

BackendCombo::BackendCombo(const options::Catalogue& catalogue, QWidget* parent)
    : QComboBox(parent), model_(new BackendModel(catalogue, this)) {
  setObjectName(QStringLiteral("backendCombo"));
  setAccessibleName(tr("Backend"));
  setModel(model_);
  setItemDelegate(new BackendDelegate(this));
  view()->setMinimumWidth(620);
  setMaxVisibleItems(9);
  view()->setAccessibleName(tr("Backends"));
  if (!setBackend(QStringLiteral("xnnpack")) || !isUsable()) setCurrentIndex(model_->firstAvailable());
}

bool BackendCombo::setBackend(const QString& id) {
  const int row = model_->rowOf(id);
  if (row >= 0) setCurrentIndex(row);
  return row >= 0;
}

}  // namespace exportdeck::gui
