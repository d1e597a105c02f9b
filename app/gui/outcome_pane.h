// What happens and what came of it: the stages, and below them the result, the diagnostics and the log.
#pragma once

#include <QWidget>

#include "gui/export_report.h"
#include "services/export_process.h"

class QTabWidget;

namespace exportdeck::gui {

class DiagnosticsPage;
class LogView;
class ResultPage;
class StageBar;

class OutcomePane : public QWidget {
  Q_OBJECT
 public:
  explicit OutcomePane(QWidget* parent = nullptr);

  void watch(services::ExportProcess& process);
  void begin(const QString& commandLine);
  void clear();
  // The error is also listed among the diagnostics.
  void showProblem(const Diagnostic& problem);
  void showDiagnostics();

  StageBar& stages() const { return *stages_; }
  ResultPage& result() const { return *result_; }
  DiagnosticsPage& diagnostics() const { return *diagnostics_; }
  LogView& log() const { return *log_; }
  QTabWidget& tabs() const { return *tabs_; }

 public slots:
  void end(const QJsonObject& report, int exitCode);

 private:
  enum Tab { ResultTab, DiagnosticsTab, LogTab };
  void addDiagnostic(const Diagnostic& diagnostic);

  StageBar* stages_;
  QTabWidget* tabs_;
  ResultPage* result_;
  DiagnosticsPage* diagnostics_;
  LogView* log_;
};

}  // namespace exportdeck::gui
