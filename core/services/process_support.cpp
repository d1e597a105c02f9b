#include "services/process_support.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <QJsonArray>
#include <QJsonDocument>

#include "base/text.h"

namespace exportdeck::services {

namespace {

constexpr qsizetype kLastWords = 400;

std::string lastWordsOf(const QByteArray& stderrBytes) {
  const std::string text(trim(std::string_view(stderrBytes.constData(), static_cast<size_t>(stderrBytes.size()))));
  const size_t lineStart = text.rfind('\n');
  return (lineStart == std::string::npos ? text : text.substr(lineStart + 1)).substr(0, kLastWords);
}

Diagnostic fault(std::string message, std::string why) {
  Diagnostic diagnostic{Code::Fault, Severity::Error, std::move(message), {}, std::move(why), {}};
  diagnostic.fixes = {"report it with the model and the log"};
  return diagnostic;
}

}  // namespace

std::string signalText(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? concat("signal ", signal, " (SIG", name, ")") : concat("signal ", signal);
}

Diagnostic diedDiagnostic(const QString& program, int signal, const QByteArray& lastWords) {
  return fault(concat("The program ", program.toStdString(), " died by ", signalText(signal)), lastWordsOf(lastWords));
}

Diagnostic notStartedDiagnostic(const QString& program, const QString& reason) {
  Diagnostic diagnostic =
      fault(concat("The program ", program.toStdString(), " cannot be started"), reason.toStdString());
  diagnostic.fixes = {"install ExportDeck again", "set EXPORTDECK_CLI to the path of the command-line program"};
  return diagnostic;
}

Diagnostic noAnswerDiagnostic(const QString& program, int exitCode, const QByteArray& lastWords) {
  return fault(concat("The program ", program.toStdString(), " ended with code ", exitCode, " and gave no report"),
               lastWordsOf(lastWords));
}

void tieToParent(QProcess& process) {
  process.setStandardInputFile(QProcess::nullDevice());
  const pid_t parent = getpid();
  process.setChildProcessModifier([parent] {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);  // it died before the call above
  });
}

QJsonObject answerFrom(const QByteArray& output) {
  return QJsonDocument::fromJson(output).object();
}

QJsonObject failureAnswer(const Diagnostic& problem, int exitCode) {
  QJsonArray fixes;
  for (const std::string& fix : problem.fixes) fixes.append(QString::fromStdString(fix));
  const QJsonObject error{{"code", codeInfo(problem.code).id},
                          {"severity", "error"},
                          {"message", QString::fromStdString(problem.message)},
                          {"why", QString::fromStdString(problem.why)},
                          {"fixes", fixes},
                          {"occurrences", 1},
                          {"where", QJsonObject()}};
  return {{"exportdeck", EXPORTDECK_VERSION}, {"exit", exitCode}, {"error", error}, {"diagnostics", QJsonArray{error}}};
}

}  // namespace exportdeck::services
