// The words of the call: help, usage errors, and the verbs that only list.
#include <QProcess>

#include "cli_support.h"

using namespace exportdeck::tests;

class TestCliUsage : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY2(QFile::exists(programPath("exportdeck")), "EXPORTDECK_BIN names the folder of the programs");
  }

  void versionAndHelp() {
    const ProgramResult version = runExportDeck({"--version"});
    QCOMPARE(version.exit, 0);
    QVERIFY(version.output.startsWith("exportdeck 0."));
    const ProgramResult help = runExportDeck({"--help"});
    QCOMPARE(help.exit, 0);
    for (const char* verb : {"export", "backends", "options", "profile", "inspect", "run", "verify"}) {
      QVERIFY2(help.output.contains(verb), verb);
      const ProgramResult own = runExportDeck({verb, "--help"});
      QCOMPARE(own.exit, 0);
      QVERIFY(own.output.contains("--json"));
      QVERIFY(!own.output.contains("--in-process"));
    }
    for (const char* word : {"--backend", "--profile", "--set", "--set-runtime", "--from", "--runtime-profile",
                             "--verify", "--progress", "--dump-ir", "--keep-rejected", "--force"}) {
      QVERIFY2(runExportDeck({"export", "--help"}).output.contains(word), word);
    }
  }

  void usageErrors_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("says");
    QTest::newRow("nothing") << QStringList{} << "";
    QTest::newRow("unknown verb") << QStringList{"exprot"} << "see exportdeck export --help";
    QTest::newRow("unknown option first") << QStringList{"--nope"} << "There is no option --nope";
    QTest::newRow("no source") << QStringList{"export"} << "required";
    QTest::newRow("no output") << QStringList{"export", "a.pt2"} << "--output";
    QTest::newRow("unknown option") << QStringList{"export", "a.pt2", "-o", "b.pte", "--fast"} << "--fast";
    QTest::newRow("unknown progress") << QStringList{"export", "a.pt2", "-o", "b.pte", "--progress", "loud"} << "loud";
    QTest::newRow("a value is missing") << QStringList{"export", "-o"} << "";
    QTest::newRow("one word too many") << QStringList{"inspect", "a", "b"} << "b";
    QTest::newRow("no action") << QStringList{"profile"} << "subcommand is required";
    QTest::newRow("unknown action") << QStringList{"profile", "lst"} << "see exportdeck profile list --help";
    QTest::newRow("no profile") << QStringList{"profile", "show"} << "PROFILE";
    QTest::newRow("no backend") << QStringList{"options"} << "BACKEND";
    QTest::newRow("no case") << QStringList{"verify", "a.pte"} << "CASE_DIR";
    QTest::newRow("tolerance NaN") << QStringList{"verify", "a.pte", "c", "--atol", "nan"} << "at least 0";
    QTest::newRow("tolerance negative") << QStringList{"verify", "a.pte", "c", "--rtol=-1"} << "at least 0";
    QTest::newRow("tolerance no number") << QStringList{"verify", "a.pte", "c", "--rtol", "1e"} << "at least 0";
    QTest::newRow("setting without =") << QStringList{"export", "a.pt2", "-o", "b.pte", "--set", "alignment"}
                                       << "KEY=VALUE";
  }
  // One sentence, with and without --json, and the object where it was asked for.
  void usageErrors() {
    QFETCH(QStringList, words);
    QFETCH(QString, says);
    const ProgramResult plain = runExportDeck(words);
    QCOMPARE(plain.exit, 2);
    QCOMPARE(plain.output, QByteArray());
    QCOMPARE(plain.messages.count('\n'), 1);
    QVERIFY2(plain.messages.startsWith("error: ") && plain.messages.contains(says.toUtf8()),
             plain.messages.constData());
    const ProgramResult asJson = runExportDeck(words + QStringList{"--json"});
    QCOMPARE(asJson.exit, 2);
    const auto object = jsonOf(asJson);
    QCOMPARE(object["exit"].get<int>(), 2);
    QCOMPARE(object["error"]["code"].get<std::string>(), std::string("usage"));
    QCOMPARE(object["diagnostics"].size(), size_t{1});
    QVERIFY(keysOf(object) == (std::set<std::string>{"exportdeck", "command", "exit", "error", "diagnostics"}));
  }

  void backends() {
    const ProgramResult text = runExportDeck({"backends"});
    QCOMPARE(text.exit, 0);
    QVERIFY(text.output.contains("xnnpack") && text.output.contains("cuda"));
    const auto object = jsonOf(runExportDeck({"backends", "--json"}));
    QCOMPARE(object["command"].get<std::string>(), std::string("backends"));
    QCOMPARE(object["exit"].get<int>(), 0);
    QVERIFY(object["diagnostics"].empty());
    QCOMPARE(object["backends"].size(), size_t{22});
    for (const auto& backend : object["backends"]) {
      QVERIFY(keysOf(backend) == (std::set<std::string>{"id", "title", "summary", "runtime_id", "aliases", "engine",
                                                        "available", "reason", "remedy", "targets", "hosts", "needs"}));
      QCOMPARE(backend["available"].get<bool>(), backend["reason"].get<std::string>().empty());
    }
  }

  void options() {
    const ProgramResult text = runExportDeck({"options", "xnnpack"});
    QCOMPARE(text.exit, 0);
    QVERIFY(text.output.contains("a power of two from 16 to 4096") && text.output.contains("workspace_sharing_mode"));
    const auto object = jsonOf(runExportDeck({"options", "xnnpack", "--json"}));
    QCOMPARE(object["backend"].get<std::string>(), std::string("xnnpack"));
    QCOMPARE(object["export_options"].size(), size_t{18});
    QCOMPARE(object["runtime_options"].size(), size_t{4});
    for (const auto& option : object["export_options"]) {
      for (const char* key : {"key", "type", "default", "title", "meaning", "source"})
        QVERIFY2(option.contains(key), key);
    }
  }

  void unknownBackend() {
    const ProgramResult result = runExportDeck({"options", "XNNPACK"});
    QCOMPARE(result.exit, 4);
    QCOMPARE(lastMessage(result),
             QByteArray("error: Unsupported backend XNNPACK for ExecuTorch export: supported are portable, xnnpack. "
                        "backend ids are lower case: xnnpack. Try: use xnnpack. [backend.unknown]"));
    // As of a script whose variable is not set: not the same as leaving the option out.
    const ProgramResult unnamed = runExportDeck({"export", "x.pt2", "-o", "x.pte", "--backend", ""});
    QCOMPARE(unnamed.exit, 4);
    QVERIFY2(unnamed.messages.contains("Unsupported backend"), unnamed.messages.constData());
  }

  // Results that cannot be written are no success.
  void fullStdout() {
    for (const QStringList& words :
         {QStringList{"backends", "--json"}, QStringList{"options", "xnnpack"}, QStringList{"--version"}}) {
      QProcess process;
      process.setStandardOutputFile("/dev/full");
      process.start(programPath("exportdeck"), words);
      QVERIFY(process.waitForFinished());
      QCOMPARE(process.exitCode(), 5);
      QVERIFY(process.readAllStandardError().contains("standard output"));
    }
  }
};

QTEST_GUILESS_MAIN(TestCliUsage)
#include "tst_cli_usage.moc"
