// An export as a child process: signals in order, cancelling, and children that die or misbehave.
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "fake_cli.h"
#include "services/export_process.h"

using namespace exportdeck;
using namespace exportdeck::services;
using exportdeck::tests::FakeCli;

namespace {

// Everything that an export tells, as text, in order.
struct Heard {
  QStringList events;
  QJsonObject report;
  int exitCode = -1;
  int ends = 0;

  explicit Heard(ExportProcess& process) {
    QObject::connect(&process, &ExportProcess::planReceived,
                     [this](const QStringList& s) { events << "plan " + s.join(' '); });
    QObject::connect(&process, &ExportProcess::stageStarted, [this](const QString& s) { events << "start " + s; });
    QObject::connect(&process, &ExportProcess::stageAdvanced, [this](const QString& s, quint64 done, quint64 total) {
      events << QString("advance %1 %2/%3").arg(s).arg(done).arg(total);
    });
    QObject::connect(&process, &ExportProcess::stageFinished,
                     [this](const QString& s, double t) { events << QString("end %1 %2").arg(s).arg(t); });
    QObject::connect(&process, &ExportProcess::logLine,
                     [this](LogLevel, const QString& text) { events << "log " + text; });
    QObject::connect(&process, &ExportProcess::diagnostic,
                     [this](const Diagnostic& d) { events << "diagnostic " + QString(codeInfo(d.code).id); });
    QObject::connect(&process, &ExportProcess::finished, [this](const QJsonObject& r, int code) {
      report = r;
      exitCode = code;
      ++ends;
    });
  }
  QString errorText() const {
    const QJsonObject error = report["error"].toObject();
    return error["message"].toString() + "|" + error["why"].toString();
  }
};

ExportJob job() {
  ExportJob made;
  made.source = "a.pt2";
  made.output = "b.pte";
  return made;
}

}  // namespace

class TestExportProcess : public QObject {
  Q_OBJECT

 private slots:
  void writesTheCommandLine() {
    ExportJob made = job();
    made.source = "my model's.pt2";
    made.backend = "xnnpack";
    made.settings = {"alignment=64", "exclude_ops=a b"};
    made.verify = "run";
    made.replace = true;
    QCOMPARE(made.commandLine(),
             QString("exportdeck export 'my model'\\''s.pt2' -o b.pte --backend xnnpack --set alignment=64 "
                     "--set 'exclude_ops=a b' --verify run --force"));
  }

  void tellsAll() {
    const FakeCli cli(
        "printf '{\"v\":1,\"event\":\"plan\",\"stages\":[\"read\"]}\\n{\"v\":1,\"event\":\"sta' >&2; sleep 0.1\n"
        "printf "
        "'rted\",\"stage\":\"read\"}\\n{\"v\":1,\"event\":\"advanced\",\"stage\":\"read\",\"done\":1,\"total\":2}\\n' "
        ">&2\n"
        "printf 'a library speaks\\n{\"v\":1,\"event\":\"finished\",\"stage\":\"read\",\"elapsed\":0.5}' >&2\n"
        "printf '{\"exit\":0,\"words\":\"'; printf '%s ' \"$@\"; printf '\"}\\n'");
    ExportProcess process;
    const Heard heard(process);
    process.start(job());
    QVERIFY(process.isRunning());
    QTRY_COMPARE(heard.ends, 1);
    QVERIFY(!process.isRunning());
    QCOMPARE(heard.events,
             (QStringList{"plan read", "start read", "advance read 1/2", "log a library speaks", "end read 0.5"}));
    QCOMPARE(heard.exitCode, 0);
    QCOMPARE(heard.report["words"].toString(), QString("export a.pt2 -o b.pte --progress json --json "));
  }

  void failuresKeepTheirReport() {
    const FakeCli cli(
        "echo '{\"v\":1,\"event\":\"diagnostic\",\"diagnostic\":{\"code\":\"operator.unsupported\"}}' >&2\n"
        "echo '{\"exit\":4,\"error\":{\"message\":\"no\",\"why\":\"so\"}}'; exit 4");
    ExportProcess process;
    const Heard heard(process);
    process.start(job());
    QTRY_COMPARE(heard.ends, 1);
    QCOMPARE(heard.exitCode, 4);
    QCOMPARE(heard.errorText(), QString("no|so"));
    QCOMPARE(heard.events, QStringList{"diagnostic operator.unsupported"});
  }

