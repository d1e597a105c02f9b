// Exports that are cancelled or killed: nothing is left behind.
#include <signal.h>

#include <QElapsedTimer>
#include <QProcess>
#include <QProcessEnvironment>
#include <random>

#include "cli_support.h"

using namespace exportdeck::tests;

namespace {

QStringList exportWords(const TemporaryFolder& folder, const QStringList& more = {}) {
  return QStringList{"export", digitsArchive(), "-o", QString::fromStdString(folder.file("out.pte"))} + more;
}

// An export that waits in its check: the child that is to run the program never answers.
class HangingExport {
 public:
  explicit HangingExport(const QStringList& more = {}) {
    const std::string script =
        scripts_.write("hang", "#!/bin/sh\necho $$ > " + scripts_.file("pid") + "\nexec sleep 300\n");
    QFile::setPermissions(QString::fromStdString(script), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("EXPORTDECK_CLI", QString::fromStdString(script));
    process.setProcessEnvironment(environment);
    process.start(programPath("exportdeck"), exportWords(folder, QStringList{"--verify", "run"} + more));
  }
  // The child's id, once it runs.
  qint64 child() const {
    QFile file(QString::fromStdString(scripts_.file("pid")));
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toLongLong() : 0;
  }
  bool childIsGone() const { return !QFile::exists(QString("/proc/%1/exe").arg(child())); }

  TemporaryFolder folder;
  QProcess process;

 private:
  TemporaryFolder scripts_;
};

}  // namespace

class TestCliStop : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY2(QFile::exists(programPath("exportdeck")), "EXPORTDECK_BIN names the folder of the programs");
  }

  void cancels_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGHUP") << SIGHUP;
  }
  void cancels() {
    QFETCH(int, signal);
    HangingExport run({"--json"});
    QTRY_VERIFY_WITH_TIMEOUT(run.child() != 0, 30000);
    QElapsedTimer timer;
    timer.start();
    ::kill(static_cast<pid_t>(run.process.processId()), signal);
    QVERIFY(run.process.waitForFinished(10000));
    QVERIFY2(timer.elapsed() < 2000, "a signal is honoured at once");
    QVERIFY(run.process.exitStatus() == QProcess::NormalExit);
    QCOMPARE(run.process.exitCode(), 6);
    const QByteArray output = run.process.readAllStandardOutput();
    QCOMPARE(nlohmann::json::parse(output.begin(), output.end())["error"]["code"].get<std::string>(),
             std::string("cancelled"));
    QCOMPARE(run.folder.listing(), std::string());
    QTRY_VERIFY(run.childIsGone());
  }

  // Its reader is gone: nobody wants the result any more.
  void closedStderrCancels() {
    const TemporaryFolder folder;
    QProcess process;
    const QString words = "'" + exportWords(folder, {"--progress", "json"}).join("' '") + "'";
    process.start("/bin/sh", {"-c", "{ '" + programPath("exportdeck") + "' " + words +
                                        " 2>&1 1>/dev/null; echo $? >&3; } 3>&2 | true"});
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.readAllStandardError().trimmed(), QByteArray("6"));
    QCOMPARE(folder.listing(), std::string());
  }

  void killedWhileChecking() {
    HangingExport run;
    QTRY_VERIFY_WITH_TIMEOUT(run.child() != 0, 30000);
    run.process.kill();
    QVERIFY(run.process.waitForFinished(10000));
    QCOMPARE(run.folder.listing(), std::string());
    QTRY_VERIFY(run.childIsGone());
  }

  // At any moment: either all of it is there, or nothing.
  void killedAnywhere() {
    std::mt19937 random(3);
    QElapsedTimer timer;
    timer.start();
    {
      const TemporaryFolder folder;
      QCOMPARE(runExportDeck(exportWords(folder)).exit, 0);
    }
    const auto whole = static_cast<unsigned>(std::max<qint64>(timer.elapsed(), 2));
    int killed = 0;
    for (int round = 0; round < 40; ++round) {
      const TemporaryFolder folder;
      QProcess process;
      process.start(programPath("exportdeck"), exportWords(folder));
      QVERIFY(process.waitForStarted());
      QTest::qSleep(static_cast<int>(random() % whole));
      process.kill();
      QVERIFY(process.waitForFinished(10000));
      if (process.exitStatus() == QProcess::CrashExit) ++killed;
      const std::string left = folder.listing();
      if (left.empty()) continue;
      QVERIFY2(left == "out.pte" || left == "out.export.json out.pte", left.c_str());
      QCOMPARE(runExportDeck({"inspect", QString::fromStdString(folder.file("out.pte"))}).exit, 0);
    }
    QVERIFY2(killed > 0, "at least one export was killed before its end");
  }

  // A limit on the file size in the place of a full disk.
  void writingFails() {
    const TemporaryFolder folder;
    QProcess process;
    const QString words = "'" + exportWords(folder).join("' '") + "'";
    process.start("/bin/sh", {"-c", "ulimit -f 1; trap '' XFSZ; exec '" + programPath("exportdeck") + "' " + words});
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 5);
    QVERIFY(process.readAllStandardError().contains("[file.unwritable]"));
    QCOMPARE(folder.listing(), std::string());
  }
};

QTEST_GUILESS_MAIN(TestCliStop)
#include "tst_cli_stop.moc"
