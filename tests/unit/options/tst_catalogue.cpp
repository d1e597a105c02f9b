// The catalogue: every built-in entry, the refusals of backends, and the refusals of malformed entries.
#include <QTest>
#include <algorithm>
#include <set>

#include "options/catalogue.h"
#include "options/resources.h"
#include "support/errors.h"

using namespace exportdeck;
using namespace exportdeck::options;
using exportdeck::tests::errorCode;
using exportdeck::tests::errorOf;
using nlohmann::json;

namespace {

json entryJson() {
  return {
      {"exportdeck_backend", 1}, {"id", "thing"}, {"title", "Thing"}, {"summary", "A thing."}, {"engine", "native"}};
}
json optionJson() {
  return {{"key", "depth"}, {"type", "int"},    {"default", 4},          {"min", 1},
          {"max", 8},       {"title", "Depth"}, {"meaning", "How deep."}};
}
std::string refusalOf(const json& entry) {
  const auto error = errorOf([&] { return Catalogue::parseEntry(entry); });
  return error && error->code == Code::CatalogueInvalid ? error->message : "accepted";
}
std::string refusalWith(const char* field, json value) {
  json entry = entryJson();
  entry[field] = std::move(value);
  return refusalOf(entry);
}
std::string refusalOfOption(const char* field, json value) {
  json option = optionJson();
  option[field] = std::move(value);
  return refusalWith("export_options", json::array({option}));
}

}  // namespace

class TestCatalogue : public QObject {
  Q_OBJECT

 private slots:
  void builtInIsSortedAndUnique() {
    const auto& entries = Catalogue::builtIn().entries();
    QCOMPARE(entries.size(), size_t{22});
    QVERIFY(std::ranges::is_sorted(entries, {}, &BackendEntry::id));
    std::set<std::string> names;
    for (const BackendEntry& entry : entries) {
      QVERIFY2(names.insert(entry.id).second, entry.id.c_str());
      for (const std::string& alias : entry.aliases) QVERIFY2(names.insert(alias).second, alias.c_str());
      QVERIFY2(!entry.title.empty() && entry.summary.ends_with("."), entry.id.c_str());
    }
  }

  void everyFileIsAnEntryOfItsName() {
    size_t files = 0;
    for (const Resource& resource : builtInResources()) {
      if (!resource.name.starts_with("backends/") || resource.name == "backends/common.json") continue;
      ++files;
      const std::string_view id = resource.name.substr(9, resource.name.size() - 9 - 5);
      QVERIFY2(Catalogue::builtIn().find(id) != nullptr, std::string(resource.name).c_str());
    }
    QCOMPARE(files, Catalogue::builtIn().entries().size());
  }

  void everyDefaultIsValid() {
    for (const BackendEntry& entry : Catalogue::builtIn().entries()) {
      for (const auto* list : {&entry.exportOptions, &entry.runtimeOptions}) {
        for (const OptionSpec& spec : *list) {
          QCOMPARE(whyInvalid(spec, spec.fallback), std::string());
          QVERIFY2(!spec.title.empty() && spec.meaning.ends_with("."), spec.key.c_str());
        }
      }
    }
  }

  void commonOptionsComeFirst() {
    for (const char* id : {"portable", "xnnpack"}) {
      const auto& specs = Catalogue::builtIn().find(id)->exportOptions;
      QCOMPARE(specs[0].key, std::string("plan_inputs"));
      QCOMPARE(specs[3].key, std::string("segment_alignment"));
      QCOMPARE(specs[4].key, std::string("runtime_profile"));
    }
    QCOMPARE(Catalogue::builtIn().find("portable")->exportOptions.size(), size_t{14});
    QCOMPARE(Catalogue::builtIn().find("xnnpack")->exportOptions.size(), size_t{18});
    QCOMPARE(Catalogue::builtIn().find("xnnpack")->runtimeOptions.size(), size_t{4});
  }

