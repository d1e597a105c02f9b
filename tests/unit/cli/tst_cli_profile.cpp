// The verb `profile`, and exports that are repeated from their record.
#include "cli_support.h"

using namespace exportdeck::tests;
using nlohmann::json;

class TestCliProfile : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    folder_ = std::make_unique<TemporaryFolder>();
    qputenv("XDG_CONFIG_HOME", QByteArray::fromStdString(folder_->file("config")));
  }
  void cleanup() { folder_.reset(); }

  void newListShow() {
    const json made = report({"new", "Mine", "--set", "alignment=64", "--set-runtime", "weight_cache_enabled=true"});
    QVERIFY(made["path"].get<std::string>().ends_with("exportdeck/profiles/Mine.json"));
    QCOMPARE(run({"new", "Mine"}).exit, 5);
    QCOMPARE(run({"new", "Mine", "--force", "--set", "alignment=32"}).exit, 0);
    std::vector<std::string> names;
    const json listed = report({"list"});
    for (const auto& profile : listed["profiles"]) {
      names.push_back(profile["name"].get<std::string>());
      QCOMPARE(profile["problems"].get<int>(), 0);
      QCOMPARE(profile["built_in"].get<bool>(), names.back() != "Mine");
    }
    QVERIFY(std::ranges::find(names, "Mine") != names.end() && names.size() > 3);
    const json shown = report({"show", "Mine"});
    QCOMPARE(shown["export_options"].dump(), std::string("{\"alignment\":32}"));
    QCOMPARE(shown["resolved"]["runtime_options"]["weight_cache_enabled"].get<bool>(), false);
    QVERIFY(run({"show", "Mine"}).output.contains("alignment  32"));
    QVERIFY(run({"list"}).output.contains("built in"));
  }

  void newRefuses_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("exit");
    QTest::addColumn<QString>("says");
    QTest::newRow("unknown backend") << QStringList{"--backend", "xnpack"} << 4 << "nearest match is xnnpack";
    QTest::newRow("unknown option") << QStringList{"--set", "alignmnt=1"} << 4 << "use alignment";
    QTest::newRow("out of range") << QStringList{"--set", "alignment=8"} << 2 << "\"alignment\" expects";
    QTest::newRow("runtime") << QStringList{"--set-runtime", "workspace_sharing_mode=9"} << 2 << "above the greatest";
    QTest::newRow("nowhere") << QStringList{"-o", "/nonexistent/p.json"} << 5 << "cannot be written";
  }
  void newRefuses() {
    QFETCH(QStringList, words);
    QFETCH(int, exit);
    QFETCH(QString, says);
    const ProgramResult result = run(QStringList{"new", "Mine"} + words);
    QCOMPARE(result.exit, exit);
    QVERIFY2(lastMessage(result).contains(says.toUtf8()), result.messages.constData());
    QCOMPARE(folder_->listing(), std::string());
  }

  // One rule wherever a name is given: typed, in a file, or in place of a file's own.
  void names_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("says");
    QTest::newRow("path") << "Phone/CPU" << "it holds \"/\"";
    QTest::newRow("line break") << "a\nb" << "it holds a line break";
    QTest::newRow("space at the end") << "a " << "it ends with a space";
    QTest::newRow("empty") << "" << "it is empty";
    QTest::newRow("reserved") << "nul" << "device on Windows";
  }
  void names() {
    QFETCH(QString, name);
    QFETCH(QString, says);
    const QString good = QString::fromStdString(
        folder_->write("good.json", R"({"exportdeck_profile": 1, "name": "a", "backend": "xnnpack"})"));
    const json named = {{"exportdeck_profile", 1}, {"name", name.toStdString()}, {"backend", "xnnpack"}};
    const QString bad = QString::fromStdString(folder_->write("bad.json", named.dump()));
    const QString to = QString::fromStdString(folder_->file("to.json"));
    const std::vector<std::pair<QStringList, int>> calls{{{"new", name}, 2},
                                                         {{"new", name, "-o", to}, 2},
                                                         {{"import", good, "-o", to, "--name", name}, 2},
                                                         {{"check", bad}, 3}};
    for (const auto& [words, exit] : calls) {
      const ProgramResult result = run(words);
      QCOMPARE(result.exit, exit);
      const QByteArray told = result.output + result.messages;
      QVERIFY2(told.contains(says.toUtf8()), told.constData());
    }
    QCOMPARE(folder_->listing(), std::string("bad.json good.json"));
    // An import keeps what is valid, and says what it is called now.
    const json imported = report({"import", bad, "-o", to});
    QCOMPARE(imported["problems"][0]["key"].get<std::string>(), std::string("name"));
    QCOMPARE(run({"check", to}).exit, 0);
  }

  void checks_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("exit");
    QTest::addColumn<QString>("says");
    const char* start = R"({"exportdeck_profile": 1, "name": "a", "backend": "xnnpack")";
    const auto row = [&](const char* name, const char* fields, int exit, const char* says) {
      QTest::newRow(name) << QByteArray(start) + fields << exit << QString(says);
    };
    row("good", "}", 0, "can be used as it is");
    row("no JSON", "", 3, "the file is no JSON");
    row("unknown field", R"(, "colour": 1})", 3, "colour: there is no such field");
    row("unknown key", R"(, "export_options": {"alignmnt": 1}})", 3, "use alignment");
    row("wrong type", R"(, "export_options": {"alignment": "64"}})", 3, "the value is a text");
    row("range", R"(, "export_options": {"alignment": 8}})", 3, "below the least value 16");
    row("two", R"(, "export_options": {"alignment": 8, "plan_inputs": 1}})", 3, "export_options.plan_inputs");
    row("no effect", R"(, "runtime_options": {"xnnpack": {"packed_cache_path": "/w"}}})", 0, "Acts only while");
    QTest::newRow("newer") << QByteArray(R"({"exportdeck_profile": 3, "name": "a", "backend": "xnnpack"})") << 3
                           << "newer ExportDeck";
    QTest::newRow("unknown backend") << QByteArray(R"({"exportdeck_profile": 1, "name": "a", "backend": "xnnpac"})")
                                     << 3 << "the nearest is xnnpack";
    QTest::newRow("not available here") << QByteArray(R"({"exportdeck_profile": 1, "name": "a", "backend": "cuda"})")
                                        << 4 << "native engine does not lower";
  }
  // All problems are told, and nothing is written.
  void checks() {
    QFETCH(QByteArray, text);
    QFETCH(int, exit);
    QFETCH(QString, says);
    const QString path = QString::fromStdString(folder_->write("p.json", text.toStdString()));
    const ProgramResult result = run({"check", path});
    QCOMPARE(result.exit, exit);
    QVERIFY2((result.output + result.messages).contains(says.toUtf8()), (result.output + result.messages).constData());
    const json object = jsonOf(run({"check", path, "--json"}));
    QCOMPARE(object["exit"].get<int>(), exit);
    QCOMPARE(object["usable"].get<bool>(), exit == 0);
    QCOMPARE(object["problems"].empty(), exit != 3);
    QCOMPARE(folder_->listing(), std::string("p.json"));
  }

  void importKeepsTheValidRest() {
    const std::string before =
        R"({"exportdeck_profile": 7, "name": "Old", "backend": "xnnpac", "export_options": {"alignment": 64, "segment_alignment": 3, "shine": 1}})";
    const QString from = QString::fromStdString(folder_->write("old.json", before));
    const QString to = QString::fromStdString(folder_->file("new.json"));
    const json object = report({"import", from, "-o", to});
    QCOMPARE(object["problems"].size(), size_t{4});
    QCOMPARE(object["export_options"].dump(), std::string("{\"alignment\":64}"));
    QCOMPARE(readText(folder_->file("old.json")), before);
    QCOMPARE(run({"check", to}).exit, 0);
    QCOMPARE(run({"import", from, "-o", to}).exit, 5);
    QCOMPARE(run({"import", from, "-o", to, "--force", "--name", "New"}).exit, 0);
    QCOMPARE(report({"show", to})["name"].get<std::string>(), std::string("New"));
    QCOMPARE(run({"import", digitsArchive(), "-o", to, "--force"}).exit, 3);
    QCOMPARE(run({"import", "/nonexistent", "-o", to, "--force"}).exit, 3);
  }

  void exportAndDiff() {
    const QString to = QString::fromStdString(folder_->file("phone.json"));
    QCOMPARE(run({"export", "Phone CPU", "-o", to}).exit, 0);
    QCOMPARE(run({"export", "Phone CPU", "-o", to}).exit, 5);
    QVERIFY(report({"diff", "Phone CPU", to})["same"].get<bool>());
    const json differs = report({"diff", to, "Smallest arena"});
    QVERIFY(!differs["same"].get<bool>());
    QVERIFY(differs["differences"].size() >= 3);
    QVERIFY(run({"diff", to, "Smallest arena"}).output.contains("plan_inputs"));
    QCOMPARE(run({"diff", to, "Nobody"}).exit, 3);
  }

  void recordRepeats() {
    const QString output = QString::fromStdString(folder_->file("out.pte"));
    const QString record = QString::fromStdString(folder_->file("out.export.json"));
    const QString kernels = QString::fromStdString(folder_->file("again.pte"));
    const json first =
        jsonOf(runExportDeck({"export", digitsArchive(), "-o", output, "--json", "--verify", "run", "--set",
                              "alignment=64", "--set", "exclude_ops=aten.relu.default", "--set-runtime",
                              "workspace_sharing_mode=1", "--runtime-profile", "optimized"}));
    QCOMPARE(first["exit"].get<int>(), 0);
    QCOMPARE(runExportDeck({"export", "--from", record}).exit, 5);
    const json again = jsonOf(runExportDeck({"export", "--from", record, "-o", kernels, "--json"}));
    QCOMPARE(again["exit"].get<int>(), 0);
    for (const char* same : {"backend", "options", "runtime_options", "runtime_profile", "source", "profile"})
      QCOMPARE(again[same].dump(), first[same].dump());
    QCOMPARE(again["output"]["hash"].dump(), first["output"]["hash"].dump());
    QCOMPARE(again["verification"]["kind"].dump(), first["verification"]["kind"].dump());
    QCOMPARE(again["options"]["runtime_profile"].get<std::string>(), std::string("optimized"));
    QVERIFY(readBytes(folder_->file("again.pte")) == readBytes(folder_->file("out.pte")));
    QCOMPARE(run({"import", record, "-o", QString::fromStdString(folder_->file("p.json"))}).exit, 0);
    QCOMPARE(
        report({"show", QString::fromStdString(folder_->file("p.json"))})["export_options"]["alignment"].get<int>(),
        64);
    for (const QStringList& words : {QStringList{"--backend", "xnnpack"}, QStringList{"--profile", "Phone CPU"}})
      QCOMPARE(runExportDeck(QStringList{"export", "--from", record, "--force"} + words).exit, 2);
    // A record of another program, and one of a source that has changed.
    std::string text = readText(folder_->file("out.export.json"));
    const std::string hash = first["output"]["hash"].get<std::string>();
    text.replace(text.find(hash), hash.size(), std::string(hash.size(), '0'));
    const QString other = QString::fromStdString(folder_->write("other.json", text));
    const json warned = jsonOf(runExportDeck({"export", "--from", other, "-o", kernels, "--force", "--json"}));
    QCOMPARE(warned["diagnostics"].back()["code"].get<std::string>(), std::string("repeat.differs"));
    const std::string source = first["source"]["hash"].get<std::string>();
    text.replace(text.find(source), source.size(), std::string(source.size(), '0'));
    const QString changed = QString::fromStdString(folder_->write("changed.json", text));
    const ProgramResult refused = runExportDeck({"export", "--from", changed, "-o", kernels, "--force"});
    QCOMPARE(refused.exit, 3);
    QVERIFY2(lastMessage(refused).contains("has changed since"), refused.messages.constData());
    QCOMPARE(runExportDeck({"export", digitsArchive(), "--from", changed, "-o", kernels, "--force"}).exit, 0);
  }

  void idleOptionsAreTold() {
    const json object =
        jsonOf(runExportDeck({"export", digitsArchive(), "-o", QString::fromStdString(folder_->file("out.pte")),
                              "--json", "--set", "per_op_mode=true", "--set", "min_delegate_nodes=3"}));
    QCOMPARE(object["diagnostics"].front()["code"].get<std::string>(), std::string("option.no-effect"));
  }

 private:
  static ProgramResult run(const QStringList& words) { return runExportDeck(QStringList{"profile"} + words); }
  static json report(const QStringList& words) {
    const ProgramResult result = run(words + QStringList{"--json"});
    if (result.exit != 0) qWarning("%s", result.messages.constData());
    return jsonOf(result);
  }

  std::unique_ptr<TemporaryFolder> folder_;
};

QTEST_GUILESS_MAIN(TestCliProfile)
#include "tst_cli_profile.moc"
