#include "gui/widgets.h"

#include <QAbstractItemView>
#include <QHeaderView>
#include <QPainter>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTableView>
#include <utility>

namespace exportdeck::gui {

void nameWidget(QWidget* widget, const QString& name) {
  widget->setAccessibleName(name);
  if (widget->toolTip().isEmpty()) widget->setToolTip(name);
}

QPixmap iconPixmap(const QString& name, Ink ink, const QWidget* widget) {
  const qreal ratio = widget->devicePixelRatioF();
  QPixmap picture(QSize(grid::kIcon, grid::kIcon) * ratio);
  picture.setDevicePixelRatio(ratio);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  paintIcon(painter, QRect(0, 0, grid::kIcon, grid::kIcon), name, ink);
  return picture;
}

QPushButton* textButton(const QIcon& icon, const QString& text, const QString& name) {
  auto* button = new QPushButton(icon, text);
  button->setIconSize({grid::kIcon + grid::kUnit, grid::kIcon});
  button->setAccessibleName(name);
  return button;
}

QToolButton* iconButton(const QString& iconName, const QString& name) {
  auto* button = new QToolButton;
  button->setIcon(icon(iconName));
  button->setIconSize({grid::kIcon, grid::kIcon});
  button->setFocusPolicy(Qt::StrongFocus);
  nameWidget(button, name);
  return button;
}

void useFont(QWidget* widget, FontRole role) {
  widget->setProperty(Theme::kFontRole, static_cast<int>(role));
  Theme::current().dress(*widget);
}

void holdWidth(QWidget* widget, int least, int most) {
  widget->setProperty(Theme::kWidths, QSize(least, most));
  Theme::current().dress(*widget);
}

QLabel* label(const QString& text, FontRole role, const char* look) {
  auto* made = new QLabel(text);
  useFont(made, role);
  if (look) made->setProperty("look", look);
  return made;
}

QLabel* rowCaption(const QString& text, QWidget* field) {
  QLabel* caption = label(text, FontRole::Strong);
  caption->setBuddy(field);
  const auto fit = [caption] { caption->setMinimumWidth(caption->fontMetrics().averageCharWidth() * 10); };
  QObject::connect(&Theme::current(), &Theme::changed, caption, fit);
  fit();
  return caption;
}

void ListCombo::showPopup() {
  if (!std::exchange(prepared_, true)) {
    // The one that Qt puts there does not ask the style sheet.
    setItemDelegate(new QStyledItemDelegate(this));
    view()->setAccessibleName(listName_);
  }
  QComboBox::showPopup();
}

void prepareTable(QTableView* table, const char* look) {
  table->setProperty("look", look);
  table->setShowGrid(false);
  table->setTabKeyNavigation(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setWordWrap(false);
  table->verticalHeader()->hide();
  const auto fit = [table] { table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().lineSpacing() + 10); };
  QObject::connect(&Theme::current(), &Theme::changed, table, fit);
  fit();
  table->horizontalHeader()->setHighlightSections(false);
}

QFrame* rule() {
  auto* line = new QFrame;
  line->setFixedHeight(1);
  line->setProperty("look", "rule");
  return line;
}

void setLook(QWidget* widget, const char* property, const QVariant& value) {
  const QVariant before = widget->property(property);
  if (before == value || (!before.isValid() && value == QVariant(false))) return;
  widget->setProperty(property, value);
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
  widget->update();
}

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget* parent) : QLabel(parent), mode_(mode) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setFullText(const QString& text) {
  full_ = text;
  setToolTip(text);
  setAccessibleName(text);
  updateGeometry();
  update();
}

QSize ElidedLabel::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 4, fontMetrics().height()};
}

QSize ElidedLabel::sizeHint() const {
  // Words are measured in fractions of pixels before they are shortened.
  return {fontMetrics().horizontalAdvance(full_) + 2, fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QString shown = fontMetrics().elidedText(full_, mode_, width());
  painter.setPen(palette().color(foregroundRole()));
  painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, shown);
}

}  // namespace exportdeck::gui
