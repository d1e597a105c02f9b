#include "services/export_process.h"

#include <QRegularExpression>
#include <variant>

#include "services/process_support.h"
#include "services/program_path.h"
#include "services/progress_event.h"

namespace exportdeck::services {

namespace {

constexpr int kKillAfterMs = 3000;

QString shellWord(const QString& word) {
  static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
  if (plain.match(word).hasMatch()) return word;
  return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

}  // namespace

QStringList ExportJob::arguments() const {
  QStringList words{QStringLiteral("export"), source, QStringLiteral("-o"), output};
  const auto add = [&](const char* name, const QString& value) {
    if (!value.isEmpty()) words << QString::fromLatin1(name) << value;
  };
  add("--backend", backend);
  add("--profile", profile);
  for (const QString& setting : settings) add("--set", setting);
  for (const QString& setting : runtimeSettings) add("--set-runtime", setting);
  add("--verify", verify);
  add("--dump-ir", dumpDirectory);
  if (keepRejected) words << QStringLiteral("--keep-rejected");
  if (replace) words << QStringLiteral("--force");
  return words;
}

QString ExportJob::commandLine() const {
  QStringList words{QStringLiteral("exportdeck")};
  for (const QString& word : arguments()) words << shellWord(word);
  return words.join(QLatin1Char(' '));
}

ExportProcess::ExportProcess(QObject* parent) : QObject(parent) {
  tieToParent(process_);
  killTimer_.setSingleShot(true);
  killTimer_.setInterval(kKillAfterMs);
  connect(&killTimer_, &QTimer::timeout, &process_, &QProcess::kill);
  connect(&process_, &QProcess::readyReadStandardError, this, &ExportProcess::readProgress);
  connect(&process_, &QProcess::readyReadStandardOutput, this, [this] { report_ += process_.readAllStandardOutput(); });
  connect(&process_, &QProcess::finished, this, &ExportProcess::end);
  // Queued, because start() itself may report the failure and nothing may follow before it returns.
  connect(
      &process_, &QProcess::errorOccurred, this,
      [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;  // the others are followed by finished()
        fail(notStartedDiagnostic(process_.program(), process_.errorString()), static_cast<int>(ExitCode::Fault));
      },
      Qt::QueuedConnection);
}

ExportProcess::~ExportProcess() {
  process_.disconnect(this);
  if (process_.state() != QProcess::NotRunning) {
    process_.kill();
    process_.waitForFinished(kKillAfterMs);
  }
}

void ExportProcess::start(const ExportJob& job) {
  check(!active_, "an export is started while another one runs");
  pending_.clear();
  report_.clear();
  errorTold_ = cancelled_ = false;
  active_ = true;
  const QStringList extra{QStringLiteral("--progress"), QStringLiteral("json"), QStringLiteral("--json")};
  process_.start(commandLineProgram(), job.arguments() + extra, QIODevice::ReadOnly);
}

bool ExportProcess::isRunning() const {
  return active_;
}

void ExportProcess::cancel() {
  if (!active_ || cancelled_) return;
  cancelled_ = true;
  process_.terminate();
  killTimer_.start();
}

void ExportProcess::readProgress() {
  pending_ += process_.readAllStandardError();
  qsizetype from = 0;
  for (qsizetype end = pending_.indexOf('\n'); end >= 0; end = pending_.indexOf('\n', from)) {
    handleLine(pending_.mid(from, end - from));
    from = end + 1;
  }
  pending_.remove(0, from);
}

void ExportProcess::handleLine(const QByteArray& line) {
  const auto event = parseProgressLine(std::string_view(line.constData(), static_cast<size_t>(line.size())));
  if (!event) return;
  if (const auto* plan = std::get_if<PlanEvent>(&*event)) {
    emit planReceived(plan->stages);
  } else if (const auto* stage = std::get_if<StageEvent>(&*event)) {
    switch (stage->kind) {
      case StageEvent::Kind::Started:
        emit stageStarted(stage->stage);
        break;
      case StageEvent::Kind::Advanced:
        emit stageAdvanced(stage->stage, stage->done, stage->total);
        break;
      case StageEvent::Kind::Finished:
        emit stageFinished(stage->stage, stage->seconds);
        break;
    }
  } else if (const auto* log = std::get_if<LogEvent>(&*event)) {
    emit logLine(log->level, log->text);
  } else if (const auto* told = std::get_if<DiagnosticEvent>(&*event)) {
    errorTold_ = errorTold_ || told->diagnostic.severity == Severity::Error;
    emit diagnostic(told->diagnostic);
  }
}

void ExportProcess::end(int exitCode, QProcess::ExitStatus status) {
  killTimer_.stop();
  readProgress();
  const QByteArray lastWords = std::exchange(pending_, {});
  if (!lastWords.isEmpty()) handleLine(lastWords);
  report_ += process_.readAllStandardOutput();
  if (status == QProcess::CrashExit) {
    if (!cancelled_)
      return fail(diedDiagnostic(process_.program(), exitCode, lastWords), static_cast<int>(ExitCode::Fault));
    return fail({Code::Cancelled, Severity::Error, "The export was cancelled", {}, {}, {}},
                static_cast<int>(ExitCode::Cancelled));
  }
  const QJsonObject report = answerFrom(report_);
  if (report.isEmpty()) {
    return fail(noAnswerDiagnostic(process_.program(), exitCode, lastWords), static_cast<int>(ExitCode::Fault));
  }
  active_ = false;
  emit finished(report, exitCode);
}

void ExportProcess::fail(const Diagnostic& problem, int exitCode) {
  active_ = false;
  if (!errorTold_) emit diagnostic(problem);
  emit finished(failureAnswer(problem, exitCode), exitCode);
}

}  // namespace exportdeck::services
