#include "support/run_program.h"

#include <QProcess>

namespace exportdeck::tests {

QString programPath(const QString& name) {
  return QStringLiteral("%1/%2").arg(qEnvironmentVariable("EXPORTDECK_BIN", QStringLiteral(".")), name);
}

ProgramResult runExportDeck(const QStringList& arguments, int timeoutMs) {
  QProcess process;
  process.start(programPath(QStringLiteral("exportdeck")), arguments);
  ProgramResult result;
  const bool ended = process.waitForStarted() && process.waitForFinished(timeoutMs);
  if (!ended) {
    process.kill();
    process.waitForFinished();
  }
  if (ended && process.exitStatus() == QProcess::NormalExit) result.exit = process.exitCode();
  result.output = process.readAllStandardOutput();
  result.messages = process.readAllStandardError();
  if (!ended) result.messages += "\n" + process.errorString().toUtf8();
  return result;
}

}  // namespace exportdeck::tests
