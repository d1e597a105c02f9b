// Opening a model and exporting it.
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QToolButton>

#include "gui/backend_model.h"
#include "gui/empty_page.h"
#include "gui/export_report.h"
#include "gui/main_window.h"
#include "gui/message_bar.h"
#include "gui/outcome_pane.h"
#include "gui/output_bar.h"
#include "gui/profile_bar.h"
#include "gui/setup_pane.h"
#include "gui/source_panel.h"
#include "gui/texts.h"
#include "gui/widgets.h"
#include "gui/window_settings.h"

namespace exportdeck::gui {
namespace {

constexpr int kMaxRecent = 5;

QString why(const Diagnostic& problem) {
  QStringList parts;
  if (!problem.why.empty()) parts << sentence(QString::fromStdString(problem.why));
  if (!problem.fixes.empty()) parts << sentence(capitalised(QString::fromStdString(problem.fixes.front())));
  return parts.join(QLatin1Char(' '));
}

}  // namespace

void MainWindow::openDialog() {
  auto* dialog =
      new QFileDialog(this, tr("Open a model"), path_.isEmpty() ? QDir::homePath() : QFileInfo(path_).absolutePath(),
                      tr("Exported PyTorch programs (*.pt2);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::open);
  dialog->open();
}

void MainWindow::open(const QString& path) {
  if (isExporting()) {
    messages_->show(
        {Tone::Warning, tr("An export is running."), tr("Open another model when it is done, or cancel it."), {}});
    return;
  }
  path_ = QFileInfo(path).absoluteFilePath();
  messages_->dismiss();
  pages_->setCurrentIndex(1);
  source_->showReading(path_);
  setup_->setSource(path_, false);
  outcome_->clear();
  setWindowTitle(tr("%1 — ExportDeck").arg(QFileInfo(path_).fileName()));
  inspector_.start({QStringLiteral("inspect"), path_});
}

void MainWindow::inspected(const QJsonObject& answer, int exitCode) {
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
    return openFailed(
        {Code::ArchiveFormat,
         Severity::Error,
         tr("%1 is a finished program, no model to export.").arg(QFileInfo(path_).fileName()).toStdString(),
         {},
         {},
         {tr("Open the .pt2 file that it was made from.").toStdString()}});
  }
  source_->showSummary(summary);
  setup_->setSource(path_, true);
  setup_->backends().setFocus();
  remember(path_);
}

void MainWindow::openFailed(const Diagnostic& problem) {
  source_->showFailed(path_);
  outcome_->showProblem(problem);
  messages_->show(
      {Tone::Error,
       QString::fromStdString(problem.message),
       why(problem),
       {{tr("Open another…"), [this] { openDialog(); }}, {tr("Details"), [this] { outcome_->showDiagnostics(); }}}});
}

// The sample lives in the program; an export needs a file.
void MainWindow::openSample() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/samples");
  const QString path = folder + QStringLiteral("/digits.pt2");
  QFile inside(QStringLiteral(":/gui/samples/digits.pt2"));
  const bool same = QFileInfo(path).size() == inside.size();
  if (!same) {
    QFile::remove(path);
    if (!QDir().mkpath(folder) || !inside.copy(path)) {
      messages_->show(
          {Tone::Error, tr("The sample cannot be written to %1.").arg(shortPath(folder)), inside.errorString(), {}});
      return;
    }
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther);
  }
  open(path);
}

void MainWindow::remember(const QString& path) {
  QSettings settings = windowSettings();
  QStringList recent = settings.value(QStringLiteral("recent")).toStringList();
  if (!path.isEmpty()) {
    recent.removeAll(path);
    recent.prepend(path);
    recent = recent.mid(0, kMaxRecent);
    settings.setValue(QStringLiteral("recent"), recent);
  }
  empty_->setRecent(recent);
  recent_->setEnabled(!recent.isEmpty());
  auto* menu = new QMenu(recent_);
  for (const QString& item : recent) menu->addAction(shortPath(item), this, [this, item] { open(item); });
  if (QMenu* old = recent_->menu()) old->deleteLater();
  recent_->setMenu(menu);
}

void MainWindow::startExport() {
  if (isExporting() || path_.isEmpty()) return;
  setup_->output().recheck();
  const QString reason = setup_->blockReason();
  if (!reason.isEmpty()) {
    const QString detail = setup_->blockDetail();
    messages_->show({Tone::Warning, tr("Not exported: %1").arg(reason), detail, {}});
    setup_->showBlocker();
    return;
  }
  if (setup_->output().exists() && !setup_->output().replaces()) return askReplace();
  messages_->dismiss();
  const services::ExportJob job = setup_->job();
  setup_->setExporting(true);
  profiles_->setEnabled(false);
  outcome_->begin(job.commandLine());
  process_.start(job);
}

void MainWindow::askReplace() {
  const QString name = QFileInfo(setup_->output().path()).fileName();
  messages_->show({Tone::Warning,
                   tr("%1 exists already.").arg(name),
                   {},
                   {{tr("Replace"),
                     [this] {
                       setup_->output().setReplaces(true);
                       startExport();
                     }},
                    {tr("Choose another name…"), [this] { setup_->output().browse(); }}}});
}

void MainWindow::cancelExport() {
  if (!isExporting()) return;
  setup_->setCancelling();
  process_.cancel();
}

void MainWindow::exportEnded(const QJsonObject& report, int exitCode) {
  setup_->setExporting(false);
  profiles_->setEnabled(true);
  if (messages_->isAsking()) messages_->dismiss();
  if (closeWanted_) {
    close();
    return;
  }
  // The next export of this model replaces what this one wrote: the ticked box says so.
  if (exitCode == static_cast<int>(ExitCode::Done)) setup_->output().setReplaces(true);
  if (exitCode == static_cast<int>(ExitCode::Done) || exitCode == static_cast<int>(ExitCode::Cancelled)) return;
  const auto problem = diagnosticIn(report, QStringLiteral("error"));
  if (problem)
    messages_->show({Tone::Error,
                     QString::fromStdString(problem->message),
                     why(*problem),
                     {{tr("Details"), [this] { outcome_->showDiagnostics(); }}}});
}

void MainWindow::askClose() {
  messages_->show({Tone::Question,
                   tr("An export is running."),
                   tr("Closing the window cancels it; nothing is left behind."),
                   {{tr("Cancel export and close"),
                     [this] {
                       closeWanted_ = true;
                       cancelExport();
                     }},
                    {tr("Keep running"), {}}}});
}

// What is in front goes first: the message, then the export.
void MainWindow::escape() {
  if (messages_->isAsking()) return messages_->dismiss();
  if (isExporting()) return cancelExport();
  messages_->dismiss();
}

}  // namespace exportdeck::gui
