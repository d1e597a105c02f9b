#include "gui/texts.h"

#include <QCoreApplication>
#include <QDir>
#include <QLocale>

namespace exportdeck::gui {
namespace {

const QChar kThinSpace(0x2009);

QString tr(const char* text) {
  return QCoreApplication::translate("exportdeck::gui::Texts", text);
}

QString withUnit(const QString& number, const QString& unit) {
  return number + kThinSpace + unit;
}

}  // namespace

QString groupedNumber(qint64 number) {
  QString digits = QString::number(number);
  const qsizetype first = number < 0 ? 1 : 0;
  for (qsizetype at = digits.size() - 3; at > first; at -= 3) digits.insert(at, kThinSpace);
  return digits;
}

QString byteSize(qint64 bytes) {
  if (bytes < 1000) return withUnit(QString::number(bytes), bytes == 1 ? tr("byte") : tr("bytes"));
  static const char* const units[] = {"kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes) / 1000.0;
  int unit = 0;
  while (value >= 999.95 && unit < 3) {
    value /= 1000.0;
    ++unit;
  }
  return withUnit(QLocale().toString(value, 'f', 1), QLatin1String(units[unit]));
}

QString duration(double seconds) {
  if (seconds > 0.0 && seconds < 0.0005) return withUnit(QStringLiteral("<1"), tr("ms"));
  if (seconds < 0.0995) return withUnit(QString::number(qMax(0, qRound(seconds * 1000.0))), tr("ms"));
  if (seconds < 9.995) return withUnit(QLocale().toString(seconds, 'f', 2), tr("s"));
  if (seconds < 59.95) return withUnit(QLocale().toString(seconds, 'f', 1), tr("s"));
  const int whole = qRound(seconds);
  return tr("%1 min %2 s").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
}

QString timeText(const QDateTime& when) {
  const bool today = when.date() == QDate::currentDate();
  return QLocale().toString(when, today ? QStringLiteral("HH:mm") : QStringLiteral("d MMM, HH:mm"));
}

QString percent(double part, double whole) {
  const double share = whole > 0.0 ? 100.0 * part / whole : 0.0;
  // What is not all must not read as all.
  const double shown = part < whole ? qMin(share, 99.9) : share;
  if (share > 0.0 && share < 0.05)
    return withUnit(QStringLiteral("<%1").arg(QLocale().toString(0.1, 'f', 1)), QStringLiteral("%"));
  const bool round = shown <= 0.0 || shown >= 100.0;
  return withUnit(QLocale().toString(shown, 'f', round ? 0 : 1), QStringLiteral("%"));
}

QString shapeText(const QStringList& dimensions) {
  return QLatin1Char('[') + dimensions.join(QLatin1String(", ")) + QLatin1Char(']');
}

QString sentence(const QString& text) {
  return text.isEmpty() || QStringLiteral(".?!…:=").contains(text.back()) ? text : text + QLatin1Char('.');
}

QString capitalised(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QString shortPath(const QString& path) {
  const QString home = QDir::homePath();
  return home.size() > 1 && path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size()) : path;
}

}  // namespace exportdeck::gui
