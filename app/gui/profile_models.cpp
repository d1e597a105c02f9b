#include "gui/profile_models.h"

#include <QIcon>

#include "gui/icons.h"
#include "gui/options_model.h"
#include "gui/texts.h"
#include "gui/theme.h"

namespace exportdeck::gui {

namespace {

QString shown(const options::ProfileRow& row, const std::optional<options::OptionValue>& value) {
  if (!value) return ComparisonModel::tr("no such option");
  return row.spec ? optionValueText(*row.spec, *value) : QString::fromStdString(options::formatValue(*value));
}

}  // namespace

void ComparisonModel::setProfiles(const options::Profile& left, const options::Profile& right, bool onlyDifferences) {
  beginResetModel();
  rows_.clear();
  differences_ = 0;
  onlyDifferences_ = onlyDifferences;
  left_ = QString::fromStdString(left.name);
  right_ = QString::fromStdString(right.name);
  for (const options::ProfileRow& row : options::compareProfiles(left, right)) {
    differences_ += row.same() ? 0 : 1;
    if (onlyDifferences && row.same()) continue;
    rows_.push_back({QString::fromStdString(row.title), QString::fromStdString(row.key), shown(row, row.left),
                     shown(row, row.right), row.same()});
  }
  endResetModel();
}

int ComparisonModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[index.row()];
  if (role == Qt::FontRole && !row.same && !onlyDifferences_) return Theme::current().font(FontRole::Strong);
  if (role == Qt::ToolTipRole) return row.key;
  if (role == Qt::DecorationRole && index.column() == RightColumn && !row.same)
    return icon(QStringLiteral("differs"), Ink::Accent);
  if (role == Qt::AccessibleTextRole)
    return row.same ? tr("%1: %2 in both").arg(row.title, row.left)
                    : tr("%1: %2 and %3").arg(row.title, row.left, row.right);
  if (role != Qt::DisplayRole) return {};
  return index.column() == SettingColumn ? row.title : index.column() == LeftColumn ? row.left : row.right;
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  return section == SettingColumn ? tr("Setting") : section == LeftColumn ? left_ : right_;
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(problems_.size());
}

int ProblemsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const options::ProfileProblem& problem = problems_[static_cast<size_t>(index.row())];
  const QString reason = sentence(capitalised(QString::fromStdString(problem.reason)));
  const QString key = QString::fromStdString(problem.key);
  if (role == Qt::ToolTipRole) return index.column() == ReasonColumn ? reason : QVariant();
  if (role == Qt::AccessibleTextRole && index.column() == WhereColumn) return tr("%1: %2").arg(key, reason);
  if (role == Qt::DecorationRole && index.column() == WhereColumn) return icon(QStringLiteral("error"), Ink::Error);
  const bool isValue = index.column() == WhereColumn || (index.column() == GivenColumn && !problem.given.empty()) ||
                       (index.column() == TakenColumn && !problem.taken.empty());
  if (role == Qt::FontRole && isValue) return Theme::current().font(FontRole::Mono);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case WhereColumn:
      return key;
    case GivenColumn:
      return problem.given.empty() ? tr("—") : QString::fromStdString(problem.given);
    case TakenColumn:
      return problem.taken.empty() ? tr("left out") : QString::fromStdString(problem.taken);
    default:
      return reason;
  }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  const QString titles[] = {tr("Where"), tr("What stands there"), tr("Taken instead"), tr("Why")};
  return titles[section];
}

}  // namespace exportdeck::gui
