// The list of diagnostics, and beside it the whole of the one that is chosen.
#pragma once

#include <QWidget>

#include "base/diagnostic.h"

class QStackedLayout;
class QTableView;
class QTextBrowser;

namespace exportdeck::gui {

class DiagnosticsModel;

class DiagnosticsPage : public QWidget {
  Q_OBJECT
 public:
  explicit DiagnosticsPage(QWidget* parent = nullptr);
  DiagnosticsModel& model() const { return *model_; }
  void select(int row);

 signals:
  void countChanged(int count);

 private:
  void show(int row);
  void rowsChanged();

  DiagnosticsModel* model_;
  QStackedLayout* pages_;
  QTableView* table_;
  QTextBrowser* detail_;
};

// The diagnostic as rich text: message, why, where, source line, what to do.
QString diagnosticHtml(const Diagnostic& diagnostic);

}  // namespace exportdeck::gui
