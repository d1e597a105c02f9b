#include "gui/log_model.h"

#include <QTime>

namespace exportdeck::gui {

QString levelWord(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return LogModel::tr("debug");
    case LogLevel::Info:
      return LogModel::tr("info");
    case LogLevel::Warning:
      return LogModel::tr("warning");
    case LogLevel::Error:
      return LogModel::tr("error");
  }
  return {};
}

LogModel::LogModel(QObject* parent) : QAbstractListModel(parent) {
  timer_.setInterval(60);
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &LogModel::flush);
}

void LogModel::append(LogLevel level, const QString& text) {
  const QString time = QTime::currentTime().toString(QStringLiteral("HH:mm:ss.zzz"));
  for (const QString& line : text.split(QLatin1Char('\n'))) pending_.push_back({time, level, line});
  while (pending_.size() > kMaxLines) pending_.pop_front();
  if (!timer_.isActive()) timer_.start();
}

void LogModel::flush() {
  if (pending_.empty()) return;
  const int fresh = static_cast<int>(pending_.size());
  const int over = qMin(rowCount(), rowCount() + fresh - kMaxLines);
  if (over > 0) {
    beginRemoveRows({}, 0, over - 1);
    lines_.erase(lines_.begin(), lines_.begin() + over);
    endRemoveRows();
  }
  beginInsertRows({}, rowCount(), rowCount() + fresh - 1);
  lines_.insert(lines_.end(), std::make_move_iterator(pending_.begin()), std::make_move_iterator(pending_.end()));
  pending_.clear();
  endInsertRows();
}

void LogModel::clear() {
  beginResetModel();
  lines_.clear();
  pending_.clear();
  endResetModel();
}

int LogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Line& line = lines_[static_cast<size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return line.text;
    case Qt::AccessibleTextRole:
      return tr("%1: %2").arg(levelWord(line.level), line.text);
    case LevelRole:
      return static_cast<int>(line.level);
    case LineRole:
      return QStringLiteral("%1  %2  %3").arg(line.time, levelWord(line.level).leftJustified(7), line.text);
    case Qt::ToolTipRole:
      return line.text.size() > 80 ? line.text : QString();
    default:
      return {};
  }
}

void LogFilter::setLevel(LogLevel atLeast) {
  level_ = atLeast;
  invalidateFilter();
}

void LogFilter::setText(const QString& text) {
  text_ = text.trimmed();
  invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex index = sourceModel()->index(row, 0, parent);
  if (index.data(LogModel::LevelRole).toInt() < static_cast<int>(level_)) return false;
  return text_.isEmpty() || index.data(Qt::DisplayRole).toString().contains(text_, Qt::CaseInsensitive);
}

}  // namespace exportdeck::gui
