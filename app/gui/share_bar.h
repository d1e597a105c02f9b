// Parts of a whole as one bar, and below it what each part is and how much.
#pragma once

#include <QWidget>

#include "gui/icons.h"

namespace exportdeck::gui {

class ShareBar : public QWidget {
  Q_OBJECT
 public:
  struct Part {
    QString name;
    qint64 bytes = 0;
    Ink ink = Ink::Accent;
  };
  explicit ShareBar(const QString& name, QWidget* parent = nullptr);
  void setParts(const QList<Part>& parts);  // empty ones are left out
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int lineHeight() const;
  QList<Part> parts_;
};

}  // namespace exportdeck::gui
