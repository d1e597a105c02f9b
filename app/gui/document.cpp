#include "gui/document.h"

#include <QDataStream>
#include <QFileInfo>
#include <QSplitter>
#include <QStackedLayout>

#include "gui/backend_model.h"
#include "gui/check_bar.h"
#include "gui/export_report.h"
#include "gui/failed_page.h"
#include "gui/log_view.h"
#include "gui/options_model.h"
#include "gui/options_panel.h"
#include "gui/outcome_pane.h"
#include "gui/output_bar.h"
#include "gui/settings.h"
#include "gui/setup_pane.h"
#include "gui/source_panel.h"
#include "gui/texts.h"

namespace exportdeck::gui {
namespace {

QString why(const Diagnostic& problem) {
  QStringList parts;
  if (!problem.why.empty()) parts << sentence(QString::fromStdString(problem.why));
  if (!problem.fixes.empty()) parts << sentence(capitalised(QString::fromStdString(problem.fixes.front())));
  return parts.join(QLatin1Char(' '));
}

constexpr int kMeasureDelay = 200;  // ms without a key

QSplitter* splitter(Qt::Orientation orientation, QWidget* parent) {
  auto* made = new QSplitter(orientation, parent);
  made->setHandleWidth(1);
  made->setChildrenCollapsible(false);
  return made;
}

}  // namespace

// Each part is made inside its parent: putting a whole pane elsewhere styles all of its widgets again, which takes
// long.
Document::Document(const options::Catalogue& catalogue, QWidget* parent)
    : QWidget(parent),
      rows_(splitter(Qt::Vertical, this)),
      columns_(splitter(Qt::Horizontal, rows_)),
      source_(new SourcePanel(columns_)),
      setup_(new SetupPane(catalogue, columns_)),
      outcome_(new OutcomePane(rows_)),
      pages_(new QStackedLayout(this)) {
  columns_->setStretchFactor(0, 0);
  columns_->setStretchFactor(1, 1);
  columns_->setSizes({264, 900});
  rows_->setStretchFactor(0, 3);
  rows_->setStretchFactor(1, 2);
  rows_->setSizes({560, 260});
  pages_->addWidget(rows_);
  connectParts();
  outcome_->watch(process_);
}

void Document::connectParts() {
  connect(setup_, &SetupPane::settingsChanged, this, [this] { outcome_->setSettings(setup_->settings()); });
  connect(setup_, &SetupPane::exportWanted, this, &Document::startExport);
  connect(setup_, &SetupPane::cancelWanted, this, &Document::cancelExport);
  connect(setup_, &SetupPane::allReset, this, [this](int count) {
    emit told({Tone::Info,
               count == 1 ? tr("1 option reset") : tr("%1 options reset").arg(count),
               {},
               {{tr("Undo"), [this] { setup_->options().restore(); }}}});
  });
  connect(&setup_->options(), &OptionsPanel::told, this, &Document::told);
  connect(&outcome_->log(), &LogView::saved, this,
          [this](const QString& path) { emit told({Tone::Success, tr("The log is saved"), shortPath(path), {}}); });
  connect(&outcome_->log(), &LogView::saveFailed, this, [this](const QString& path, const QString& reason) {
    emit told({Tone::Error, tr("The log cannot be saved to %1").arg(shortPath(path)), reason, {}});
  });
  connect(outcome_, &OutcomePane::changeWanted, this, &Document::applyChange);
  connect(&inspector_, &services::ToolRunner::finished, this, &Document::inspected);
  connect(&process_, &services::ExportProcess::finished, this, &Document::ended);
  measureSoon_.setSingleShot(true);
  measureSoon_.setInterval(kMeasureDelay);
  connect(setup_, &SetupPane::edited, &measureSoon_, qOverload<>(&QTimer::start));
  connect(&measureSoon_, &QTimer::timeout, this, &Document::measureBounds);
  connect(&measurer_, &services::ToolRunner::finished, this, [this](const QJsonObject& answer, int exitCode) {
    if (exitCode == static_cast<int>(ExitCode::Done)) setup_->options().setBoundBytes(BoundBytes::fromJson(answer));
  });
}

QString Document::name() const {
  return QFileInfo(path_).fileName();
}

void Document::setState(State state) {
  state_ = state;
  emit stateChanged();
}

QByteArray Document::arrangement() const {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream << rows_->saveState() << columns_->saveState();
  return bytes;
}

void Document::setArrangement(const QByteArray& arrangement) {
  QByteArray rows, columns;
  QDataStream stream(arrangement);
  stream >> rows >> columns;
  rows_->restoreState(rows);
  columns_->restoreState(columns);
}

void Document::open(const QString& path) {
  if (state_ == State::Blank)
    setup_->check().setVerification(settingSwitch(Setting::RunAfterExport) ? QStringLiteral("run")
                                                                           : QStringLiteral("none"));
  // Read again, the page stays until it is known whether it helped.
  if (state_ == State::Failed && path == path_)
    failedPage().showTrying();
  else
    pages_->setCurrentWidget(rows_);
  path_ = path;
  emit messageOver();
  source_->showReading(path_);
  setup_->setSource(path_, false);
  outcome_->setSource(path_);
  outcome_->clear();
  setState(State::Reading);
  inspector_.start({QStringLiteral("inspect"), path_});
}

void Document::inspected(const QJsonObject& answer, int exitCode) {
  if (exitCode != static_cast<int>(ExitCode::Done)) {
    return openFailed(diagnosticIn(answer, QStringLiteral("error"))
                          .value_or(Diagnostic{Code::Fault,
                                               Severity::Error,
                                               tr("The file could not be read (code %1).").arg(exitCode).toStdString(),
                                               {},
                                               {},
                                               {}}));
  }
  const SourceSummary summary = SourceSummary::fromJson(answer);
  if (summary.kind != QLatin1String("pt2")) {
    return openFailed({Code::ArchiveFormat,
                       Severity::Error,
                       tr("%1 is a finished program, no model to export.").arg(name()).toStdString(),
                       {},
                       {},
                       {tr("Open the .pt2 file that it was made from.").toStdString()}});
  }
  pages_->setCurrentWidget(rows_);
  source_->showSummary(summary);
  setup_->options().setSizes(summary.sizes);
  setup_->options().setBoundBytes(summary.boundBytes);
  measured_.clear();
  setup_->setSource(path_, true);
  setState(State::Ready);
  emit opened();
}

void Document::measureBounds() {
  const QString bounds = setup_->options().bounds();
  if (state_ == State::Blank || state_ == State::Reading || state_ == State::Failed || bounds == measured_) return;
  measured_ = bounds;
  QStringList arguments{QStringLiteral("inspect"), path_};
  for (const QString& bound : bounds.split(QLatin1Char(','), Qt::SkipEmptyParts))
    arguments << QStringLiteral("--bound") << bound;
  measurer_.start(arguments);
}

FailedPage& Document::failedPage() {
  if (failed_) return *failed_;
  failed_ = new FailedPage;
  pages_->addWidget(failed_);
  connect(failed_, &FailedPage::chooseWanted, this, &Document::openAnotherWanted);
  connect(failed_, &FailedPage::againWanted, this, [this] { open(path_); });
  return *failed_;
}

void Document::openFailed(const Diagnostic& problem) {
  FailedPage& page = failedPage();
  page.showProblem(path_, problem);
  pages_->setCurrentWidget(&page);
  if (isVisible()) page.setFocus();
  setState(State::Failed);
}

void Document::startExport() {
  if (isExporting() || path_.isEmpty() || state_ == State::Failed) return;
  setup_->output().recheck();
  const QString reason = setup_->blockReason();
  if (!reason.isEmpty()) {
    outcome_->notStarted(reason);
    emit told({Tone::Warning, tr("Not exported: %1").arg(reason), setup_->blockDetail(), {}});
    setup_->showBlocker();
    return;
  }
  if (setup_->output().exists() && !setup_->output().replaces()) return askReplace();
  emit messageOver();
  const services::ExportJob job = setup_->job();
  setup_->setExporting(true);
  outcome_->begin(job.commandLine(), setup_->options().exportModel().settings());
  process_.start(job);
  setState(State::Exporting);
}

void Document::askReplace() {
  const QString file = QFileInfo(setup_->output().path()).fileName();
  emit told({Tone::Warning,
             tr("%1 exists already.").arg(file),
             {},
             {{tr("Replace"),
               [this] {
                 setup_->output().setReplaces(true);
                 startExport();
               }},
              {tr("Choose another name…"), [this] { setup_->output().browse(); }}}});
}

void Document::applyChange(const OptionChange& change) {
  if (isExporting()) return;
  if (change.key == QLatin1String("backend")) {
    const QString before = setup_->backends().backend();
    if (setup_->backends().setBackend(change.value))
      changed(tr("The backend is %1 now").arg(change.value), [this, before] { setup_->backends().setBackend(before); });
    return;
  }
  OptionsModel& model = setup_->options().exportModel();
  const QModelIndex index = model.index(model.rowOf(change.key), OptionsModel::ValueColumn);
  if (!index.isValid()) {
    return emit told({Tone::Warning, tr("This backend has no option %1").arg(change.key), {}, {}});
  }
  const QVariant before = index.data(Qt::EditRole);
  const bool isSwitch = before.typeId() == QMetaType::Bool;
  const QVariant value = isSwitch ? QVariant(change.value == QLatin1String("true")) : QVariant(change.value);
  model.setData(index, value, Qt::EditRole);
  changed(
      change.value.isEmpty() ? tr("%1 is empty now").arg(change.key) : tr("%1 is %2 now").arg(change.key, change.value),
      [this, key = change.key, before] {
        OptionsModel& options = setup_->options().exportModel();
        options.setData(options.index(options.rowOf(key), OptionsModel::ValueColumn), before, Qt::EditRole);
      });
}

void Document::changed(const QString& what, std::function<void()> undo) {
  emit told({Tone::Info, what, {}, {{tr("Undo"), std::move(undo)}, {tr("Export again"), [this] { startExport(); }}}});
}

void Document::cancelExport() {
  if (!isExporting()) return;
  setup_->setCancelling();
  process_.cancel();
}

void Document::ended(const QJsonObject& report, int exitCode) {
  setup_->setExporting(false);
  const bool done = exitCode == static_cast<int>(ExitCode::Done);
  const bool cancelled = exitCode == static_cast<int>(ExitCode::Cancelled);
  // The next export of this model replaces what this one wrote: the ticked box says so.
  if (done) setup_->output().setReplaces(true);
  setState(done ? State::Done : cancelled ? State::Stopped : State::NotExported);
  emit exportEnded();
  if (done || cancelled || closeWanted) return;
  if (const auto problem = diagnosticIn(report, QStringLiteral("error")))
    emit told({Tone::Error, QString::fromStdString(problem->message), why(*problem), {{tr("Details"), [this] {
                                                                                         outcome_->showDiagnostics();
                                                                                       }}}});
}

}  // namespace exportdeck::gui
