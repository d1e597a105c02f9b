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

// "66.2 kB (+3.1 %)": against the newest.
QString HistoryModel::compared(double value, double newest, const QString& text) const {
  if (newest <= 0.0 || qFuzzyCompare(value, newest)) return text;
  const double change = 100.0 * (value / newest - 1.0);
  if (qAbs(change) < 0.05) return text;
  const QString sign = change > 0.0 ? QStringLiteral("+") : QStringLiteral("−");
  return tr("%1  (%2%3 %)").arg(text, sign, QLocale().toString(qAbs(change), 'f', 1));
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const PastExport& past = list_[index.row()];
  const PastExport& newest = list_.front();
  if (role == Qt::FontRole && index.row() == 0) return Theme::current().font(FontRole::Strong);
  if (role == Qt::ToolTipRole)
    return index.column() == ChangedColumn ? past.changed.join(QLatin1Char('\n')) : shortPath(past.output);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case WhenColumn:
      return index.row() == 0 ? tr("now, %1").arg(past.when.toString(QStringLiteral("HH:mm")))
                              : QLocale().toString(past.when, past.when.date() == QDate::currentDate()
                                                                  ? QStringLiteral("HH:mm:ss")
                                                                  : QStringLiteral("d MMM, HH:mm"));
    case BackendColumn:
      return past.backend;
    case SizeColumn:
      return compared(static_cast<double>(past.bytes), static_cast<double>(newest.bytes), byteSize(past.bytes));
    case ArenaColumn:
      return compared(static_cast<double>(past.arena), static_cast<double>(newest.arena), byteSize(past.arena));
    case TimeColumn:
      return duration(past.seconds);
    case DelegatedColumn:
      return percent(past.delegated, 1.0);
    case ChangedColumn:
      return past.changed.isEmpty() ? tr("all options at their defaults") : past.changed.join(QLatin1String(", "));
    default:
      return {};
  }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
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
