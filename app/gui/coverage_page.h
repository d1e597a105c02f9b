// What was delegated and what not: a table in three countings, and beside it why the chosen row was left out.
#pragma once

#include <QWidget>

#include "gui/export_report.h"
#include "gui/option_change.h"

class QLabel;
class QLineEdit;
class QTabBar;
class QTableView;

namespace exportdeck::gui {

class CoverageFilter;
class CoverageModel;
class DetailPane;

class CoveragePage : public QWidget {
  Q_OBJECT
 public:
  explicit CoveragePage(QWidget* parent = nullptr);
  void setReport(const ExportReport& report);
  void clear();
  void setSourceFolder(const QString& folder);
  CoverageModel& model() const { return *model_; }

 signals:
  void changeWanted(const exportdeck::gui::OptionChange& change);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeTools();
  void makeTable();
  void chooseView(int view);
  void showRow();
  void refresh();
  void fitColumns();

  CoverageModel* model_;
  CoverageFilter* filter_;
  QTabBar* views_ = nullptr;
  QLineEdit* search_ = nullptr;
  QTableView* table_;
  QLabel* nothing_;
  DetailPane* detail_;
  bool exported_ = false;
  bool delegates_ = false;
};

}  // namespace exportdeck::gui
