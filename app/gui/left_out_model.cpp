#include "gui/left_out_model.h"

#include "gui/theme.h"

namespace exportdeck::gui {

void LeftOutModel::setItems(const QList<LeftOut>& items) {
  beginResetModel();
  items_ = items;
  endResetModel();
}

int LeftOutModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(items_.size());
}

int LeftOutModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant LeftOutModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const LeftOut& item = items_[index.row()];
  if (role == Qt::FontRole && index.column() == OperatorColumn) return Theme::current().font(FontRole::Mono);
  if (role == Qt::ToolTipRole) return item.fix.isEmpty() ? item.reason : tr("%1\n%2").arg(item.reason, item.fix);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case OperatorColumn:
      return item.op;
    case CountColumn:
      return item.count;
    case ReasonColumn:
      return item.reason;
    case WhereColumn:
      return item.where;
    case FixColumn:
      return item.fix;
    default:
      return {};
  }
}

QVariant LeftOutModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case OperatorColumn:
      return tr("Left out");
    case CountColumn:
      return tr("Count");
    case ReasonColumn:
      return tr("Why");
    case WhereColumn:
      return tr("Where");
    case FixColumn:
      return tr("What would help");
    default:
      return {};
  }
}

}  // namespace exportdeck::gui
