// What the selected option means, what it takes, and where the facts come from.
#pragma once

#include <QFrame>
#include <QModelIndex>

class QLabel;

namespace exportdeck::gui {

class OptionExplainer : public QFrame {
  Q_OBJECT
 public:
  explicit OptionExplainer(QWidget* parent = nullptr);
  // A row of an OptionsModel or of a filter before it; an invalid index asks for a choice.
  void show(const QModelIndex& row);

 private:
  QLabel* title_;
  QLabel* facts_;
  QLabel* meaning_;
  QLabel* note_;
  QLabel* source_;
};

}  // namespace exportdeck::gui
