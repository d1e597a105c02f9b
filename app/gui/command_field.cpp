#include "gui/command_field.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionFrame>

#include "gui/theme.h"

namespace exportdeck::gui {

CommandField::CommandField(QWidget* parent) : QLineEdit(parent) {
  setReadOnly(true);
}

void CommandField::setCommand(const QString& command) {
  if (command == text()) return;
  setText(command);
  setCursorPosition(0);
  setToolTip(command);
}

QRect CommandField::textRect() const {
  QStyleOptionFrame option;
  initStyleOption(&option);
  return style()->subElementRect(QStyle::SE_LineEditContents, &option, this).adjusted(2, 0, -2, 0);
}

QString CommandField::shownText() const {
  return hasFocus() ? text() : fontMetrics().elidedText(text(), Qt::ElideMiddle, textRect().width());
}

void CommandField::paintEvent(QPaintEvent* event) {
  // Who came here by keys scrolls through it and copies a part.
  if (hasFocus()) return QLineEdit::paintEvent(event);
  QStyleOptionFrame option;
  initStyleOption(&option);
  QPainter painter(this);
  style()->drawPrimitive(QStyle::PE_PanelLineEdit, &option, &painter, this);
  painter.setPen(isEnabled() ? colors().text : colors().disabled);
  painter.drawText(textRect(), Qt::AlignVCenter | Qt::AlignLeft, shownText());
}

}  // namespace exportdeck::gui
