#include "gui/coverage_model.h"

#include "gui/icons.h"
#include "gui/texts.h"
#include "gui/theme.h"

namespace exportdeck::gui {
namespace {

// "451 584 (99.7 %)": how much, and which part of the whole.
QString amount(double part, double whole, const QString& text) {
  return part <= 0.0 ? QStringLiteral("–") : CoverageModel::tr("%1 (%2)").arg(text, percent(part, whole));
}

QString reasonText(const CoverageModel::Row& row) {
  if (row.leftOut.isEmpty()) return {};
  const QString first = row.leftOut.front().reason;
  return row.leftOut.size() == 1 ? first : CoverageModel::tr("%1; and %2 more").arg(first).arg(row.leftOut.size() - 1);
}

QString moduleText(const Origin& where) {
  if (!where.modulePath.empty()) return QString::fromStdString(where.modulePath);
  return where.node.empty() ? QString() : CoverageModel::tr("node %1").arg(QString::fromStdString(where.node));
}

// Line 9 comes before line 10.
QString lineKey(const CoverageModel::Row& row) {
  if (row.leftOut.isEmpty()) return {};
  const Origin& where = row.leftOut.front().origin;
  return QStringLiteral("%1:%2")
      .arg(QString::fromStdString(where.sourceFile))
      .arg(where.sourceLine, 9, 10, QChar(u'0'));
}

QIcon shareIcon(const CoverageModel::Row& row) {
  if (row.delegated == row.total) return icon(QStringLiteral("done"), Ink::Success);
  return row.delegated == 0 ? icon(QStringLiteral("skipped"), Ink::Warning)
                            : icon(QStringLiteral("info"), Ink::Warning);
}

}  // namespace

void CoverageModel::setReport(const ExportReport& report) {
  report_ = report;
  fill();
}

void CoverageModel::setView(View view) {
  view_ = view;
  fill();
}

void CoverageModel::fill() {
  beginResetModel();
  rows_.clear();
  if (view_ == View::LeftOut) {
    for (const LeftOut& item : report_.leftOut)
      rows_.append({item.op, item.count, 0, item.multiplyAdds, item.bytes, {item}});
  }
  const bool byModule = view_ == View::Modules;
  if (view_ != View::LeftOut) {
    for (const CoverageGroup& group : byModule ? report_.modules : report_.operators) {
      Row row{group.name, group.total, group.delegated, group.multiplyAdds, group.bytes, {}};
      for (const LeftOut& item : report_.leftOut) {
        const QString key = byModule ? QString::fromStdString(item.origin.modulePath) : item.op;
        if (key == group.name && row.delegated < row.total) row.leftOut.append(item);
      }
      if (row.name.isEmpty()) row.name = tr("(outside modules)");
      rows_.append(row);
    }
  }
  endResetModel();
}

int CoverageModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CoverageModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant CoverageModel::text(const Row& row, int column) const {
  switch (column) {
    case NameColumn:
      return row.name;
    case DelegatedColumn:
      // What was left out is delegated nowhere.
      return view_ == View::LeftOut ? groupedNumber(row.total)
                                    : tr("%1 of %2").arg(groupedNumber(row.delegated), groupedNumber(row.total));
    case WorkColumn:
      return amount(row.multiplyAdds, report_.multiplyAdds, groupedNumber(static_cast<qint64>(row.multiplyAdds)));
    case BytesColumn:
      return amount(row.bytes, report_.resultBytes, byteSize(static_cast<qint64>(row.bytes)));
    case ReasonColumn:
      return reasonText(row);
    case ModuleColumn:
      return row.leftOut.isEmpty() ? QString() : moduleText(row.leftOut.front().origin);
    case LineColumn:
      return row.leftOut.isEmpty() ? QString() : lineText(row.leftOut.front().origin);
    default:
      return {};
  }
}

QVariant CoverageModel::sortKey(const Row& row, int column) const {
  switch (column) {
    case DelegatedColumn:
      if (view_ == View::LeftOut) return row.total;
      return row.total > 0 ? static_cast<double>(row.delegated) / row.total - row.total * 1e-9 : 0.0;
    case WorkColumn:
      return row.multiplyAdds;
    case BytesColumn:
      return row.bytes;
    case LineColumn:
      return lineKey(row);
    default:
      return text(row, column);
  }
}

QVariant CoverageModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = at(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return text(row, index.column());
    case kSortRole:
      return sortKey(row, index.column());
    case Qt::ToolTipRole:
      return text(row, index.column());
    case Qt::FontRole:
      return index.column() == NameColumn ? QVariant(Theme::current().font(FontRole::Mono)) : QVariant();
    case Qt::DecorationRole:
      return index.column() == DelegatedColumn && view_ != View::LeftOut ? QVariant(shareIcon(row)) : QVariant();
    default:
      return {};
  }
}

QVariant CoverageModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case NameColumn:
      return view_ == View::Modules ? tr("Module") : tr("Operator");
    case DelegatedColumn:
      return view_ == View::LeftOut ? tr("Nodes") : tr("Delegated");
    case WorkColumn:
      return tr("Multiply-adds");
    case BytesColumn:
      return tr("Result bytes");
    case ReasonColumn:
      return tr("Why not");
    case ModuleColumn:
      return tr("Module");
    case LineColumn:
      return tr("Line");
    default:
      return {};
  }
}

CoverageFilter::CoverageFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(CoverageModel::kSortRole);
  setSortCaseSensitivity(Qt::CaseInsensitive);
}

void CoverageFilter::setText(const QString& text) {
  text_ = text.trimmed();
  invalidateFilter();
}

bool CoverageFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  if (text_.isEmpty()) return true;
  Q_UNUSED(parent)
  const CoverageModel::Row& words = static_cast<const CoverageModel*>(sourceModel())->at(row);
  const auto has = [this](const QString& text) { return text.contains(text_, Qt::CaseInsensitive); };
  if (has(words.name)) return true;
  return std::any_of(words.leftOut.begin(), words.leftOut.end(), [&](const LeftOut& item) {
    return has(item.reason) || has(moduleText(item.origin)) || has(lineText(item.origin)) || has(item.op);
  });
}

}  // namespace exportdeck::gui
