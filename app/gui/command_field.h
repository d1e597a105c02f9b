// A command line that is shown, selected and copied, not typed: shortened in the middle where it does not fit, whole
// in its tool tip and while it has the focus.
#pragma once

#include <QLineEdit>

namespace exportdeck::gui {

class CommandField : public QLineEdit {
  Q_OBJECT
 public:
  explicit CommandField(QWidget* parent = nullptr);
  void setCommand(const QString& command);
  QString shownText() const;  // as it is painted now

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QRect textRect() const;
};

}  // namespace exportdeck::gui
