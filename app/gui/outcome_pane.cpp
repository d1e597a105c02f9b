#include "gui/outcome_pane.h"

#include <QFileInfo>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "gui/coverage_page.h"
#include "gui/diagnostics_model.h"
#include "gui/diagnostics_page.h"
#include "gui/earlier_note.h"
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
      stages_(new StageBar(this)),
      tabs_(new QTabWidget(this)),
      result_(new ResultPage),
      coverage_(new CoveragePage),
      diagnostics_(new DiagnosticsPage),
      plan_(new PlanPage),
      log_(new LogView) {
  makeTabs();
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

void OutcomePane::makeTabs() {
  tabs_->setObjectName(QStringLiteral("outcomeTabs"));
  tabs_->setDocumentMode(true);
  setProperty("look", "panel");
  setAttribute(Qt::WA_StyledBackground);
  const auto noted = [this](QWidget* page) {
    auto* note = new EarlierNote;
    connect(note, &EarlierNote::diagnosticsWanted, this, &OutcomePane::showDiagnostics);
    notes_.append(note);
    return withNote(note, page);
  };
  tabs_->addTab(noted(result_), tr("Result"));
  tabs_->addTab(noted(coverage_), tr("Coverage"));
  tabs_->addTab(diagnostics_, tr("Diagnostics"));
  tabs_->addTab(noted(plan_), tr("Plan"));
  tabs_->addTab(log_, tr("Log"));
  tabs_->setAccessibleName(tr("Outcome"));
  nameWidget(tabs_->tabBar(), tr("Result, coverage, diagnostics, plan and log"));
  tabs_->tabBar()->setToolTip(QString());
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
  started_ = settings_;
  attempt_ = Attempt::Running;
  diagnostics_->model().clear();
  tabs_->setCurrentIndex(ResultTab);
  stages_->begin();
  result_->showRunning();
  refreshEarlier();
  log_->model().append(LogLevel::Info, commandLine);
}

void OutcomePane::clear() {
  shown_.reset();
  attempt_ = Attempt::None;
  diagnostics_->model().clear();
  coverage_->clear();
  plan_->clear();
  stages_->setPlan({});
  result_->showNothing();
  refreshEarlier();
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
  shown_ = Shown{report, past.mid(0, settingNumber(Setting::KeptExports)), started_};
  attempt_ = Attempt::None;
  result_->showDone(report, shown_->past);
  coverage_->setReport(report);
  plan_->setReport(report);
  refreshEarlier();
}

// Nothing new came of it: what was there before is shown again, as what it is.
void OutcomePane::endWithout(Attempt attempt, const QString& reason) {
  attempt_ = attempt;
  reason_ = reason;
  if (shown_) result_->showDone(shown_->report, shown_->past);
  refreshEarlier();
}

void OutcomePane::setSettings(const Settings& settings) {
  if (settings == settings_) return;
  settings_ = settings;
  // What stood in the way may be gone.
  if (attempt_ == Attempt::NotStarted) attempt_ = Attempt::None;
  refreshEarlier();
}

void OutcomePane::notStarted(const QString& reason) {
  attempt_ = Attempt::NotStarted;
  reason_ = reason;
  refreshEarlier();
}

// "Backend, Buffer alignment and 2 more", or "".
QString OutcomePane::changedSince() const {
  constexpr int kNamed = 3;
  QStringList names;
  for (const Settings* one : {&shown_->settings, &settings_})
    for (auto at = one->begin(); at != one->end(); ++at)
      if (shown_->settings.value(at.key()) != settings_.value(at.key()) && !names.contains(at.key())) names << at.key();
  names.sort();
  const qsizetype more = names.size() - kNamed;
  const QString named = names.mid(0, kNamed).join(QLatin1String(", "));
  return more > 0 ? tr("%1 and %2 more").arg(named).arg(more) : named;
}

QString OutcomePane::earlierText() const {
  if (!shown_) return {};
  const QString when = timeText(shown_->past.front().when);
  switch (attempt_) {
    case Attempt::NotStarted:
      return tr("This is the export of %1; the next one was not started: %2").arg(when, sentence(reason_));
    case Attempt::Running:
      return tr("This is the export of %1; a new one is running.").arg(when);
    case Attempt::Cancelled:
      return tr("This is the export of %1; the last one was cancelled.").arg(when);
    case Attempt::Refused:
      return tr("This is the export of %1; the last one was refused: %2").arg(when, sentence(reason_));
    case Attempt::Failed:
      return tr("This is the export of %1; the last one failed: %2").arg(when, sentence(reason_));
    case Attempt::None:
      break;
  }
  const QString changed = changedSince();
  return changed.isEmpty() ? QString() : tr("This is the export of %1. Changed since: %2.").arg(when, changed);
}

void OutcomePane::refreshEarlier() {
  const QString text = earlierText();
  const bool diagnostics = attempt_ == Attempt::Refused || attempt_ == Attempt::Failed;
  for (EarlierNote* note : notes_) note->tell(text, diagnostics && !text.isEmpty());
  // The result's own page shows what is running.
  if (attempt_ == Attempt::Running) notes_.front()->tell({}, false);
  if (shown_ && attempt_ != Attempt::Running) result_->setEarlier(!text.isEmpty());
  // A number on a tab is read as today's.
  const bool current = shown_ && text.isEmpty();
  tabs_->setTabText(CoverageTab, current
                                     ? tr("Coverage %1").arg(percent(shown_->report.delegated, shown_->report.nodes))
                                     : tr("Coverage"));
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
    return endWithout(Attempt::Cancelled, {});
  }
  stages_->end(StageBar::State::Failed);
  const auto problem = diagnosticIn(report, QStringLiteral("error"));
  const Diagnostic told = problem.value_or(Diagnostic{
      Code::Fault, Severity::Error, tr("The export ended with code %1.").arg(exitCode).toStdString(), {}, {}, {}});
  result_->showFailed(told);
  const bool refused = exitCode == static_cast<int>(ExitCode::Unsupported) ||
                       exitCode == static_cast<int>(ExitCode::Usage) ||
                       exitCode == static_cast<int>(ExitCode::BadInput);
  endWithout(refused ? Attempt::Refused : Attempt::Failed, QString::fromStdString(told.message));
  // What failed stays in view, opened.
  const DiagnosticsModel& model = diagnostics_->model();
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.at(row).severity == Severity::Error) diagnostics_->select(row);
  tabs_->setCurrentIndex(DiagnosticsTab);
}

void OutcomePane::showDiagnostics() {
  tabs_->setCurrentIndex(DiagnosticsTab);
}

}  // namespace exportdeck::gui
