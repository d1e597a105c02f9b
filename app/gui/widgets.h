// Small helpers for building the window's parts.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QToolButton>

#include "gui/icons.h"
#include "gui/theme.h"

class QTableView;

namespace exportdeck::gui {

// Names a widget for assistive technology, and for the pointer where it has no text of its own.
void nameWidget(QWidget* widget, const QString& name);
QPixmap iconPixmap(const QString& name, Ink ink, const QWidget* widget);
// A button with an icon and words.
QPushButton* textButton(const QIcon& icon, const QString& text, const QString& name);
QToolButton* iconButton(const QString& iconName, const QString& name);
// A font of the theme, also after the text size was changed.
void useFont(QWidget* widget, FontRole role);
// The widget's least and greatest width, in pixels at a text size of 100 %.
void holdWidth(QWidget* widget, int least, int most = QWIDGETSIZE_MAX);
QLabel* label(const QString& text, FontRole role = FontRole::Body, const char* look = nullptr);
// The caption of a row of the form: all are of one width, so that the fields line up.
QLabel* rowCaption(const QString& text, QWidget* field);
// A table of rows to choose from, without a grid, for reading.
void prepareTable(QTableView* table, const char* look = "bare");
QFrame* rule();  // a thin horizontal line
// A dynamic property that the style sheet looks at.
void setLook(QWidget* widget, const char* property, const QVariant& value);

// A combo box whose list looks like the other lists. The list is made when it is first opened: that takes a while.
class ListCombo : public QComboBox {
  Q_OBJECT
 public:
  explicit ListCombo(const QString& listName) : listName_(listName) {}
  void showPopup() override;

 private:
  QString listName_;
  bool prepared_ = false;
};

// A label of one line that shortens its text in the middle; the whole of it is its tool tip and accessible name.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(Qt::TextElideMode mode = Qt::ElideMiddle, QWidget* parent = nullptr);
  void setFullText(const QString& text);
  const QString& fullText() const { return full_; }
  QSize minimumSizeHint() const override;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString full_;
  Qt::TextElideMode mode_;
};

}  // namespace exportdeck::gui
