// Options beside others, options that name files, two profiles side by side, and the record of an export.
#include <QTest>

#include "options/export_record.h"
#include "options/profile_difference.h"
#include "support/errors.h"

using namespace exportdeck;
using namespace exportdeck::options;
using exportdeck::tests::errorOf;
using nlohmann::json;

namespace {

const BackendEntry& backend(const char* id) {
  return *Catalogue::builtIn().find(id);
}
Profile profileOf(const char* id) {
  return {id, id, OptionSet(backend(id).exportOptions), OptionSet(backend(id).runtimeOptions)};
}

json recordJson() {
  return {{"exportdeck", "0.1"},
          {"command", "export"},
          {"backend", "portable"},
          {"profile", nullptr},
          {"options", {{"alignment", 64}}},
          {"source", {{"hash", "s"}}},
          {"output", {{"hash", "o"}}},
          {"request", {{"source", "/a.pt2"}, {"output", "/a.pte"}, {"verify", "run"}, {"keep_rejected", true}}}};
}

json entryWith(const json& rules) {
  const json option = {{"key", "b"}, {"type", "int"}, {"default", 1}, {"title", "B"}, {"meaning", "B."}};
  json ruled = option;
  ruled["key"] = "a";
  ruled["rules"] = rules;
  return {{"exportdeck_backend", 1}, {"id", "x"},          {"title", "X"},
          {"summary", "X."},         {"engine", "native"}, {"export_options", json::array({ruled, option})}};
}

}  // namespace

class TestOptionRules : public QObject {
  Q_OBJECT

 private slots:
  void noteHoldsBesideOthers() {
    OptionSet set(backend("xnnpack").exportOptions);
    QVERIFY(set.notes().empty());
    set.set("per_op_mode", true);
    QVERIFY2(set.notes().empty(), "an option at its default says nothing");
    set.set("min_delegate_nodes", int64_t{3});
    QCOMPARE(set.notes().size(), size_t{1});
    QCOMPARE(set.notes().front().code, Code::OptionIdle);
    QVERIFY(set.notes().front().message.starts_with("Option \"min_delegate_nodes\": With one delegate an operator"));
    set.set("per_op_mode", false);
    QVERIFY(set.notes().empty());
  }

  void twoNotes() {
    OptionSet set(backend("xnnpack").runtimeOptions);
    set.set("packed_cache_path", std::string("/tmp/w.bin"));
    QCOMPARE(set.noteOn(*set.find("packed_cache_path")), std::string("Acts only while Weight cache is on."));
    set.set("weight_cache_enabled", true);
    QVERIFY(set.notes().empty());
    set.reset("packed_cache_path");
    set.set("save_weight_cache_on_disk", true);
    QCOMPARE(set.notes().size(), size_t{1});
  }

