#include "services/child_runner.h"

#include <signal.h>
#include <sys/resource.h>

#include <QElapsedTimer>
#include <QProcess>

#include "base/text.h"
#include "services/process_support.h"
#include "services/program_path.h"

namespace exportdeck::services {

namespace {

constexpr int kPollMs = 50;

void limit(__rlimit_resource resource, uint64_t value) {
  rlimit current{};
  if (getrlimit(resource, &current) != 0) return;
  current.rlim_cur = std::min<rlim_t>(value, current.rlim_max);
  setrlimit(resource, &current);
}

void setLimits(const ChildLimits& limits) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<uint64_t>(limits.cpuSeconds));
#if !defined(__SANITIZE_ADDRESS__)
  limit(RLIMIT_AS, limits.addressBytes);
#endif
}

ExportError crashed(std::string message, std::string why) {
  Diagnostic diagnostic{Code::RunCrashed, Severity::Error, std::move(message), {}, std::move(why), {}};
  diagnostic.fixes = {"export the program again", "report it with the program that shows it"};
  return ExportError(std::move(diagnostic));
}

std::string lastLine(const QByteArray& text) {
  const QByteArray trimmed = text.trimmed();
  return trimmed.mid(trimmed.lastIndexOf('\n') + 1).left(400).toStdString();
}

void stopChild(QProcess& process) {
  process.kill();
  process.waitForFinished(-1);
}

// Returns when the child has ended by itself.
void waitFor(QProcess& process, const ChildLimits& limits, const std::stop_token& stop) {
  QElapsedTimer timer;
  timer.start();
  while (process.state() != QProcess::NotRunning && !process.waitForFinished(kPollMs)) {
    if (stop.stop_requested()) {
      stopChild(process);
      throw ExportError(Code::Cancelled, "cancelled while the program ran");
    }
    if (timer.elapsed() > limits.seconds * 1000LL) {
      stopChild(process);
      throw crashed(concat("The program ran for over ", limits.seconds, " s and was stopped"), {});
    }
  }
}

}  // namespace

ChildResult runChild(const QStringList& arguments, const ChildLimits& limits, std::stop_token stop) {
  QProcess process;
  tieToParent(process);
  process.setChildProcessModifier([tie = process.childProcessModifier(), limits] {
    tie();
    setLimits(limits);
  });
  process.start(commandLineProgram(), arguments, QIODevice::ReadOnly);
  if (!process.waitForStarted()) throw ExportError(notStartedDiagnostic(process.program(), process.errorString()));
  waitFor(process, limits, stop);
  const QByteArray errors = process.readAllStandardError();
  if (process.exitStatus() == QProcess::CrashExit) {
    const int signal = process.exitCode();
    const char* const meaning = signal == SIGXCPU ? "it used more processor time than allowed" : "";
    const std::string words = lastLine(errors);
    throw crashed(concat("The process that ran the program died by ", signalText(signal)),
                  words.empty() ? meaning : concat("its last words were: ", words));
  }
  const QByteArray output = process.readAllStandardOutput();
  ChildResult result;
  result.exitCode = process.exitCode();
  result.json = nlohmann::json::parse(output.begin(), output.end(), nullptr, false);
  if (!result.json.is_object()) {
    throw crashed(concat("The process that ran the program ended with code ", result.exitCode, " and gave no result"),
                  lastLine(errors));
  }
  return result;
}

}  // namespace exportdeck::services
