// Guarded children: results, crashes, limits and stop requests.
#include <QElapsedTimer>
#include <QTest>
#include <thread>

#include "fake_cli.h"
#include "services/child_runner.h"
#include "support/errors.h"

using namespace exportdeck;
using namespace exportdeck::services;
using exportdeck::tests::errorOf;
using exportdeck::tests::FakeCli;

class TestChildRunner : public QObject {
  Q_OBJECT

 private slots:
  void returnsTheResult() {
    const FakeCli cli("echo noise >&2; echo \"{\\\"verb\\\":\\\"$1\\\",\\\"count\\\":$#}\"; exit 1");
    const ChildResult result = runChild({"run", "a b.pte"}, {}, {});
    QCOMPARE(result.exitCode, 1);
    QCOMPARE(result.json["verb"].get<std::string>(), std::string("run"));
    QCOMPARE(result.json["count"].get<int>(), 2);
  }

  void takesLongResults() {
    const FakeCli cli("printf '{\"a\":\"'; head -c 3000000 /dev/zero | tr '\\0' x; printf '\"}'");
    QCOMPARE(runChild({}, {}, {}).json["a"].get<std::string>().size(), size_t{3000000});
  }

  void namesTheSignal() {
    const FakeCli cli("echo first >&2; echo 'F 00:00 assertion failed' >&2; kill -ABRT $$");
    const auto error = errorOf([] { return runChild({}, {}, {}); });
    QVERIFY(error.has_value());
    QVERIFY(error->code == Code::RunCrashed);
    QCOMPARE(error->message, std::string("The process that ran the program died by signal 6 (SIGABRT)"));
    QCOMPARE(error->why, std::string("its last words were: F 00:00 assertion failed"));
  }

  void noResultIsACrash() {
    const FakeCli cli("echo nonsense; exit 9");
    const auto error = errorOf([] { return runChild({}, {}, {}); });
    QVERIFY(error->code == Code::RunCrashed);
    QCOMPARE(error->message, std::string("The process that ran the program ended with code 9 and gave no result"));
  }

  void stopsAtItsTime() {
    const FakeCli cli("exec sleep 60");
    ChildLimits limits;
    limits.seconds = 1;
    QElapsedTimer timer;
    timer.start();
    const auto error = errorOf([&] { return runChild({}, limits, {}); });
    QVERIFY(error->code == Code::RunCrashed);
    QCOMPARE(error->message, std::string("The program ran for over 1 s and was stopped"));
    QVERIFY(timer.elapsed() < 5000);
  }

  void processorTimeIsLimited() {
    const FakeCli cli("while :; do :; done");
    ChildLimits limits;
    limits.cpuSeconds = 1;
    const auto error = errorOf([&] { return runChild({}, limits, {}); });
    QCOMPARE(error->message, std::string("The process that ran the program died by signal 24 (SIGXCPU)"));
  }

  void memoryIsLimited() {
#if defined(__SANITIZE_ADDRESS__)
    QSKIP("AddressSanitizer reserves more than any limit");
#endif
    const FakeCli cli("echo \"{\\\"kilobytes\\\":\\\"$(ulimit -v)\\\",\\\"core\\\":\\\"$(ulimit -c)\\\"}\"");
    ChildLimits limits;
    limits.addressBytes = 1ull << 30;
    const ChildResult result = runChild({}, limits, {});
    QCOMPARE(result.json["kilobytes"].get<std::string>(), std::string("1048576"));
    QCOMPARE(result.json["core"].get<std::string>(), std::string("0"));
  }

  void stopRequestKills() {
    const FakeCli cli("exec sleep 60");
    std::stop_source source;
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      source.request_stop();
    });
    QElapsedTimer timer;
    timer.start();
    const auto error = errorOf([&] { return runChild({}, {}, source.get_token()); });
    QVERIFY(error->code == Code::Cancelled);
    QVERIFY2(timer.elapsed() < 2000, "a stop request is honoured at once");
  }

  void missingProgram() {
    qputenv("EXPORTDECK_CLI", "/nonexistent/exportdeck");
    const auto error = errorOf([] { return runChild({}, {}, {}); });
    qunsetenv("EXPORTDECK_CLI");
    QVERIFY(error->code == Code::Fault);
  }
};

QTEST_GUILESS_MAIN(TestChildRunner)
#include "tst_child_runner.moc"
