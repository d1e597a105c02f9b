// What happens and what came of it: the stages, and below them the result, what was delegated, the
// diagnostics, the plan and the log.
#pragma once

#include <QDateTime>
#include <QMap>
#include <QWidget>
#include <optional>

#include "gui/export_history.h"
#include "gui/export_report.h"
#include "gui/option_change.h"
#include "services/export_process.h"

class QTabWidget;

namespace exportdeck::gui {

class CoveragePage;
class DiagnosticsPage;
class EarlierNote;
class LogView;
class PlanPage;
class ResultPage;
class StageBar;

class OutcomePane : public QWidget {
  Q_OBJECT
 public:
  enum Tab { ResultTab, CoverageTab, DiagnosticsTab, PlanTab, LogTab };
  // What an export is set to: what people call it, and its value.
  using Settings = QMap<QString, QString>;
  explicit OutcomePane(QWidget* parent = nullptr);

  // Of the tabs Qt does not count the frame that the style sheet gives them.
  QSize minimumSizeHint() const override { return QWidget::minimumSizeHint() + QSize(0, 4); }
  void watch(services::ExportProcess& process);
  // `changed`: "key=value" of the options that differ from their defaults, for comparing with later exports.
  void begin(const QString& commandLine, const QStringList& changed);
  // What is set now. A result of other settings is marked as the earlier one.
  void setSettings(const Settings& settings);
  // An export was asked for and not started.
  void notStarted(const QString& reason);
  // The model that is open; what it shows is of this one.
  void setSource(const QString& path);
  void clear();
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
  enum class Attempt { None, NotStarted, Running, Cancelled, Refused, Failed };
  // The last export that came to its end: it stays in view while later ones do not.
  struct Shown {
    ExportReport report;
    QList<PastExport> past;  // it is the first of them
    Settings settings;
  };
  void makeTabs();
  void addDiagnostic(const Diagnostic& diagnostic);
  void showDone(const ExportReport& report);
  void endWithout(Attempt attempt, const QString& reason);
  QString changedSince() const;
  QString earlierText() const;  // "" while what is shown is current
  void refreshEarlier();

  StageBar* stages_;
  QTabWidget* tabs_;
  ResultPage* result_;
  CoveragePage* coverage_;
  DiagnosticsPage* diagnostics_;
  PlanPage* plan_;
  LogView* log_;
  QList<EarlierNote*> notes_;
  QString source_;
  QStringList changed_;
  Settings settings_, started_;
  std::optional<Shown> shown_;
  Attempt attempt_ = Attempt::None;
  QString reason_;  // of the attempt
};

}  // namespace exportdeck::gui
