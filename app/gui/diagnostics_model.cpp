#include "gui/diagnostics_model.h"

#include <algorithm>

#include "gui/export_report.h"
#include "gui/icons.h"

namespace exportdeck::gui {
namespace {

QIcon severityIcon(Severity severity) {
  switch (severity) {
    case Severity::Info:
      return icon(QStringLiteral("info"), Ink::Accent);
    case Severity::Warning:
      return icon(QStringLiteral("warning"), Ink::Warning);
    case Severity::Error:
      return icon(QStringLiteral("error"), Ink::Error);
  }
  return {};
}

bool isSame(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.message == b.message && a.where.op == b.where.op && a.where.node == b.where.node;
}

}  // namespace

QString severityWord(Severity severity) {
  switch (severity) {
    case Severity::Info:
      return DiagnosticsModel::tr("Info");
    case Severity::Warning:
      return DiagnosticsModel::tr("Warning");
    case Severity::Error:
      return DiagnosticsModel::tr("Error");
  }
  return {};
}

void DiagnosticsModel::add(const Diagnostic& diagnostic) {
  const auto same =
      std::find_if(list_.begin(), list_.end(), [&](const Diagnostic& known) { return isSame(known, diagnostic); });
  if (same != list_.end()) {
    same->occurrences += diagnostic.occurrences;
    const int row = static_cast<int>(same - list_.begin());
    emit dataChanged(index(row, CountColumn), index(row, CountColumn));
    return;
  }
  beginInsertRows({}, rowCount(), rowCount());
  list_.push_back(diagnostic);
  endInsertRows();
}

void DiagnosticsModel::clear() {
  beginResetModel();
  list_.clear();
  endResetModel();
}

int DiagnosticsModel::count(Severity severity) const {
  return static_cast<int>(
      std::count_if(list_.begin(), list_.end(), [&](const Diagnostic& item) { return item.severity == severity; }));
}

int DiagnosticsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(list_.size());
}

int DiagnosticsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant DiagnosticsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Diagnostic& item = at(index.row());
  if (role == Qt::DecorationRole && index.column() == SeverityColumn) return severityIcon(item.severity);
  if (role == Qt::ToolTipRole) return QString::fromStdString(item.text());
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case SeverityColumn:
      return severityWord(item.severity);
    case MessageColumn:
      return QString::fromStdString(item.message);
    case WhereColumn:
      return placeText(item.where);
    case CountColumn:
      return item.occurrences > 1 ? tr("× %1").arg(item.occurrences) : QString();
    default:
      return {};
  }
}

QVariant DiagnosticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case SeverityColumn:
      return tr("Severity");
    case MessageColumn:
      return tr("What");
    case WhereColumn:
      return tr("Where");
    case CountColumn:
      return tr("Count");
    default:
      return {};
  }
}

}  // namespace exportdeck::gui
