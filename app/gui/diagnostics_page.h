// The list of diagnostics, and beside it the whole of the one that is chosen.
#pragma once

#include <QWidget>

#include "base/diagnostic.h"
#include "gui/option_change.h"

class QStackedLayout;
class QTableView;

namespace exportdeck::gui {

class DetailPane;
class DiagnosticsModel;

class DiagnosticsPage : public QWidget {
  Q_OBJECT
 public:
  explicit DiagnosticsPage(QWidget* parent = nullptr);
  DiagnosticsModel& model() const { return *model_; }
  void select(int row);
  void setSourceFolder(const QString& folder);  // relative source files are looked for from here

 signals:
  void countChanged(int count);
  void changeWanted(const exportdeck::gui::OptionChange& change);

 private:
  void show(int row);
  void rowsChanged();

  DiagnosticsModel* model_;
  QStackedLayout* pages_;
  QTableView* table_;
  DetailPane* detail_;
};

// The diagnostic as rich text: message, why, where, source line, what to do.
QString diagnosticHtml(const Diagnostic& diagnostic, const QString& sourceFolder);

}  // namespace exportdeck::gui