  void crashesAreFaultsOfOurs() {
    const FakeCli cli("echo 'terminate called' >&2; kill -SEGV $$");
    ExportProcess process;
    const Heard heard(process);
    process.start(job());
    QTRY_COMPARE(heard.ends, 1);
    QCOMPARE(heard.exitCode, 70);
    QVERIFY2(heard.errorText().contains("died by signal 11 (SIGSEGV)"), qPrintable(heard.errorText()));
    QCOMPARE(heard.events, (QStringList{"log terminate called", "diagnostic internal.fault"}));
  }

  void noReportIsAFaultOfOurs() {
    const FakeCli cli("echo 'half an obj'; exit 3");
    ExportProcess process;
    const Heard heard(process);
    process.start(job());
    QTRY_COMPARE(heard.ends, 1);
    QCOMPARE(heard.exitCode, 70);
    QVERIFY2(heard.errorText().contains("ended with code 3 and gave no report"), qPrintable(heard.errorText()));
  }

  void missingProgram() {
    qputenv("EXPORTDECK_CLI", "/nonexistent/exportdeck");
    ExportProcess process;
    const Heard heard(process);
    process.start(job());
    QCOMPARE(heard.ends, 0);  // nothing is told before start() returns
    QTRY_COMPARE(heard.ends, 1);
    qunsetenv("EXPORTDECK_CLI");
    QCOMPARE(heard.exitCode, 70);
    QVERIFY2(heard.errorText().contains("/nonexistent/exportdeck cannot be started"), qPrintable(heard.errorText()));
    QVERIFY(!process.isRunning());
  }

  void cancelAsksFirst() {
    const FakeCli cli(
        "trap 'echo \"{\\\"exit\\\":6,\\\"error\\\":{\\\"message\\\":\\\"cancelled\\\"}}\"; exit 6' TERM\n"
        "echo ready >&2; while :; do sleep 0.02; done");
    ExportProcess process;
    const Heard heard(process);
    process.start(job());
    QTRY_COMPARE(heard.events, QStringList{"log ready"});
    process.cancel();
    process.cancel();
    QTRY_COMPARE(heard.ends, 1);
    QCOMPARE(heard.exitCode, 6);
    QCOMPARE(heard.errorText(), QString("cancelled|"));
  }

  void cancelKillsTheDeaf() {
    const FakeCli cli("trap '' TERM; echo ready >&2; while :; do sleep 0.02; done");
    ExportProcess process;
    const Heard heard(process);
    process.start(job());
    QTRY_COMPARE(heard.events, QStringList{"log ready"});
    QElapsedTimer timer;
    timer.start();
    process.cancel();
    QTRY_COMPARE_WITH_TIMEOUT(heard.ends, 1, 10000);
    QVERIFY(timer.elapsed() >= 2500);
    QCOMPARE(heard.exitCode, 6);
    QCOMPARE(heard.events, (QStringList{"log ready", "diagnostic cancelled"}));
  }

  void runsAgain() {
    const FakeCli cli("echo '{\"exit\":0}'");
    ExportProcess process;
    const Heard heard(process);
    for (int round = 1; round <= 3; ++round) {
      process.start(job());
      QTRY_COMPARE(heard.ends, round);
      QCOMPARE(heard.exitCode, 0);
    }
  }

  void destructionKills() {
    const FakeCli cli("echo $$ >&2; exec sleep 60");
    qint64 pid = 0;
    {
      ExportProcess process;
      connect(&process, &ExportProcess::logLine, [&](LogLevel, const QString& text) { pid = text.toLongLong(); });
      process.start(job());
      QTRY_VERIFY(pid != 0);
    }
    QTRY_VERIFY(!QFile::exists(QString("/proc/%1/exe").arg(pid)));
  }
};

QTEST_GUILESS_MAIN(TestExportProcess)
#include "tst_export_process.moc"
