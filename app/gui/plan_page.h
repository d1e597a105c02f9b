// The plan of the program: the memory it takes, what its file is made of, and the kernels that the runtime must have.
#pragma once

#include <QWidget>

#include "gui/export_report.h"

class QLabel;
class QListView;
class QStackedLayout;
class QStringListModel;

namespace exportdeck::gui {

class ShareBar;

class PlanPage : public QWidget {
  Q_OBJECT
 public:
  explicit PlanPage(QWidget* parent = nullptr);
  void setReport(const ExportReport& report);
  void clear();

 private:
  QWidget* makeNumbers();
  QWidget* makeKernels();

  QStackedLayout* pages_;
  QLabel* arena_ = nullptr;
  QLabel* file_ = nullptr;
  QLabel* kernelCount_ = nullptr;
  ShareBar* arenaBar_ = nullptr;
  ShareBar* fileBar_ = nullptr;
  QStringListModel* kernels_;
  QListView* list_ = nullptr;
};

}  // namespace exportdeck::gui
