// `exportdeck run`, `verify` and `inspect`.
#include <QProcess>
#include <cstring>

#include "cli_support.h"

using namespace exportdeck::tests;
using nlohmann::json;

class TestCliRun : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY2(QFile::exists(programPath("exportdeck")), "EXPORTDECK_BIN names the folder of the programs");
    program_ = QString::fromStdString(folder_.file("digits.pte"));
    const ProgramResult result = runExportDeck({"export", digitsArchive(), "-o", program_});
    QVERIFY2(result.exit == 0, result.messages.constData());
  }

  void runs() {
    const ProgramResult text = runExportDeck({"run", program_});
    QVERIFY2(text.exit == 0, text.messages.constData());
    QVERIFY(text.output.contains("float32 [1, 10]") && text.output.contains("random"));
    const TemporaryFolder out;
    const QString folder = QString::fromStdString(out.file("o"));
    const json report =
        jsonOf(runExportDeck({"run", program_, "--inputs", digitsCase(), "--outputs", folder, "--json"}));
    for (const char* key :
         {"program", "outputs", "seconds_load", "seconds_run", "planned_bytes", "backends", "exit", "command"}) {
      QVERIFY2(report.contains(key), key);
    }
    QCOMPARE(report["program"].get<std::string>(), program_.toStdString());
    const json& scores = report["outputs"][0];
    QCOMPARE(scores["dtype"].get<std::string>(), std::string("float32"));
    QCOMPARE(scores["shape"].dump(), std::string("[1,10]"));
    QCOMPARE(scores["values"].size(), size_t{10});
    QCOMPARE(report["backends"].dump(), std::string(R"(["XnnpackBackend"])"));
    // The files hold what the report says.
    const exportdeck::Bytes bytes = readBytes(out.file("o/" + scores["file"].get<std::string>()));
    QCOMPARE(bytes.size(), size_t{40});
    float first = 0;
    std::memcpy(&first, bytes.data(), sizeof first);
    QCOMPARE(scores["values"][0].get<float>(), first);
    QVERIFY(json::parse(readText(out.file("o/outputs.json")))["outputs"] == report["outputs"]);
  }

  // What one call leaves in a buffer the next finds there.
  void repeatsWithState() {
    const TemporaryFolder out;
    const QString program = QString::fromStdString(out.file("counter.pte"));
    const QString folder = QString::fromStdString(repositoryFile("tests/cases/buf_counter"));
    const ProgramResult exported = runExportDeck({"export", folder + "/model.pt2", "-o", program});
    QVERIFY2(exported.exit == 0, exported.messages.constData());
    QVERIFY2(exported.output.contains("1 buffer kept between calls (n), at first zero"), exported.output.constData());
    QVERIFY(runExportDeck({"inspect", program}).output.contains("State, kept between calls"));
    const json report = jsonOf(runExportDeck({"run", program, "--inputs", folder, "--repeat", "3", "--json"}));
    QCOMPARE(report["calls"].get<int>(), 3);
    QCOMPARE(report["earlier"].size(), size_t{2});
    // Each call's outputs are the case's, which PyTorch computed one after the other.
    const auto expected = [&](const char* file) {
      const exportdeck::Bytes bytes = readBytes(folder.toStdString() + "/" + file);
      float first = 0;
      std::memcpy(&first, bytes.data(), sizeof first);
      return first;
    };
    QCOMPARE(report["earlier"][0]["outputs"][0]["values"][0].get<float>(), expected("output_0.bin"));
    QCOMPARE(report["earlier"][1]["outputs"][0]["values"][0].get<float>(), expected("step2_output_0.bin"));
    QCOMPARE(report["outputs"][0]["values"][0].get<float>(), expected("step3_output_0.bin"));
  }

  void verifies() {
    const ProgramResult text = runExportDeck({"verify", program_, digitsCase()});
    QVERIFY2(text.exit == 0, text.messages.constData());
    QVERIFY(text.output.contains("The outputs match."));
    const json report = jsonOf(runExportDeck({"verify", program_, digitsCase(), "--json"}));
    QVERIFY(report["match"].get<bool>());
    QVERIFY(report["max_abs_error"].get<double>() < 1e-3);
    QVERIFY(report["calls"].get<int>() >= 1);
  }

  void findsWrongOutputs() {
    const TemporaryFolder cases;
    const QString wrong = wrongCase(cases);
    const ProgramResult result = runExportDeck({"verify", program_, wrong, "--json"});
    QCOMPARE(result.exit, 1);
    const json report = jsonOf(result);
    QCOMPARE(report["exit"].get<int>(), 1);
    QCOMPARE(report["match"].get<bool>(), false);
    QCOMPARE(report["error"]["code"].get<std::string>(), std::string("verify.mismatch"));
    QVERIFY(!report["why"].get<std::string>().empty());
    QVERIFY(lastMessage(result).startsWith("error: "));
  }

  void tolerancesCount() {
    QCOMPARE(runExportDeck({"verify", program_, digitsCase(), "--atol", "0", "--rtol", "1e-30"}).exit, 1);
    const TemporaryFolder cases;
    QCOMPARE(runExportDeck({"verify", program_, wrongCase(cases), "--atol", "1", "--rtol", "0.1"}).exit, 0);
  }

  void badPrograms_data() {
    QTest::addColumn<QStringList>("words");
    const QString text =
        QString::fromStdString(folder_.write("text.pte", "this is no program at all, only some words"));
    const QString archive = QString::fromStdString(folder_.file("archive.pte"));
    QFile::copy(digitsArchive(), archive);
    const auto whole = readBytes(folder_.file("digits.pte"));
    writeBytes(folder_.file("half.pte"), std::span(whole).first(whole.size() / 2));
    for (const QString& path : {text, archive, QString::fromStdString(folder_.file("half.pte"))}) {
      QTest::addRow("run %s", qPrintable(QFileInfo(path).fileName())) << QStringList{"run", path};
      QTest::addRow("verify %s", qPrintable(QFileInfo(path).fileName())) << QStringList{"verify", path, digitsCase()};
    }
  }
  void badPrograms() {
    QFETCH(QStringList, words);
    const ProgramResult result = runExportDeck(words);
    QVERIFY2(result.exit == 1 || result.exit == 3, result.messages.constData());
    QVERIFY(lastMessage(result).startsWith("error: "));
  }

  // Whatever the bytes are, this program ends with a code and a sentence: a crash ends its child only.
  void mutatedPrograms() {
    const auto whole = readBytes(folder_.file("digits.pte"));
    unsigned state = 12345;
    for (int round = 0; round < 25; ++round) {
      auto bytes = whole;
      for (int change = 0; change < 4; ++change) {
        state = state * 1664525u + 1013904223u;
        bytes[(state >> 8) % std::min<size_t>(bytes.size(), 4000)] = static_cast<std::byte>(state >> 24);
      }
      writeBytes(folder_.file("mutated.pte"), bytes);
      const QString path = QString::fromStdString(folder_.file("mutated.pte"));
      const ProgramResult result = runExportDeck({"verify", path, digitsCase(), "--json"});
      QVERIFY2(result.exit == 0 || result.exit == 1 || result.exit == 3, result.messages.constData());
      QCOMPARE(jsonOf(result)["exit"].get<int>(), result.exit);
      const ProgramResult looked = runExportDeck({"inspect", path});
      QVERIFY2(looked.exit == 0 || looked.exit == 3, looked.messages.constData());
    }
  }

  void missingFiles() {
    QCOMPARE(runExportDeck({"verify", program_, "/nonexistent"}).exit, 3);
    QCOMPARE(runExportDeck({"run", program_, "--inputs", "/nonexistent"}).exit, 3);
    QCOMPARE(runExportDeck({"run", program_, "--outputs", "/nonexistent/out"}).exit, 5);
    QCOMPARE(runExportDeck({"run", program_, "--outputs", "/proc/out"}).exit, 5);
    const int missing = runExportDeck({"run", "/nonexistent.pte"}).exit;
    QVERIFY(missing == 1 || missing == 3);
    QCOMPARE(runExportDeck({"inspect", "/nonexistent.pte"}).exit, 3);
    QCOMPARE(runExportDeck({"inspect", "/tmp"}).exit, 5);
  }

  // The child dies: a diagnostic naming the signal, exit 1.
  void crashesAreTold() {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const std::string script = folder_.write("crash", "#!/bin/sh\nkill -SEGV $$\n");
    QFile::setPermissions(QString::fromStdString(script), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    environment.insert("EXPORTDECK_CLI", QString::fromStdString(script));
    process.setProcessEnvironment(environment);
    process.start(programPath("exportdeck"), {"run", program_});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().contains("died by signal 11 (SIGSEGV)"));
  }

  void inspectsArchives() {
    const ProgramResult text = runExportDeck({"inspect", digitsArchive()});
    QCOMPARE(text.exit, 0);
    QVERIFY(text.output.contains("float32 [1, 1, 8, 8]"));
    const json report = jsonOf(runExportDeck({"inspect", digitsArchive(), "--json"}));
    for (const char* key : {"kind", "path", "bytes", "torch_version", "schema", "dialect", "inputs", "outputs",
                            "parameters", "parameter_bytes", "operators", "nodes"}) {
      QVERIFY2(report.contains(key), key);
    }
    QCOMPARE(report["kind"].get<std::string>(), std::string("pt2"));
    QCOMPARE(report["inputs"][0]["shape"].dump(), std::string("[1,1,8,8]"));
    QVERIFY(report["parameters"].get<int>() > 100);
    QVERIFY(report["operators"].contains("aten.conv2d.default"));
  }

  void inspectsPrograms() {
    const ProgramResult text = runExportDeck({"inspect", program_});
    QCOMPARE(text.exit, 0);
    QVERIFY(text.output.contains("XnnpackBackend"));
    const json report = jsonOf(runExportDeck({"inspect", program_, "--json"}));
    QCOMPARE(report["kind"].get<std::string>(), std::string("pte"));
    const json& method = report["methods"][0];
    QCOMPARE(method["name"].get<std::string>(), std::string("forward"));
    QCOMPARE(method["delegates"][0]["id"].get<std::string>(), std::string("XnnpackBackend"));
    QCOMPARE(method["inputs"][0]["shape"].dump(), std::string("[1,1,8,8]"));
    QVERIFY(!method["arena_bytes"].empty());
    QCOMPARE(report["runtime"]["backends"].dump(), std::string("[\"XnnpackBackend\"]"));
  }

  // What inspect says that the runtime must have is a list that the exporter takes, and no shorter one does.
  void saysWhatTheRuntimeNeeds() {
    const QString path = QString::fromStdString(folder_.file("kernels.pte"));
    const QStringList words{"export", digitsArchive(), "-o", path, "--backend", "portable", "--force"};
    QCOMPARE(runExportDeck(words).exit, 0);
    const json runtime = jsonOf(runExportDeck({"inspect", path, "--json"}))["runtime"];
    QVERIFY(runtime["backends"].empty());
    QCOMPARE(runtime["runtime_profiles"].dump(), std::string("[\"optimized\",\"quantized\"]"));
    QCOMPARE(runtime["kernels"]["optimized"].dump(), std::string("[\"aten::linear.out\"]"));
    QVERIFY(runtime["kernels"]["portable"].dump().find("aten::convolution.out") != std::string::npos);
    const auto line = runtime["select_ops_list"].get<std::string>();
    const QByteArray text = runExportDeck({"inspect", path}).output;
    QVERIFY2(text.contains("EXECUTORCH_SELECT_OPS_LIST=" + QByteArray::fromStdString(line) + "\n"), text.constData());
    const auto runtimeFile = [&](const std::string& list) {
      return QStringList{"--runtime-profile", QString::fromStdString(folder_.write("ops.txt", list))};
    };
    QCOMPARE(runExportDeck(words + runtimeFile(line)).exit, 0);
    QCOMPARE(runExportDeck(words + runtimeFile(line.substr(line.find(',') + 1))).exit, 4);
  }

 private:
  TemporaryFolder folder_;
  QString program_;
};

QTEST_GUILESS_MAIN(TestCliRun)
#include "tst_cli_run.moc"
