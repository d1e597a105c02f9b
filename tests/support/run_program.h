// Running the project's own programs as a user does.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace exportdeck::tests {

// Path of a built program: programPath("exportdeck"). From the environment variable EXPORTDECK_BIN, which CTest sets.
QString programPath(const QString& name);

struct ProgramResult {
  int exit = -1;        // exit code; -1: did not start, crashed or ran over its time
  QByteArray output;    // stdout
  QByteArray messages;  // stderr
};

// Runs `exportdeck ARGUMENTS` to its end, for `timeoutMs` at most.
ProgramResult runExportDeck(const QStringList& arguments, int timeoutMs = 120'000);

}  // namespace exportdeck::tests