  void badRules_data() {
    QTest::addColumn<QByteArray>("rules");
    QTest::newRow("no list") << QByteArray("{}");
    QTest::newRow("no note") << QByteArray(R"([{"when": [{"key": "b", "is": 2}]}])");
    QTest::newRow("no condition") << QByteArray(R"([{"when": [], "note": "N."}])");
    QTest::newRow("unknown option") << QByteArray(R"([{"when": [{"key": "c", "is": 2}], "note": "N."}])");
    QTest::newRow("wrong type") << QByteArray(R"([{"when": [{"key": "b", "is": true}], "note": "N."}])");
    QTest::newRow("both") << QByteArray(R"([{"when": [{"key": "b", "is": 2, "is_not": 3}], "note": "N."}])");
    QTest::newRow("neither") << QByteArray(R"([{"when": [{"key": "b"}], "note": "N."}])");
    QTest::newRow("unknown field") << QByteArray(R"([{"when": [{"key": "b", "is": 2}], "note": "N.", "x": 1}])");
  }
  void badRules() {
    QFETCH(QByteArray, rules);
    const auto error = errorOf([&] { return Catalogue::parseEntry(entryWith(json::parse(rules.toStdString()))); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code, Code::CatalogueInvalid);
  }

  void ruleWithIsNot() {
    const json rules = json::parse(R"([{"when": [{"key": "b", "is_not": 1}], "note": "N."}])");
    const BackendEntry entry = Catalogue::parseEntry(entryWith(rules));
    QCOMPARE(toJson(entry.exportOptions.front())["rules"].dump(), rules.dump());
    OptionSet set(entry.exportOptions);
    set.set("a", int64_t{2});
    QVERIFY(set.notes().empty());
    set.set("b", int64_t{5});
    QCOMPARE(set.noteOn(*set.find("a")), std::string("N."));
  }

  void namesOrFiles() {
    OptionSet set(backend("portable").exportOptions);
    for (const char* fits : {"portable", "optimized", "my/ops.txt", "ops.txt"}) {
      set.setText(std::string("runtime_profile=") + fits);
      QCOMPARE(set.string("runtime_profile"), std::string(fits));
    }
    const auto error = errorOf([&] {
      set.setText("runtime_profile=portabel");
      return 0;
    });
    QCOMPARE(error->code, Code::OptionInvalid);
    QVERIFY(error->message.starts_with("Option \"runtime_profile\" expects one of portable, optimized, quantized or"));
    QCOMPARE(error->fixes.front(), std::string("set runtime_profile=portable"));
  }

  void sideBySide() {
    Profile left = profileOf("xnnpack"), right = profileOf("portable");
    left.exportOptions.set("alignment", int64_t{64});
    std::vector<std::string> differing, absent;
    for (const ProfileRow& row : compareProfiles(left, right)) {
      if (!row.right) absent.push_back(row.key);
      if (row.left && row.right && !row.same()) differing.push_back(row.key);
    }
    QVERIFY((differing == std::vector<std::string>{"backend", "alignment"}));
    QCOMPARE(absent.size(), size_t{8});
    QCOMPARE(absent.back(), std::string("XnnpackBackend.save_weight_cache_on_disk"));
    for (const ProfileRow& row : compareProfiles(left, left)) QVERIFY(row.same());
  }

  void recordIsRead() {
    const ExportRecord record = readExportRecord(recordJson().dump(), Catalogue::builtIn());
    QCOMPARE(record.wish.source, std::string("/a.pt2"));
    QCOMPARE(record.wish.verify, std::string("run"));
    QVERIFY(record.wish.keepRejected);
    QCOMPARE(record.profile.backend, std::string("portable"));
    QCOMPARE(record.profile.exportOptions.integer("alignment"), 64);
    QCOMPARE(record.sourceHash + record.outputHash, std::string("so"));
    QVERIFY(isExportRecord(recordJson().dump()));
    QVERIFY(!isExportRecord("{\"exportdeck_profile\": 1}"));
  }

  void badRecords_data() {
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("says");
    QTest::newRow("another command") << "/command" << QByteArray("\"run\"") << "no record";
    QTest::newRow("request") << "/request" << QByteArray("1") << "request is missing";
    QTest::newRow("source") << "/request/source" << QByteArray("1") << "request.source";
    QTest::newRow("kept") << "/request/keep_rejected" << QByteArray("1") << "request.keep_rejected";
    QTest::newRow("backend") << "/backend" << QByteArray("\"zzz\"") << "no backend";
    QTest::newRow("option") << "/options/alignment" << QByteArray("7") << "export_options.alignment";
    QTest::newRow("unknown option") << "/options/shine" << QByteArray("7") << "export_options.shine";
    QTest::newRow("hash") << "/output/hash" << QByteArray("null") << "output.hash";
  }
  void badRecords() {
    QFETCH(QString, pointer);
    QFETCH(QByteArray, value);
    QFETCH(QString, says);
    json record = recordJson();
    record[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
    const auto error = errorOf([&] { return readExportRecord(record.dump(), Catalogue::builtIn()); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code, Code::ProfileInvalid);
    QVERIFY2(error->message.find(says.toStdString()) != std::string::npos, error->message.c_str());
    const std::string whole = recordJson().dump();
    for (size_t size = 0; size < whole.size(); size += 7)
      QVERIFY(errorOf([&] { return readExportRecord(whole.substr(0, size), Catalogue::builtIn()); }).has_value());
  }
};

QTEST_APPLESS_MAIN(TestOptionRules)
#include "tst_option_rules.moc"
