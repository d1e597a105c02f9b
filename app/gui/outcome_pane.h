// What happens and what came of it: the stages, and below them the result, what was delegated, the
// diagnostics, the plan and the log.
#pragma once

#include <QWidget>

#include "gui/export_report.h"
#include "gui/option_change.h"
#include "services/export_process.h"

class QTabWidget;

namespace exportdeck::gui {

class CoveragePage;
class DiagnosticsPage;
class LogView;
class PlanPage;
class ResultPage;
class StageBar;

class OutcomePane : public QWidget {
  Q_OBJECT
 public:
  enum Tab { ResultTab, CoverageTab, DiagnosticsTab, PlanTab, LogTab };
  explicit OutcomePane(QWidget* parent = nullptr);

  void watch(services::ExportProcess& process);
  // `changed`: "key=value" of the options that differ from their defaults, for comparing with later exports.
  void begin(const QString& commandLine, const QStringList& changed);
  // The model that is open; what it shows is of this one.
  void setSource(const QString& path);
  void clear();
  // The error is also listed among the diagnostics.
  void showProblem(const Diagnostic& problem);
  void showDiagnostics();

  StageBar& stages() const { return *stages_; }
  ResultPage& result() const { return *result_; }
  CoveragePage& coverage() const { return *coverage_; }
  PlanPage& plan() const { return *plan_; }
  DiagnosticsPage& diagnostics() const { return *diagnostics_; }
  LogView& log() const { return *log_; }
  QTabWidget& tabs() const { return *tabs_; }

 signals:
  void changeWanted(const exportdeck::gui::OptionChange& change);

 public slots:
  void end(const QJsonObject& report, int exitCode);

 private:
  void addDiagnostic(const Diagnostic& diagnostic);
  void showDone(const ExportReport& report);

  StageBar* stages_;
  QTabWidget* tabs_;
  ResultPage* result_;
  CoveragePage* coverage_;
  DiagnosticsPage* diagnostics_;
  PlanPage* plan_;
  LogView* log_;
  QString source_;
  QStringList changed_;
};

}  // namespace exportdeck::gui
