#include "gui/export_history.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QSaveFile>

#include "gui/settings.h"
#include "gui/texts.h"
#include "gui/theme.h"

namespace exportdeck::gui {
namespace {

QString historyFile(const QString& source) {
  const QByteArray hash = QCryptographicHash::hash(source.toUtf8(), QCryptographicHash::Sha256).toHex().left(24);
  return QStringLiteral("%1/exports/%2.json").arg(stateFolder(), QString::fromLatin1(hash));
}

QJsonObject toJson(const PastExport& past) {
  return {{QStringLiteral("when"), past.when.toUTC().toString(Qt::ISODateWithMs)},
          {QStringLiteral("output"), past.output},
          {QStringLiteral("backend"), past.backend},
          {QStringLiteral("changed"), QJsonArray::fromStringList(past.changed)},
          {QStringLiteral("bytes"), past.bytes},
          {QStringLiteral("arena"), past.arena},
          {QStringLiteral("seconds"), past.seconds},
          {QStringLiteral("delegated"), past.delegated}};
}

PastExport fromJson(const QJsonObject& json) {
  PastExport past;
  past.when = QDateTime::fromString(json[QLatin1String("when")].toString(), Qt::ISODateWithMs).toLocalTime();
  past.output = json[QLatin1String("output")].toString();
  past.backend = json[QLatin1String("backend")].toString();
  for (const QJsonValue& item : json[QLatin1String("changed")].toArray()) past.changed << item.toString();
  past.bytes = json[QLatin1String("bytes")].toInteger();
  past.arena = json[QLatin1String("arena")].toInteger();
  past.seconds = json[QLatin1String("seconds")].toDouble();
  past.delegated = json[QLatin1String("delegated")].toDouble();
  return past;
}

}  // namespace

QList<PastExport> pastExports(const QString& source) {
  QFile file(historyFile(source));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QList<PastExport> list;
  for (const QJsonValue& item : QJsonDocument::fromJson(file.readAll()).object()[QLatin1String("exports")].toArray()) {
    const PastExport past = fromJson(item.toObject());
    if (past.when.isValid()) list.append(past);
  }
  return list;
}

bool rememberExport(const QString& source, const PastExport& past, int most) {
  QJsonArray items{toJson(past)};
  for (const PastExport& item : pastExports(source))
    if (items.size() < most) items.append(toJson(item));
  const QJsonObject whole{{QStringLiteral("source"), source}, {QStringLiteral("exports"), items}};
  QDir().mkpath(stateFolder() + QStringLiteral("/exports"));
  QSaveFile file(historyFile(source));
  return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(whole).toJson()) > 0 && file.commit();
}

void HistoryModel::setExports(const QList<PastExport>& list) {
  beginResetModel();
  list_ = list;
  endResetModel();
}

int HistoryModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(list_.size());
}

int HistoryModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : Columns;
}

void HistoryModel::setEarlier(bool earlier) {
  if (earlier == earlier_) return;
  earlier_ = earlier;
  if (!list_.isEmpty()) emit dataChanged(index(0, 0), index(0, Columns - 1));
}

namespace {

double numberIn(const PastExport& past, int column) {
  switch (column) {
    case HistoryModel::SizeColumn:
      return static_cast<double>(past.bytes);
    case HistoryModel::ArenaColumn:
      return static_cast<double>(past.arena);
    case HistoryModel::TimeColumn:
      return past.seconds;
    default:
      return past.delegated;
  }
}

QString signedNumber(double number) {
  const QString sign = number > 0.0 ? QStringLiteral("+") : QStringLiteral("−");
  return sign + QLocale().toString(qAbs(number), 'f', 1);
}

}  // namespace

QString HistoryModel::change(int row, int column) const {
  if (column < SizeColumn || column > DelegatedColumn || row + 1 >= list_.size()) return {};
  const double now = numberIn(list_[row], column), before = numberIn(list_[row + 1], column);
  // A share is compared by its points: from 50 % to 100 % is no change by 100 %.
  const bool isShare = column == DelegatedColumn;
  if (!isShare && before <= 0.0) return now > 0.0 ? tr("before: none") : QString();
  const double by = isShare ? 100.0 * (now - before) : 100.0 * (now / before - 1.0);
  if (qAbs(by) < 0.05) return {};
  return isShare ? tr("%1 points").arg(signedNumber(by)) : tr("%1 %").arg(signedNumber(by));
}

QString HistoryModel::text(int row, int column) const {
  const PastExport& past = list_[row];
  switch (column) {
    case WhenColumn:
      if (row == 0 && !earlier_) return tr("now, %1").arg(timeText(past.when));
      return past.when.date() == QDate::currentDate() ? QLocale().toString(past.when, QStringLiteral("HH:mm:ss"))
                                                      : timeText(past.when);
    case BackendColumn:
      return past.backend;
    case SizeColumn:
      return byteSize(past.bytes);
    case ArenaColumn:
      return byteSize(past.arena);
    case TimeColumn:
      return duration(past.seconds);
    case DelegatedColumn:
      return percent(past.delegated, 1.0);
    default:
      return past.changed.isEmpty() ? tr("all options at their defaults") : past.changed.join(QLatin1String(", "));
  }
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const PastExport& past = list_[index.row()];
  if (role == Qt::FontRole && index.row() == 0 && !earlier_) return Theme::current().font(FontRole::Strong);
  const QString by = change(index.row(), index.column());
  if (role == Qt::ToolTipRole) {
    if (!by.isEmpty()) return tr("%1 against the export before it: %2").arg(by, text(index.row() + 1, index.column()));
    return index.column() == ChangedColumn ? past.changed.join(QLatin1Char('\n')) : shortPath(past.output);
  }
  if (role != Qt::DisplayRole) return {};
  const QString words = text(index.row(), index.column());
  return by.isEmpty() ? words : tr("%1  (%2)").arg(words, by);
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section >= SizeColumn && section <= DelegatedColumn)
    return tr("In brackets: the change against the export before, one row below");
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case WhenColumn:
      return tr("Exports of this model");
    case BackendColumn:
      return tr("Backend");
    case SizeColumn:
      return tr("Size");
    case ArenaColumn:
      return tr("Memory");
    case TimeColumn:
      return tr("Time");
    case DelegatedColumn:
      return tr("Delegated");
    case ChangedColumn:
      return tr("Changed options");
    default:
      return {};
  }
}

}  // namespace exportdeck::gui
