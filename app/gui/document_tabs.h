// The open models as tabs: their names, what each is doing, and a way to close them.
#pragma once

#include <QTabBar>

#include "gui/document.h"

namespace exportdeck::gui {

class DocumentTabs : public QTabBar {
  Q_OBJECT
 public:
  explicit DocumentTabs(QWidget* parent = nullptr);

  int add(const Document& document);  // returns its index
  void update(int index, const Document& document);
  void step(int by);  // to the next or the one before, round the ends

 signals:
  void closeWanted(int index);

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  QSize tabSizeHint(int index) const override;
  QSize minimumTabSizeHint(int index) const override;

 private:
  int pressed_ = -1;  // by the middle button
};

}  // namespace exportdeck::gui
