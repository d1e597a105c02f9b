// A list as lines, each of its own: ticked where the items are given, typed where they are free.
#pragma once

#include <QFrame>

#include "options/option_set.h"

class QListWidget;
class QListWidgetItem;

namespace exportdeck::gui {

// Shows itself below `anchor`, its parent, and goes when something else is clicked or Escape is pressed. Deletes
// itself.
class ListPopup : public QFrame {
  Q_OBJECT
 public:
  ListPopup(const options::OptionSpec& spec, const QString& words, QWidget* anchor);

 signals:
  void changed(const QString& words);  // as parseValue reads them; at each change

 private:
  QListWidgetItem* addLine(const QString& text, bool ticked);
  void add();
  void remove();
  void tell();

  bool free_;
  bool filling_ = false;
  QListWidget* list_;
};

}  // namespace exportdeck::gui
