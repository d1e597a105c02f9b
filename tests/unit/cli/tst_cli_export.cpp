// `exportdeck export`: what it writes and tells, and every way in which it refuses.
#include <algorithm>

#include "cli_support.h"

using namespace exportdeck::tests;
using nlohmann::json;

namespace {

QStringList exportWords(const TemporaryFolder& folder, const QStringList& more = {}) {
  return QStringList{"export", digitsArchive(), "-o", QString::fromStdString(folder.file("out.pte"))} + more;
}

}  // namespace

class TestCliExport : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY2(QFile::exists(programPath("exportdeck")), "EXPORTDECK_BIN names the folder of the programs");
  }

  void reports() {
    const TemporaryFolder folder;
    const ProgramResult result =
        runExportDeck(exportWords(folder, {"--json", "--set", "alignment=32", "--set", "alignment=64"}));
    QVERIFY2(result.exit == 0, result.messages.constData());
    const json report = jsonOf(result);
    for (const char* key :
         {"source", "output", "backend", "engine", "options", "profile", "stages", "seconds", "coverage", "plan",
          "sizes", "verification", "command_line", "diagnostics", "runtime_profile"}) {
      QVERIFY2(report.contains(key), key);
    }
    QCOMPARE(report["options"]["alignment"].get<int>(), 64);  // the last one wins
    QCOMPARE(report["options"]["per_op_mode"].dump(), std::string("false"));
    QVERIFY(report["profile"].is_null());
    QVERIFY(report["verification"].is_null());
    QCOMPARE(report["command_line"][0].get<std::string>(), std::string("exportdeck"));
    QCOMPARE(report["command_line"].size(), size_t{10});
    QCOMPARE(folder.listing(), std::string("out.export.json out.pte"));
    QCOMPARE(report["output"]["bytes"].get<size_t>(), readBytes(folder.file("out.pte")).size());
    QVERIFY(json::parse(readText(folder.file("out.export.json")))["source"] == report["source"]);
    QCOMPARE(result.messages, QByteArray());
  }

  void reportsForPeople() {
    const TemporaryFolder folder;
    const ProgramResult result = runExportDeck(exportWords(folder, {"--progress", "text", "--verify", "run"}));
    QCOMPARE(result.exit, 0);
    for (const char* word :
         {"size", "time", "delegated", "of the bytes", "runtime", "quantized", "arena", "checked", "out.export.json"})
      QVERIFY2(result.output.contains(word), word);
    for (const char* stage : {"read", "lower", "partition", "write", "verify", "publish"}) {
      QVERIFY2(result.messages.contains(stage), stage);
    }
  }

  void progressAsJson() {
    const TemporaryFolder folder;
    const ProgramResult result = runExportDeck(exportWords(folder, {"--progress", "json", "--json"}));
    QCOMPARE(result.exit, 0);
    QStringList told;
    for (const QByteArray& line : result.messages.trimmed().split('\n')) {
      const json event = json::parse(line.begin(), line.end(), nullptr, false);
      QVERIFY2(event.is_object(), line.constData());
      QCOMPARE(event["v"].get<int>(), 1);
      const auto name = event["event"].get<std::string>();
      if (name == "plan")
        QCOMPARE(event["stages"].dump(), std::string(R"(["read","lower","partition","write","publish"])"));
      if (name == "started" || name == "finished")
        told << QString::fromStdString(name + " " + event["stage"].get<std::string>());
    }
    QCOMPARE(told, (QStringList{"started read", "finished read", "started lower", "finished lower", "started partition",
                                "finished partition", "started write", "finished write", "started publish",
                                "finished publish"}));
  }

  void verifies() {
    const TemporaryFolder folder;
    const json byCase =
        jsonOf(runExportDeck(exportWords(folder, {"--json", "--verify", digitsCase()})))["verification"];
    QCOMPARE(byCase["kind"].get<std::string>(), std::string("case"));
    QVERIFY(byCase["match"].get<bool>());
    const json byRun =
        jsonOf(runExportDeck(exportWords(folder, {"--json", "--force", "--verify", "run"})))["verification"];
    QCOMPARE(byRun["kind"].get<std::string>(), std::string("run"));
    QCOMPARE(byRun["inputs"].get<std::string>(), std::string("sample"));
    QVERIFY(byRun["match"].is_null());
  }

  // Random inputs: the indices stay inside the program's tables.
  void verifiesOnRandomInputs_data() {
    QTest::addColumn<QString>("archive");
    QTest::newRow("digits") << digitsArchive();
    for (const char* name :
         {"embedding", "embedding_padidx_i32", "index_select", "gather_scatter", "index_tensor_multi", "hf_bert"}) {
      if (sharedCaseExists(name)) QTest::newRow(name) << QString::fromStdString(sharedCase(name) + "/model.pt2");
    }
  }
  void verifiesOnRandomInputs() {
    QFETCH(QString, archive);
    const TemporaryFolder folder;
    const ProgramResult result =
        runExportDeck({"export", withoutSamples(archive, folder), "-o", QString::fromStdString(folder.file("out.pte")),
                       "--verify", "run", "--json"});
    QVERIFY2(result.exit == 0, result.messages.constData());
    QCOMPARE(jsonOf(result)["verification"]["inputs"].get<std::string>(), std::string("random"));
  }

  // Every option is honoured: the program is another one, and still right.
  void optionsKeepTheNumbers_data() {
    QTest::addColumn<QStringList>("settings");
    QTest::newRow("inputs unplanned") << QStringList{"plan_inputs=false"};
    QTest::newRow("outputs unplanned") << QStringList{"plan_outputs=false"};
    QTest::newRow("neither planned") << QStringList{"plan_inputs=false", "plan_outputs=false"};
    QTest::newRow("aligned") << QStringList{"alignment=4096"};
    QTest::newRow("segments aligned") << QStringList{"segment_alignment=65536"};
    QTest::newRow("an operator each") << QStringList{"per_op_mode=true"};
    QTest::newRow("convolutions kept out") << QStringList{"exclude_ops=aten.conv2d.default"};
    QTest::newRow("activations apart") << QStringList{"fuse_activations=false"};
  }
  void optionsKeepTheNumbers() {
    QFETCH(QStringList, settings);
    const TemporaryFolder folder;
    QCOMPARE(runExportDeck(exportWords(folder)).exit, 0);
    const exportdeck::Bytes plain = readBytes(folder.file("out.pte"));
    QStringList words = exportWords(folder, {"--force", "--verify", digitsCase()});
    for (const QString& setting : settings) words << "--set" << setting;
    const ProgramResult result = runExportDeck(words);
    QVERIFY2(result.exit == 0, result.messages.constData());
    QVERIFY2(readBytes(folder.file("out.pte")) != plain, "the option changed nothing");
  }

  void smallDelegatesCanBeLeftOut() {
    const TemporaryFolder folder;
    const QString conv = QString::fromStdString(repositoryFile("tests/cases/conv1d"));
    const QStringList words{
        "export", conv + "/model.pt2", "-o",    QString::fromStdString(folder.file("out.pte")), "--verify",
        conv,     "--force",           "--json"};
    QVERIFY(jsonOf(runExportDeck(words))["coverage"]["delegated"].get<int>() > 0);
    const json coverage = jsonOf(runExportDeck(words + QStringList{"--set", "min_delegate_nodes=1000"}))["coverage"];
    QCOMPARE(coverage["delegated"].get<int>(), 0);
    QVERIFY(coverage["not_delegated"][0]["reason"].get<std::string>().find("fewer than 1000") != std::string::npos);
  }

  void coverageIsCountedSeveralWays() {
    const TemporaryFolder folder;
    const json coverage = jsonOf(runExportDeck(exportWords(folder, {"--json"})))["coverage"];
    for (const char* table : {"by_operator", "by_module", "by_module_path"}) {
      QVERIFY2(!coverage[table].empty(), table);
      for (const auto& [field, total] : {std::pair{"total", "nodes"},
                                         {"delegated", "delegated"},
                                         {"multiply_adds", "multiply_adds"},
                                         {"bytes", "bytes"}}) {
        uint64_t sum = 0;
        for (const json& row : coverage[table]) sum += row[field].get<uint64_t>();
        QCOMPARE(sum, coverage[total].get<uint64_t>());
      }
    }
    QVERIFY(coverage["delegated_bytes"].get<uint64_t>() <= coverage["bytes"].get<uint64_t>());
  }

  // A long list of what was left out is cut, the costliest first.
  void leftOutForPeople() {
    const TemporaryFolder folder;
    const ProgramResult result = runExportDeck(exportWords(folder, {"--set", "exclude_ops=aten.convolution.default"}));
    QCOMPARE(result.exit, 0);
    const qsizetype at = result.output.indexOf("Not delegated");
    QVERIFY2(at >= 0, result.output.constData());
    const QByteArray first = result.output.mid(at).split('\n').at(1);
    QVERIFY2(first.contains("aten.convolution.default") && first.contains("exclude_ops") && first.contains(".py:"),
             first.constData());
  }

  void runtimeProfiles_data() {
    QTest::addColumn<QString>("backend");
    QTest::addColumn<QString>("runtime");
    for (const char* backend : {"portable", "xnnpack"}) {
      for (const char* runtime : {"portable", "optimized", "quantized"})
        QTest::addRow("%s for %s", backend, runtime) << backend << runtime;
    }
  }
  // The program of each is right and calls no kernel that the profile lacks: a list of just its kernels lets it pass.
  void runtimeProfiles() {
    QFETCH(QString, backend);
    QFETCH(QString, runtime);
    const TemporaryFolder folder;
    const QStringList words =
        exportWords(folder, {"--json", "--force", "--backend", backend, "--verify", digitsCase()});
    const ProgramResult result = runExportDeck(words + QStringList{"--runtime-profile", runtime});
    QVERIFY2(result.exit == 0, result.messages.constData());
    const json report = jsonOf(result);
    QCOMPARE(report["runtime_profile"]["name"].get<std::string>(), runtime.toStdString());
    QVERIFY(!report["runtime_profile"]["meaning"].get<std::string>().empty());
    QVERIFY(json::parse(readText(folder.file("out.export.json")))["runtime_profile"] == report["runtime_profile"]);
    const auto kernels = report["plan"]["kernels"].get<std::vector<std::string>>();
    if (runtime == "portable") QVERIFY(std::ranges::find(kernels, "aten::linear.out") == kernels.end());
    std::string list = "# a selective build\n";
    for (const std::string& kernel : kernels) list += kernel + "\n";
    const QString file = QString::fromStdString(folder.write("ops.txt", list));
    const json own = jsonOf(runExportDeck(words + QStringList{"--runtime-profile", file}));
    QCOMPARE(own["exit"].get<int>(), 0);
    QCOMPARE(own["runtime_profile"]["name"].get<std::string>(), file.toStdString());
    QVERIFY(own["plan"]["kernels"] == report["plan"]["kernels"]);
  }

  void missingKernelsAreRefused() {
    const TemporaryFolder folder, lists;
    const QString file = QString::fromStdString(lists.write("ops.txt", "aten::relu.out, aten::linear.out\n"));
    const ProgramResult result =
        runExportDeck(exportWords(folder, {"--json", "--backend", "portable", "--runtime-profile", file}));
    QCOMPARE(result.exit, 4);
    const json error = jsonOf(result)["error"];
    QCOMPARE(error["code"].get<std::string>(), std::string("operator.unsupported"));
    const auto message = error["message"].get<std::string>();
    QVERIFY2(message.find("ops.txt has no kernel aten::convolution.out") != std::string::npos, message.c_str());
    QVERIFY(error["where"]["source_line"].get<int>() > 0);
    QVERIFY(!error["where"]["module_path"].get<std::string>().empty());
    const std::string fixes = error["fixes"].dump();
    for (const char* fix : {"--backend xnnpack", "--runtime-profile portable", "Add aten::convolution.out"})
      QVERIFY2(fixes.find(fix) != std::string::npos, fixes.c_str());
    QCOMPARE(folder.listing(), std::string());
    const ProgramResult kept = runExportDeck(
        exportWords(folder, {"--runtime-profile", file, "--set", "exclude_ops=aten.convolution.default"}));
    QCOMPARE(kept.exit, 4);
    QVERIFY2(lastMessage(kept).contains("Remove it from exclude_ops: set exclude_ops="), kept.messages.constData());
    const ProgramResult delegated = runExportDeck(exportWords(folder, {"--runtime-profile", file}));
    QVERIFY2(delegated.exit == 0, delegated.messages.constData());
    QVERIFY(delegated.output.contains(file.toUtf8()));
  }

  void badRuntimeProfiles() {
    const TemporaryFolder folder, lists;
    const auto refusal = [&](const QString& runtime) {
      return runExportDeck(exportWords(folder, {"--runtime-profile", runtime}));
    };
    const ProgramResult mistyped = refusal("portabel");
    QCOMPARE(mistyped.exit, 2);
    QVERIFY(lastMessage(mistyped).contains("use --runtime-profile portable"));
    QCOMPARE(refusal("/nonexistent/ops.txt").exit, 3);
    const ProgramResult bad = refusal(QString::fromStdString(lists.write("bad.txt", "aten::add.out\naten.mul.out\n")));
    QCOMPARE(bad.exit, 3);
    QVERIFY2(lastMessage(bad).contains("bad.txt, line 2"), bad.messages.constData());
    QCOMPARE(refusal(digitsArchive()).exit, 3);
    QCOMPARE(refusal("/tmp").exit, 5);
    QCOMPARE(folder.listing(), std::string());
  }

  void mismatchPublishesNothing() {
    const TemporaryFolder folder, cases;
    const QString wrong = wrongCase(cases);
    const ProgramResult result = runExportDeck(exportWords(folder, {"--json", "--verify", wrong}));
    QCOMPARE(result.exit, 1);
    QCOMPARE(jsonOf(result)["error"]["code"].get<std::string>(), std::string("verify.mismatch"));
    QVERIFY(lastMessage(result).startsWith("error: "));
    QCOMPARE(folder.listing(), std::string());
    QCOMPARE(runExportDeck(exportWords(folder, {"--verify", wrong, "--keep-rejected"})).exit, 1);
    QCOMPARE(folder.listing(), std::string("out.rejected"));
  }

  void keepsWhatIsThere() {
    const TemporaryFolder folder;
    folder.write("out.pte", "mine");
    const ProgramResult refused = runExportDeck(exportWords(folder));
    QCOMPARE(refused.exit, 5);
    QVERIFY(lastMessage(refused).contains("--force"));
    QCOMPARE(readText(folder.file("out.pte")), std::string("mine"));
    QCOMPARE(folder.listing(), std::string("out.pte"));
    QCOMPARE(runExportDeck(exportWords(folder, {"--force"})).exit, 0);
    QVERIFY(readBytes(folder.file("out.pte")).size() > 1000);
  }

  void dumps() {
    const TemporaryFolder folder, dumps;
    QCOMPARE(runExportDeck(exportWords(folder, {"--dump-ir", QString::fromStdString(dumps.file("ir"))})).exit, 0);
    QVERIFY(QDir(QString::fromStdString(dumps.file("ir"))).entryList(QDir::Files).size() > 2);
  }

  void refusals_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("exit");
    QTest::addColumn<QString>("says");
    QTest::newRow("unknown backend")
        << QStringList{"--backend", "xnnpak"} << 4
        << "Unsupported backend xnnpak for ExecuTorch export: supported are portable, xnnpack";
    QTest::newRow("alias") << QStringList{"--backend", "XnnpackBackend"} << 4 << "backend ids are lower case: xnnpack";
    QTest::newRow("another engine's backend")
        << QStringList{"--backend", "cuda"} << 4 << "the native engine does not lower to it";
    QTest::newRow("unavailable backend") << QStringList{"--backend", "mps"} << 4 << "Backend mps is not available here";
    QTest::newRow("unknown option") << QStringList{"--set", "alignmnt=16"} << 4 << "use alignment";
    QTest::newRow("value out of range") << QStringList{"--set", "alignment=8"} << 2 << "below the least value 16";
    QTest::newRow("value of a wrong kind") << QStringList{"--set", "plan_inputs=1"} << 2 << "expects true or false";
    QTest::newRow("option of another backend")
        << QStringList{"--backend", "portable", "--set", "per_op_mode=true"} << 4 << "There is no option";
    QTest::newRow("no such profile") << QStringList{"--profile", "Fone CPU"} << 3 << "use --profile 'Phone CPU'";
    QTest::newRow("profile and backend differ")
        << QStringList{"--profile", "Phone CPU", "--backend", "portable"} << 2 << "leave one of them out";
    QTest::newRow("no such case") << QStringList{"--verify", "rum"} << 3 << "use --verify run";
  }
  void refusals() {
    QFETCH(QStringList, words);
    QFETCH(int, exit);
    QFETCH(QString, says);
    const TemporaryFolder folder;
    const ProgramResult result = runExportDeck(exportWords(folder, words));
    QCOMPARE(result.exit, exit);
    QCOMPARE(result.output, QByteArray());
    QVERIFY2(lastMessage(result).contains(says.toUtf8()), result.messages.constData());
    QCOMPARE(folder.listing(), std::string());
    // The same in JSON, with the error last among the events and the diagnostics.
    const ProgramResult asJson =
        runExportDeck(exportWords(folder, words + QStringList{"--json", "--progress", "json"}));
    QCOMPARE(asJson.exit, exit);
    const json object = jsonOf(asJson);
    QCOMPARE(object["command"].get<std::string>(), std::string("export"));
    QCOMPARE(object["exit"].get<int>(), exit);
    QVERIFY(object["diagnostics"].back() == object["error"]);
    const QByteArray last = lastMessage(asJson);
    QVERIFY(json::parse(last.begin(), last.end())["diagnostic"] == object["error"]);
  }

  void badSources_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("no zip") << QByteArray("hello, this is no archive at all");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("a zip's beginning") << QByteArray("PK\x03\x04 and nothing more");
  }
  void badSources() {
    QFETCH(QByteArray, content);
    const TemporaryFolder folder;
    const QString source = QString::fromStdString(folder.write("in.pt2", content.toStdString()));
    const ProgramResult result =
        runExportDeck({"export", source, "-o", QString::fromStdString(folder.file("out.pte"))});
    QCOMPARE(result.exit, 3);
    QVERIFY(lastMessage(result).startsWith("error: "));
    QCOMPARE(folder.listing(), std::string("in.pt2"));
  }

  void missingSource() {
    const TemporaryFolder folder;
    const ProgramResult result =
        runExportDeck({"export", "/nonexistent.pt2", "-o", QString::fromStdString(folder.file("out.pte"))});
    QCOMPARE(result.exit, 3);
    QVERIFY(lastMessage(result).contains("/nonexistent.pt2"));
    QCOMPARE(folder.listing(), std::string());
  }

  void unwritableOutputs_data() {
    QTest::addColumn<QString>("output");
    QTest::newRow("folder missing") << "/nonexistent/out.pte";
    QTest::newRow("read-only folder") << "/proc/out.pte";
    QTest::newRow("a file in the way") << digitsArchive() + "/out.pte";
    QTest::newRow("a folder") << "/tmp";
    QTest::newRow("a full disk") << "/dev/full";
  }
  void unwritableOutputs() {
    QFETCH(QString, output);
    const ProgramResult result = runExportDeck({"export", digitsArchive(), "-o", output, "--force"});
    QCOMPARE(result.exit, 5);
    QVERIFY2(lastMessage(result).contains(output.toUtf8()), result.messages.constData());
    QVERIFY(QFileInfo::exists("/dev/full") && !QFileInfo("/dev/full").isFile());
  }

  void profiles() {
    const TemporaryFolder folder;
    const QString path =
        QString::fromStdString(folder.write("p.json",
                                            "{\"exportdeck_profile\": 1, \"name\": \"P\", \"backend\": \"portable\", "
                                            "\"export_options\": {\"alignment\": 64}}"));
    const json report =
        jsonOf(runExportDeck(exportWords(folder, {"--json", "--profile", path, "--set", "plan_inputs=false"})));
    QCOMPARE(report["profile"].get<std::string>(), std::string("P"));
    QCOMPARE(report["backend"].get<std::string>(), std::string("portable"));
    QCOMPARE(report["options"]["alignment"].get<int>(), 64);
    QCOMPARE(report["options"]["plan_inputs"].get<bool>(), false);
    const json named = jsonOf(runExportDeck(exportWords(folder, {"--json", "--force", "--profile", "Phone CPU"})));
    QCOMPARE(named["options"]["segment_alignment"].get<int>(), 16384);
  }

  void badProfiles_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    QTest::newRow("no JSON") << QByteArray("{") << "the file is no JSON";
    QTest::newRow("newer") << QByteArray("{\"exportdeck_profile\": 9}") << "written by a newer ExportDeck";
    QTest::newRow("unknown key")
        << QByteArray("{\"exportdeck_profile\": 1, \"name\": \"a\", \"backend\": \"portable\", \"colour\": 1}")
        << "colour";
    QTest::newRow("wrong type") << QByteArray(
                                       "{\"exportdeck_profile\": 1, \"name\": \"a\", \"backend\": \"portable\","
                                       " \"export_options\": {\"alignment\": true}}")
                                << "the value is a bool";
    QTest::newRow("out of range") << QByteArray(
                                         "{\"exportdeck_profile\": 1, \"name\": \"a\", \"backend\": \"portable\","
                                         " \"export_options\": {\"alignment\": 8}}")
                                  << "below the least value 16";
  }
  void badProfiles() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    const TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.write("p.json", content.toStdString()));
    const ProgramResult result = runExportDeck(exportWords(folder, {"--profile", path}));
    QCOMPARE(result.exit, 3);
    QVERIFY2(lastMessage(result).contains(says.toUtf8()), result.messages.constData());
    QCOMPARE(folder.listing(), std::string("p.json"));
  }

  void constantsInAFileBeside() {
    const TemporaryFolder folder;
    const ProgramResult result =
        runExportDeck(exportWords(folder, {"--json", "--external-constants", "--verify", digitsCase()}));
    QVERIFY2(result.exit == 0, result.messages.constData());
    const json report = jsonOf(result);
    QCOMPARE(folder.listing(), std::string("out.export.json out.ptd out.pte"));
    QCOMPARE(report["external"]["path"].get<std::string>(), folder.file("out.ptd"));
    QCOMPARE(report["external"]["bytes"].get<size_t>(), readBytes(folder.file("out.ptd")).size());
    QCOMPARE(report["verification"]["match"].dump(), std::string("true"));
    const QString program = QString::fromStdString(folder.file("out.pte"));
    QCOMPARE(runExportDeck({"verify", program, digitsCase()}).exit, 0);
    // A taken name of either file is refused, and neither changes.
    QFile::remove(program);
    QCOMPARE(runExportDeck(exportWords(folder, {"--external-constants"})).exit, 5);
    QCOMPARE(folder.listing(), std::string("out.export.json out.ptd"));
    const ProgramResult lost = runExportDeck(exportWords(folder, {"--external-constants", "--force"}));
    QVERIFY2(lost.exit == 0, lost.messages.constData());
    QVERIFY(
        QFile::rename(QString::fromStdString(folder.file("out.ptd")), QString::fromStdString(folder.file("x.ptd"))));
    const ProgramResult without = runExportDeck({"run", program});
    QCOMPARE(without.exit, 1);
    QVERIFY2(without.messages.contains("--data"), without.messages.constData());
    QCOMPARE(runExportDeck({"run", program, "--data", QString::fromStdString(folder.file("x.ptd"))}).exit, 0);
  }

  // Weights become integers; the report says which, how large they were, and how far the outputs are from the floats'.
  void quantises_data() {
    QTest::addColumn<QString>("linear");
    QTest::addColumn<QString>("form");
    QTest::addColumn<double>("decibels");
    QTest::addColumn<double>("share");  // of the bytes before, at most
    QTest::newRow("half") << "fp16_weights" << "float16" << 55.0 << 0.5;
    QTest::newRow("int8") << "int8_weights" << "int8" << 35.0 << 0.3;
    QTest::newRow("dynamic") << "int8_dynamic" << "int8 dynamic" << 35.0 << 0.3;
    QTest::newRow("int4") << "int4_dynamic" << "int4 dynamic" << 15.0 << 0.2;
  }
  void quantises() {
    QFETCH(QString, linear);
    QFETCH(QString, form);
    QFETCH(double, decibels);
    QFETCH(double, share);
    const TemporaryFolder folder;
    const ProgramResult result =
        runExportDeck(exportWords(folder, {"--json", "--set", "quantize=" + linear, "--verify", digitsCase()}));
    QVERIFY2(result.exit == 0, result.messages.constData());
    const json report = jsonOf(result), found = report["quantisation"];
    QCOMPARE(report["verification"]["match"].dump(), std::string("true"));
    QVERIFY(found["quantised"].get<int>() > 0);
    QCOMPARE(found["weights"][0]["form"].get<std::string>(), form.toStdString());
    QVERIFY(found["bytes_after"].get<double>() <= share * found["bytes_before"].get<double>());
    const double ratio = found["error"]["snr_db"].get<double>();
    QVERIFY2(ratio > decibels && ratio < 100, qPrintable(QString::number(ratio)));
    const size_t size = readBytes(folder.file("out.pte")).size();
    const ProgramResult again = runExportDeck(exportWords(folder, {"--json", "--force"}));
    QVERIFY(size < readBytes(folder.file("out.pte")).size());
    QVERIFY(jsonOf(again)["quantisation"].is_null());
  }

  void nothingToQuantise() {
    const TemporaryFolder folder;
    const ProgramResult result =
        runExportDeck(exportWords(folder, {"--json", "--set", "quantize=int8_weights", "--set", "quantize_except=*"}));
    QVERIFY2(result.exit == 0, result.messages.constData());
    QVERIFY2(result.messages.contains("nothing of the method forward was quantised"), result.messages.constData());
    QVERIFY(!jsonOf(result)["quantisation"].contains("error"));
  }

  void severalMethods() {
    const TemporaryFolder folder;
    const ProgramResult result = runExportDeck(
        exportWords(folder, {"--json", "--method", "again=" + digitsArchive(), "--verify", digitsCase()}));
    QVERIFY2(result.exit == 0, result.messages.constData());
    const json report = jsonOf(result);
    QCOMPARE(report["methods"].size(), size_t{2});
    QCOMPARE(report["methods"][1]["name"].get<std::string>(), std::string("again"));
    QCOMPARE(report["methods"][0]["verification"]["kind"].get<std::string>(), std::string("case"));
    QCOMPARE(report["methods"][1]["verification"]["kind"].get<std::string>(), std::string("run"));
    const TemporaryFolder single;
    const json one = jsonOf(runExportDeck(exportWords(single, {"--json"})));
    QVERIFY(report["sizes"]["named_data"] == one["sizes"]["named_data"]);  // the weights are there once
    QVERIFY(report["sizes"]["delegates"] == one["sizes"]["delegates"]);
    const QString program = QString::fromStdString(folder.file("out.pte"));
    QCOMPARE(runExportDeck({"verify", program, digitsCase(), "--method", "again"}).exit, 0);
    const ProgramResult missing = runExportDeck({"run", program, "--method", "other"});
    QCOMPARE(missing.exit, 1);
    QVERIFY2(missing.messages.contains("again, forward"), missing.messages.constData());
    const ProgramResult repeated =
        runExportDeck({"export", "--from", QString::fromStdString(folder.file("out.export.json")), "-o",
                       QString::fromStdString(folder.file("two.pte")), "--json"});
    QVERIFY2(repeated.exit == 0, repeated.messages.constData());
    QVERIFY(jsonOf(repeated)["output"]["hash"] == report["output"]["hash"]);
  }

  void methodsThatCannotBe() {
    const TemporaryFolder folder;
    QCOMPARE(runExportDeck(exportWords(folder, {"--method", "again"})).exit, 2);
    QCOMPARE(runExportDeck(exportWords(folder, {"--method", "forward=" + digitsArchive()})).exit, 2);
    QCOMPARE(runExportDeck(exportWords(folder, {"--method", "again=missing.pt2"})).exit, 3);
    QCOMPARE(folder.listing(), std::string());
  }
};

QTEST_GUILESS_MAIN(TestCliExport)
#include "tst_cli_export.moc"
