// Numbers, sizes and times as the window writes them.
#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>

namespace exportdeck::gui {

QString groupedNumber(qint64 number);        // "134 515 008", with thin spaces
QString byteSize(qint64 bytes);              // "542.0 MB": decimal units
QString duration(double seconds);            // "<1 ms", "4 ms", "0.34 s", "2 min 05 s"
QString timeText(const QDateTime& when);     // "12:04", of another day "1 Dec, 12:04"
QString percent(double part, double whole);  // "97.8 %"; "0 %" where the whole is 0
// "[1, 3, s0]"
QString shapeText(const QStringList& dimensions);
// The text with a full stop, unless it ends with a mark of its own or an empty setting ("key=").
QString sentence(const QString& text);
QString capitalised(QString text);
// A path with the home folder as "~".
QString shortPath(const QString& path);

}  // namespace exportdeck::gui
