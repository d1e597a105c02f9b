// An export in a process of its own: starts `exportdeck export … --progress json --json` and tells what it reports.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include "base/diagnostic.h"
#include "base/progress.h"

namespace exportdeck::services {

// What `exportdeck export` is asked to do.
struct ExportJob {
  QString source;
  QString output;
  QString backend;              // empty: the profile's, else the default
  QString profile;              // a file or a name; empty: none
  QStringList settings;         // "key=value", the last one wins
  QStringList runtimeSettings;  // the same for the program's loader
  QString verify;               // "none", "run" or a case folder; empty: the command line's default
  QString dumpDirectory;        // empty: no dumps
  bool replace = false;         // an existing output may be replaced
  bool keepRejected = false;

  QStringList arguments() const;  // after the program's name, without --progress and --json
  QString commandLine() const;    // the same with the program's name, quoted for a POSIX shell
};

// Never blocks. All signals come from the event loop of the thread that it lives in.
class ExportProcess : public QObject {
  Q_OBJECT

 public:
  explicit ExportProcess(QObject* parent = nullptr);
  ~ExportProcess() override;  // kills a child that still runs

  // One export at a time (checked). Exactly one finished() follows, also where the program cannot be started.
  void start(const ExportJob& job);
  bool isRunning() const;
  // Asks the child to stop (SIGTERM: it leaves nothing behind) and kills it where it has not done so after 3 s.
  void cancel();

 signals:
  void planReceived(const QStringList& stages);
  void stageStarted(const QString& stage);
  void stageAdvanced(const QString& stage, quint64 done, quint64 total);  // total 0: not known
  void stageFinished(const QString& stage, double seconds);
  void logLine(exportdeck::LogLevel level, const QString& text);
  // Warnings, information and, before finished(), the error that ended the work.
  void diagnostic(const exportdeck::Diagnostic& diagnostic);
  // The report: "source", "output", "coverage"… on success, else "error" (see the command line's --json). A child that
  // died or wrote no report gives the same shape with a diagnostic of ours.
  void finished(const QJsonObject& report, int exitCode);

 private:
  void readProgress();
  void handleLine(const QByteArray& line);
  void end(int exitCode, QProcess::ExitStatus status);
  void fail(const Diagnostic& problem, int exitCode);

  QProcess process_;
  QTimer killTimer_;
  QByteArray pending_;  // an unfinished line of stderr
  QByteArray report_;   // stdout
  bool errorTold_ = false;
  bool cancelled_ = false;
  bool active_ = false;
};

}  // namespace exportdeck::services
