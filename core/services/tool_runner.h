// Short questions to the command line, answered as JSON without blocking: inspect, backends, options.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QStringList>

namespace exportdeck::services {

class ToolRunner : public QObject {
  Q_OBJECT

 public:
  explicit ToolRunner(QObject* parent = nullptr);
  ~ToolRunner() override;  // kills a child that still runs

  // Starts `exportdeck ARGUMENTS --json`; a question that is still open is dropped without a signal.
  void start(const QStringList& arguments);
  void cancel();  // no signal follows
  bool isRunning() const { return process_ != nullptr; }

 signals:
  // The object on stdout. A child that died or could not be started gives one with "error", and exit code 70.
  void finished(const QJsonObject& answer, int exitCode);

 private:
  void drop();
  void end(QProcess* process, int exitCode, QProcess::ExitStatus status);

  QProcess* process_ = nullptr;
};

}  // namespace exportdeck::services
