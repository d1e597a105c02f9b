// A quiet line at the head of a page: what is shown below is of an earlier export, and why.
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace exportdeck::gui {

class ElidedLabel;

class EarlierNote : public QFrame {
  Q_OBJECT
 public:
  explicit EarlierNote(QWidget* parent = nullptr);
  // Nothing to say: it is hidden. With `diagnostics` a button leads to them.
  void tell(const QString& text, bool diagnostics);
  QString text() const;

 signals:
  void diagnosticsWanted();

 private:
  QLabel* symbol_;
  ElidedLabel* text_;
  QPushButton* see_;
};

// The page with the note above it.
QWidget* withNote(EarlierNote* note, QWidget* page);

}  // namespace exportdeck::gui
