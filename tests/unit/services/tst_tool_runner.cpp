// Short questions: answers, failures, and a question that replaces another.
#include <QSignalSpy>
#include <QTest>

#include "fake_cli.h"
#include "services/tool_runner.h"

using namespace exportdeck::services;
using exportdeck::tests::FakeCli;

class TestToolRunner : public QObject {
  Q_OBJECT

 private slots:
  void answers() {
    const FakeCli cli("printf '{\"words\":\"'; printf '%s ' \"$@\"; printf '\"}'");
    ToolRunner runner;
    QSignalSpy spy(&runner, &ToolRunner::finished);
    runner.start({"inspect", "a b.pt2"});
    QVERIFY(spy.wait());
    QCOMPARE(spy[0][0].toJsonObject()["words"].toString(), QString("inspect a b.pt2 --json "));
    QCOMPARE(spy[0][1].toInt(), 0);
    QVERIFY(!runner.isRunning());
  }

  void passesFailuresOn() {
    const FakeCli cli("echo '{\"exit\":3,\"error\":{\"message\":\"bad\"}}'; exit 3");
    ToolRunner runner;
    QSignalSpy spy(&runner, &ToolRunner::finished);
    runner.start({"inspect", "x"});
    QVERIFY(spy.wait());
    QCOMPARE(spy[0][1].toInt(), 3);
    QCOMPARE(spy[0][0].toJsonObject()["error"].toObject()["message"].toString(), QString("bad"));
  }

  void crashAndSilence() {
    for (const char* body : {"kill -ABRT $$", "exit 0", "echo nonsense"}) {
      const FakeCli cli(body);
      ToolRunner runner;
      QSignalSpy spy(&runner, &ToolRunner::finished);
      runner.start({"backends"});
      QVERIFY(spy.wait());
      QCOMPARE(spy[0][1].toInt(), 70);
      QCOMPARE(spy[0][0].toJsonObject()["error"].toObject()["code"].toString(), QString("internal.fault"));
    }
  }

  void missingProgram() {
    qputenv("EXPORTDECK_CLI", "/nonexistent/exportdeck");
    ToolRunner runner;
    QSignalSpy spy(&runner, &ToolRunner::finished);
    runner.start({"backends"});
    QVERIFY(spy.count() == 1 || spy.wait());
    qunsetenv("EXPORTDECK_CLI");
    QCOMPARE(spy[0][1].toInt(), 70);
  }

  void theLastQuestionWins() {
    const FakeCli cli("if [ \"$1\" = slow ]; then sleep 30; fi; echo \"{\\\"verb\\\":\\\"$1\\\"}\"");
    ToolRunner runner;
    QSignalSpy spy(&runner, &ToolRunner::finished);
    runner.start({"slow"});
    runner.start({"fast"});
    QVERIFY(spy.wait());
    QTest::qWait(100);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toJsonObject()["verb"].toString(), QString("fast"));
  }

  void cancelIsSilent() {
    const FakeCli cli("sleep 30");
    ToolRunner runner;
    QSignalSpy spy(&runner, &ToolRunner::finished);
    runner.start({"slow"});
    QVERIFY(runner.isRunning());
    runner.cancel();
    QVERIFY(!runner.isRunning());
    QTest::qWait(200);
    QCOMPARE(spy.count(), 0);
  }
};

QTEST_GUILESS_MAIN(TestToolRunner)
#include "tst_tool_runner.moc"
