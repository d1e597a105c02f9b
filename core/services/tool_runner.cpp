#include "services/tool_runner.h"

#include "services/process_support.h"
#include "services/program_path.h"

namespace exportdeck::services {

ToolRunner::ToolRunner(QObject* parent) : QObject(parent) {}

ToolRunner::~ToolRunner() {
  if (process_ == nullptr) return;
  process_->disconnect(this);
  process_->kill();
  process_->waitForFinished(1000);
}

void ToolRunner::start(const QStringList& arguments) {
  drop();
  auto* process = new QProcess(this);
  process_ = process;
  tieToParent(*process);
  connect(process, &QProcess::finished, this,
          [this, process](int exitCode, QProcess::ExitStatus status) { end(process, exitCode, status); });
  // Queued, because start() itself may report the failure and nothing may follow before it returns.
  connect(
      process, &QProcess::errorOccurred, this,
      [this, process](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart || process_ != process) return;
        process_ = nullptr;
        process->deleteLater();
        const int code = static_cast<int>(ExitCode::Fault);
        emit finished(failureAnswer(notStartedDiagnostic(process->program(), process->errorString()), code), code);
      },
      Qt::QueuedConnection);
  process->start(commandLineProgram(), arguments + QStringList{QStringLiteral("--json")}, QIODevice::ReadOnly);
}

void ToolRunner::cancel() {
  drop();
}

// The child goes away by itself once it is reaped; nobody listens to it any more.
void ToolRunner::drop() {
  if (process_ == nullptr) return;
  QProcess* process = std::exchange(process_, nullptr);
  process->disconnect(this);
  if (process->state() == QProcess::NotRunning) {
    process->deleteLater();
    return;
  }
  connect(process, &QProcess::finished, process, &QObject::deleteLater);
  process->kill();
}

void ToolRunner::end(QProcess* process, int exitCode, QProcess::ExitStatus status) {
  process_ = nullptr;
  process->deleteLater();
  const int fault = static_cast<int>(ExitCode::Fault);
  if (status == QProcess::CrashExit) {
    emit finished(failureAnswer(diedDiagnostic(process->program(), exitCode, process->readAllStandardError()), fault),
                  fault);
    return;
  }
  const QJsonObject answer = answerFrom(process->readAllStandardOutput());
  if (answer.isEmpty()) {
    emit finished(
        failureAnswer(noAnswerDiagnostic(process->program(), exitCode, process->readAllStandardError()), fault), fault);
    return;
  }
  emit finished(answer, exitCode);
}

}  // namespace exportdeck::services
