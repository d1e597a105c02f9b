// Vector icons drawn in the colours of the theme.
#pragma once

#include <QIcon>
#include <QPixmap>

namespace exportdeck::gui {

// What an icon's lines are drawn in; resolved when it is painted, so that it follows a change of the theme.
enum class Ink { Text, Secondary, Accent, OnAccent, Error, Warning, Success, Disabled };

// `name` is a file of app/gui/icons without its ending. A disabled widget draws it in Ink::Disabled.
QIcon icon(const QString& name, Ink ink = Ink::Secondary);
QColor inkColor(Ink ink);
void paintIcon(QPainter& painter, const QRect& rect, const QString& name, Ink ink);
// The application's own mark, in its own colours.
QIcon applicationIcon();

}  // namespace exportdeck::gui
