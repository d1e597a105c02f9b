// Two profiles side by side.
#pragma once

#include <QWidget>

#include "options/profile.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace exportdeck::gui {

class ComparisonModel;

class ComparePage : public QWidget {
  Q_OBJECT
 public:
  struct Side {
    QString name;
    options::Profile profile;
  };
  ComparePage(QList<Side> sides, int left, int right);
  // The two to begin with: those wanted where they differ, else `left` and the first that differs from it; where none
  // does, those wanted.
  static std::pair<int, int> usefulPair(const QList<Side>& sides, int left, int right);
  const ComparisonModel& model() const { return *model_; }

 signals:
  void closeWanted();

 private:
  void refresh();

  QList<Side> sides_;
  ComparisonModel* model_;
  QComboBox* choices_[2];
  QCheckBox* onlyDifferences_;
  QLabel* count_;
  QLabel* nothing_;  // in place of rows
};

}  // namespace exportdeck::gui
