// Internal to this layer: what all child processes of ours have in common.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QProcess>
#include <QString>

#include "base/diagnostic.h"

namespace exportdeck::services {

// "signal 11 (SIGSEGV)".
std::string signalText(int signal);
// Of a QProcess that crashed: QProcess gives the signal's number as its exit code.
Diagnostic diedDiagnostic(const QString& program, int signal, const QByteArray& lastWords);
Diagnostic notStartedDiagnostic(const QString& program, const QString& reason);
Diagnostic noAnswerDiagnostic(const QString& program, int exitCode, const QByteArray& lastWords);

// The child dies with this process, has no pending signal mask of ours, and reads nothing from our stdin.
void tieToParent(QProcess& process);

// The object on a child's stdout; empty where it wrote none.
QJsonObject answerFrom(const QByteArray& output);
// {"exit": N, "error": {…}, "diagnostics": [{…}]}: the shape of the command line's own failures.
QJsonObject failureAnswer(const Diagnostic& problem, int exitCode);

}  // namespace exportdeck::services