  void nativeOnesAreAvailable() {
    QVERIFY((Catalogue::builtIn().availableIds() == std::vector<std::string>{"portable", "xnnpack"}));
    for (const BackendEntry& entry : Catalogue::builtIn().entries()) {
      const Availability here = Catalogue::builtIn().availability(entry);
      QCOMPARE(here.available, entry.engine == "native");
      QCOMPARE(here.reason.empty(), here.available);
      QCOMPARE(here.remedy.empty(), here.available);
    }
  }

  void runtimeNames() {
    const auto idOf = [](const char* name) {
      const BackendEntry* entry = Catalogue::builtIn().findRuntimeName(name);
      return entry != nullptr ? entry->id : "none";
    };
    QCOMPARE(idOf("XNNPACK"), std::string("xnnpack"));
    QCOMPARE(idOf("XnnpackBackend"), std::string("xnnpack"));
    QCOMPARE(idOf("xnnpack"), std::string("xnnpack"));
    QCOMPARE(idOf("VulkanBackend"), std::string("vulkan"));
    QCOMPARE(idOf("qualcomm"), std::string("qnn"));
    QCOMPARE(idOf("Xnnpack"), std::string("none"));
    QCOMPARE(idOf(""), std::string("none"));
  }

  void unknownBackends_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("why");
    QTest::addColumn<QString>("fix");
    QTest::newRow("capitals") << "XNNPACK" << "backend ids are lower case: xnnpack" << "use xnnpack";
    QTest::newRow("mixed case") << "Xnnpack" << "backend ids are lower case: xnnpack" << "use xnnpack";
    QTest::newRow("runtime name") << "XnnpackBackend" << "backend ids are lower case: xnnpack" << "use xnnpack";
    QTest::newRow("another's runtime name") << "CoreMLBackend" << "backend ids are lower case: coreml" << "use xnnpack";
    QTest::newRow("misspelt") << "xnpack" << "the nearest match is xnnpack" << "use xnnpack";
    QTest::newRow("misspelt portable") << "portible" << "the nearest match is portable" << "use portable";
    QTest::newRow("like nothing") << "tensorrt-llm-engine" << "" << "use xnnpack";
    QTest::newRow("empty") << "" << "" << "use xnnpack";
  }
  void unknownBackends() {
    QFETCH(QString, id);
    QFETCH(QString, why);
    QFETCH(QString, fix);
    const auto error = errorOf([&] { return Catalogue::builtIn().require(id.toStdString(), "native"); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code, Code::BackendUnknown);
    const QString name = id.isEmpty() ? "\"\"" : id;
    QCOMPARE(QString::fromStdString(error->message),
             QString("Unsupported backend %1 for ExecuTorch export: supported are portable, xnnpack").arg(name));
    QCOMPARE(QString::fromStdString(error->why), why);
    QCOMPARE(QString::fromStdString(error->fixes.front()), fix);
    QCOMPARE(QString::fromStdString(error->fixes.back()), QString("use xnnpack"));
  }

  void threeDifferentRefusals() {
    const auto& catalogue = Catalogue::builtIn();
    QCOMPARE(errorCode([&] { return catalogue.require("xnnpack", "native"); }), std::string("none"));
    const auto engine = errorOf([&] { return catalogue.require("cuda", "native"); });
    QCOMPARE(engine->code, Code::BackendWrongEngine);
    QCOMPARE(engine->message, std::string("Backend cuda is known, but the native engine does not lower to it"));
    const auto removed = errorOf([&] { return catalogue.require("mps", "native"); });
    QCOMPARE(removed->code, Code::BackendUnavailable);
    QCOMPARE(removed->message, std::string("Backend mps is not available here"));
    QCOMPARE(removed->why, std::string("ExecuTorch has removed it: the release in use can no longer lower to it"));
    QVERIFY(!removed->fixes.empty());
  }

  void hostsDecide() {
    json entry = entryJson();
    entry["hosts"] = {"amiga-68k"};
    const Catalogue elsewhere({Catalogue::parseEntry(entry)});
    const auto error = errorOf([&] { return elsewhere.require("thing", "native"); });
    QCOMPARE(error->code, Code::BackendUnavailable);
    QVERIFY(error->why.find("amiga-68k") != std::string::npos);
    QVERIFY(error->why.find(hostName()) != std::string::npos);
    entry["hosts"] = {"amiga-68k", hostName()};
    const Catalogue here({Catalogue::parseEntry(entry)});
    QVERIFY(here.availability(here.entries().front()).available);
  }

  void malformedEntries() {
    QCOMPARE(refusalOf(entryJson()), std::string("accepted"));
    QCOMPARE(refusalOf(json::array()), std::string("Catalogue entry (no id) is no object"));
    for (const char* field : {"exportdeck_backend", "id", "title", "summary", "engine"}) {
      json entry = entryJson();
      entry.erase(field);
      QVERIFY2(refusalOf(entry).ends_with("is missing"), field);
    }
    QCOMPARE(refusalWith("engine", "rust"),
             std::string("Catalogue entry thing: \"engine\" is neither native nor python"));
    QCOMPARE(refusalWith("id", "Thing"),
             std::string("Catalogue entry Thing: \"id\" has other letters than a-z, 0-9 and -"));
    QCOMPARE(refusalWith("exportdeck_backend", 2),
             std::string("Catalogue entry thing: \"exportdeck_backend\" is no version that is read here"));
    QCOMPARE(refusalWith("colour", "red"), std::string("Catalogue entry thing: \"colour\" is no field of this format"));
    QCOMPARE(refusalWith("targets", "linux"), std::string("Catalogue entry thing: \"targets\" is no list"));
    QCOMPARE(refusalWith("targets", json::array({1})),
             std::string("Catalogue entry thing: \"targets\" is no text, or an empty one"));
    QCOMPARE(refusalWith("export_options", json::array({optionJson(), optionJson()})),
             std::string("Catalogue entry thing: \"export_options\" has the key \"depth\" twice"));
  }

  void malformedOptions() {
    QCOMPARE(refusalWith("export_options", json::array({optionJson()})), std::string("accepted"));
    const std::string where = "Catalogue entry thing.export_options \"depth\": ";
    QCOMPARE(refusalOfOption("type", "integer"), where + "\"type\" is none of bool, int, float, string, enum, list");
    QCOMPARE(refusalOfOption("min", 9), where + "\"min\" is above \"max\"");
    QCOMPARE(refusalOfOption("min", 0.5), where + "\"min\" or \"max\" is no whole number within 2^53");
    QCOMPARE(refusalOfOption("min", nullptr), where + "\"min\" is no number");
    QCOMPARE(refusalOfOption("choices", json::array({"a"})),
             where + "\"choices\" stands at an option that is neither enum, list nor file");
    QCOMPARE(refusalOfOption("type", "enum"), where + "\"min\" stands at an option that has no range");
    QCOMPARE(refusalOfOption("colour", 1), where + "\"colour\" is no field of this format");
    QVERIFY(refusalOfOption("default", 9).starts_with(where + "\"default\" does not fit: "));
    QVERIFY(refusalOfOption("default", true).starts_with(where + "\"default\" does not fit: "));
  }

  void namesStandOnce() {
    json other = entryJson();
    other["id"] = "other";
    other["aliases"] = {"thing"};
    const std::vector<BackendEntry> entries = {Catalogue::parseEntry(entryJson()), Catalogue::parseEntry(other)};
    QCOMPARE(errorCode([&] { return Catalogue(entries).entries().size(); }), std::string("catalogue.invalid"));
  }

  void describesItself() {
    const auto& catalogue = Catalogue::builtIn();
    const BackendEntry& entry = *catalogue.find("xnnpack");
    const json described = toJson(entry, catalogue.availability(entry));
    QCOMPARE(described["runtime_id"].get<std::string>(), std::string("XnnpackBackend"));
    QVERIFY(described["available"].get<bool>());
    QCOMPARE(described["aliases"].dump(), std::string(R"(["XNNPACK"])"));
  }
};

QTEST_APPLESS_MAIN(TestCatalogue)
#include "tst_catalogue.moc"
