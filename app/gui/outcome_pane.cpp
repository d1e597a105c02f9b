#include "gui/outcome_pane.h"

#include <QFileInfo>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "gui/coverage_page.h"
#include "gui/diagnostics_model.h"
#include "gui/diagnostics_page.h"
#include "gui/log_model.h"
#include "gui/log_view.h"
#include "gui/plan_page.h"
#include "gui/result_page.h"
#include "gui/settings.h"
#include "gui/stage_bar.h"
#include "gui/texts.h"
#include "gui/widgets.h"

namespace exportdeck::gui {
namespace {

LogLevel logLevelOf(Severity severity) {
  switch (severity) {
    case Severity::Info:
      return LogLevel::Info;
    case Severity::Warning:
      return LogLevel::Warning;
    case Severity::Error:
      return LogLevel::Error;
  }
  return LogLevel::Error;
}

}  // namespace

OutcomePane::OutcomePane(QWidget* parent)
    : QWidget(parent),
      stages_(new StageBar),
      tabs_(new QTabWidget),
      result_(new ResultPage),
      coverage_(new CoveragePage),
      diagnostics_(new DiagnosticsPage),
      plan_(new PlanPage),
      log_(new LogView) {
  tabs_->setObjectName(QStringLiteral("outcomeTabs"));
  tabs_->setDocumentMode(true);
  setProperty("look", "panel");
  setAttribute(Qt::WA_StyledBackground);
  tabs_->addTab(result_, tr("Result"));
  tabs_->addTab(coverage_, tr("Coverage"));
  tabs_->addTab(diagnostics_, tr("Diagnostics"));
  tabs_->addTab(plan_, tr("Plan"));
  tabs_->addTab(log_, tr("Log"));
  tabs_->setAccessibleName(tr("Outcome"));
  nameWidget(tabs_->tabBar(), tr("Result, coverage, diagnostics, plan and log"));
  tabs_->tabBar()->setToolTip(QString());
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(stages_);
  column->addWidget(tabs_, 1);
  connect(diagnostics_, &DiagnosticsPage::countChanged, this, [this](int count) {
    tabs_->setTabText(DiagnosticsTab, count == 0 ? tr("Diagnostics") : tr("Diagnostics %1").arg(count));
  });
  connect(result_, &ResultPage::coverageWanted, this, [this] { tabs_->setCurrentIndex(CoverageTab); });
  connect(coverage_, &CoveragePage::changeWanted, this, &OutcomePane::changeWanted);
  connect(diagnostics_, &DiagnosticsPage::changeWanted, this, &OutcomePane::changeWanted);
  connect(result_, &ResultPage::detailsWanted, this, &OutcomePane::showDiagnostics);
}

void OutcomePane::watch(services::ExportProcess& process) {
  using services::ExportProcess;
  connect(&process, &ExportProcess::planReceived, stages_, &StageBar::setPlan);
  connect(&process, &ExportProcess::stageStarted, stages_, &StageBar::start);
  connect(&process, &ExportProcess::stageAdvanced, stages_, &StageBar::advance);
  connect(&process, &ExportProcess::stageFinished, stages_, &StageBar::finish);
  connect(&process, &ExportProcess::stageStarted, this,
          [this](const QString& stage) { log_->model().append(LogLevel::Info, tr("%1…").arg(stageTitle(stage))); });
  connect(&process, &ExportProcess::stageFinished, this, [this](const QString& stage, double seconds) {
    log_->model().append(LogLevel::Info, tr("%1: done in %2").arg(stageTitle(stage), duration(seconds)));
  });
  connect(&process, &ExportProcess::logLine, this,
          [this](LogLevel level, const QString& text) { log_->model().append(level, text); });
  connect(&process, &ExportProcess::diagnostic, this, &OutcomePane::addDiagnostic);
  connect(&process, &ExportProcess::finished, this, &OutcomePane::end);
}

void OutcomePane::addDiagnostic(const Diagnostic& diagnostic) {
  diagnostics_->model().add(diagnostic);
  log_->model().append(logLevelOf(diagnostic.severity), QString::fromStdString(diagnostic.text()));
}

void OutcomePane::setSource(const QString& path) {
  source_ = path;
  const QString folder = QFileInfo(path).absolutePath();
  coverage_->setSourceFolder(folder);
  diagnostics_->setSourceFolder(folder);
}

void OutcomePane::begin(const QString& commandLine, const QStringList& changed) {
  changed_ = changed;
  clear();
  stages_->begin();
  result_->showRunning();
  log_->model().append(LogLevel::Info, commandLine);
}

void OutcomePane::clear() {
  diagnostics_->model().clear();
  coverage_->clear();
  plan_->clear();
  tabs_->setTabText(CoverageTab, tr("Coverage"));
  stages_->setPlan({});
  result_->showNothing();
  tabs_->setCurrentIndex(ResultTab);
}

void OutcomePane::showDone(const ExportReport& report) {
  const double share = report.nodes > 0 ? static_cast<double>(report.delegated) / report.nodes : 0.0;
  const PastExport now{QDateTime::currentDateTime(),
                       report.path,
                       report.backend,
                       changed_,
                       report.bytes,
                       report.plan.arena,
                       report.seconds,
                       share};
  QList<PastExport> past = pastExports(source_);
  past.prepend(now);
  if (!rememberExport(source_, now, settingNumber(Setting::KeptExports)))
    log_->model().append(LogLevel::Warning,
                         tr("This export could not be kept for comparing, in %1").arg(stateFolder()));
  result_->showDone(report, past.mid(0, settingNumber(Setting::KeptExports)));
  coverage_->setReport(report);
  plan_->setReport(report);
  tabs_->setTabText(CoverageTab, tr("Coverage %1").arg(percent(report.delegated, report.nodes)));
}

void OutcomePane::end(const QJsonObject& report, int exitCode) {
  log_->model().flush();
  if (exitCode == static_cast<int>(ExitCode::Done)) {
    stages_->end(StageBar::State::Done);
    showDone(ExportReport::fromJson(report));
    return;
  }
  if (exitCode == static_cast<int>(ExitCode::Cancelled)) {
    stages_->end(StageBar::State::Stopped);
    result_->showCancelled();
    return;
  }
  stages_->end(StageBar::State::Failed);
  const auto problem = diagnosticIn(report, QStringLiteral("error"));
  result_->showFailed(problem.value_or(Diagnostic{
      Code::Fault, Severity::Error, tr("The export ended with code %1.").arg(exitCode).toStdString(), {}, {}, {}}));
  // What failed stays in view, opened.
  const DiagnosticsModel& model = diagnostics_->model();
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.at(row).severity == Severity::Error) diagnostics_->select(row);
  tabs_->setCurrentIndex(DiagnosticsTab);
}

void OutcomePane::showProblem(const Diagnostic& problem) {
  addDiagnostic(problem);
  diagnostics_->select(diagnostics_->model().rowCount() - 1);
}

void OutcomePane::showDiagnostics() {
  tabs_->setCurrentIndex(DiagnosticsTab);
}

}  // namespace exportdeck::gui
