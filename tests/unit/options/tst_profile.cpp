// Profiles: written and read back, and everything that can be wrong with one.
#include <QTest>

#include "options/profile.h"
#include "options/resources.h"
#include "support/errors.h"

using namespace exportdeck;
using namespace exportdeck::options;
using exportdeck::tests::errorOf;

namespace {

const Catalogue& catalogue() {
  return Catalogue::builtIn();
}

constexpr std::string_view kGood = R"({
  "exportdeck_profile": 1, "name": "Mine", "backend": "xnnpack",
  "export_options": {"alignment": 64, "exclude_ops": ["aten.mul.Tensor"]},
  "runtime_options": {"XnnpackBackend": {"workspace_sharing_mode": 1}}})";

// "key: reason" of each problem.
std::string problemsOf(std::string_view text) {
  std::string out;
  for (const ProfileProblem& problem : readProfile(text, catalogue()).problems) {
    out += (problem.fatal ? "fatal " : "") + problem.key + ": " + problem.reason + "\n";
  }
  return out;
}

std::string with(std::string_view fields) {
  return R"({"exportdeck_profile": 1, "name": "Mine", "backend": "xnnpack", )" + std::string(fields) + "}";
}

void addRow(const char* name, const char* text, const char* problem) {
  QTest::newRow(name) << QByteArray(text) << QString(problem);
}

}  // namespace

class TestProfile : public QObject {
  Q_OBJECT

 private slots:
  void roundTrip() {
    const Profile profile = loadProfile(kGood, catalogue());
    QCOMPARE(profile.name, std::string("Mine"));
    QCOMPARE(profile.exportOptions.integer("alignment"), 64);
    QCOMPARE(profile.runtimeOptions.integer("workspace_sharing_mode"), 1);
    const std::string written = writeProfile(profile);
    QVERIFY(written.ends_with("}\n"));
    const Profile again = loadProfile(written, catalogue());
    QCOMPARE(writeProfile(again), written);
    QCOMPARE(again.exportOptions.resolvedToJson().dump(), profile.exportOptions.resolvedToJson().dump());
    QCOMPARE(again.runtimeOptions.resolvedToJson().dump(), profile.runtimeOptions.resolvedToJson().dump());
  }

  void writesOnlyWhatIsChanged() {
    const Profile profile =
        loadProfile(R"({"exportdeck_profile": 1, "name": "P", "backend": "portable"})", catalogue());
    QCOMPARE(writeProfile(profile), std::string("{\n  \"backend\": \"portable\",\n  \"export_options\": {},\n"
                                                "  \"exportdeck_profile\": 1,\n  \"name\": \"P\"\n}\n"));
  }

  void runtimeNamesMayBeAliases() {
    for (const char* name : {"XnnpackBackend", "XNNPACK", "xnnpack"}) {
      const nlohmann::json named = {{name, {{"weight_cache_enabled", true}}}};
      const std::string text = with("\"runtime_options\": " + named.dump());
      QVERIFY(loadProfile(text, catalogue()).runtimeOptions.boolean("weight_cache_enabled"));
    }
  }

  void builtInProfilesAreValid() {
    size_t found = 0;
    for (const Resource& resource : builtInResources()) {
      if (!resource.name.starts_with("profiles/")) continue;
      ++found;
      const Profile profile = loadProfile(resource.text, catalogue());
      QVERIFY(!profile.name.empty());
      QVERIFY(catalogue().availability(*catalogue().find(profile.backend)).available);
    }
    QVERIFY(found >= 2);
  }

  void fatal_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("problem");
    addRow("empty", "", "fatal : the file is no JSON: line 1 cannot be read\n");
    addRow("cut short",
           "{\"exportdeck_profile\": 1,\n \"name\": ", "fatal : the file is no JSON: line 2 cannot be read\n");
    addRow("binary", "\x89PNG\r\n", "fatal : the file is no JSON: line 1 cannot be read\n");
    addRow("a list", "[1]", "fatal : the file holds no JSON object\n");
    addRow("other JSON", "{\"a\": 1}",
           "fatal exportdeck_profile: the profile's version is missing or no whole number, so this is no profile\n");
    addRow("version as text", R"({"exportdeck_profile": "1"})",
           "fatal exportdeck_profile: the profile's version is missing or no whole number, so this is no profile\n");
    addRow("version 0", R"({"exportdeck_profile": 0})", "fatal exportdeck_profile: there is no profile version 0\n");
  }
  void fatal() {
    QFETCH(QByteArray, text);
    QFETCH(QString, problem);
    QCOMPARE(QString::fromStdString(problemsOf(text.toStdString())), problem);
    const auto error = errorOf([&] { return loadProfile(text.toStdString(), catalogue()); });
    QVERIFY(error.has_value());
    QCOMPARE(error->code, Code::ProfileInvalid);
    QCOMPARE(error->fixes.front(), std::string("choose another profile"));
  }

  void otherProblems_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("problem");
    addRow("unknown field", R"("exprt_options": {})",
           "exprt_options: there is no such field; the nearest is export_options\n");
    addRow("options as a list", R"("export_options": [])", "export_options: is no object\n");
    addRow("unknown option", R"("export_options": {"alignmnt": 64})",
           "export_options.alignmnt: There is no option \"alignmnt\"; use alignment\n");
    addRow("wrong type", R"("export_options": {"alignment": "64"})",
           "export_options.alignment: Option \"alignment\" expects a power of two from 16 to 4096, but the value is a "
           "text\n");
    addRow("a bool is no int", R"("export_options": {"alignment": true})",
           "export_options.alignment: Option \"alignment\" expects a power of two from 16 to 4096, but the value is a "
           "bool\n");
    addRow("a float is no int", R"("export_options": {"alignment": 64.0})",
           "export_options.alignment: Option \"alignment\" expects a power of two from 16 to 4096, but the value is a "
           "float\n");
    addRow("null", R"("export_options": {"alignment": null})",
           "export_options.alignment: Option \"alignment\" expects a power of two from 16 to 4096, but the value is "
           "null\n");
    addRow("out of range", R"("export_options": {"min_delegate_nodes": 0})",
           "export_options.min_delegate_nodes: Option \"min_delegate_nodes\" expects a whole number from 1 to 1000, "
           "but 0 is below "
           "the least value 1\n");
    addRow(
        "beyond 64 bits", R"("export_options": {"min_delegate_nodes": 18446744073709551615})",
        "export_options.min_delegate_nodes: Option \"min_delegate_nodes\" expects a whole number from 1 to 1000, but "
        "18446744073709551615 does not fit into 64 bits with a sign\n");
    addRow("runtime options as text", R"("runtime_options": "fast")", "runtime_options: is no object\n");
    addRow("unknown runtime name", R"("runtime_options": {"ZBackend": {}})",
           "runtime_options.ZBackend: no backend has this runtime name\n");
    addRow("another's runtime options", R"("runtime_options": {"CudaBackend": {}})",
           "runtime_options.CudaBackend: belongs to the backend cuda, not to xnnpack\n");
    addRow("runtime option out of range", R"("runtime_options": {"XnnpackBackend": {"workspace_sharing_mode": 3}})",
           "runtime_options.XnnpackBackend.workspace_sharing_mode: Option \"workspace_sharing_mode\" expects a whole "
           "number from "
           "0 to 2, but 3 is above the greatest value 2\n");
  }
  // Each is told, is refused by the strict reader, and keeps nothing else from being read.
  void otherProblems() {
    QFETCH(QByteArray, text);
    QFETCH(QString, problem);
    const std::string whole = with(text.toStdString());
    QCOMPARE(QString::fromStdString(problemsOf(whole)), problem);
    QCOMPARE(readProfile(whole, catalogue()).profile.backend, std::string("xnnpack"));
    QCOMPARE(errorOf([&] { return loadProfile(whole, catalogue()); })->code, Code::ProfileInvalid);
  }

  void keepsWhatIsValid() {
    const ProfileResult result = readProfile(
        with(R"("export_options": {"alignment": 64, "per_op_mode": 3, "fuse_activations": false}, "colour": "red")"),
        catalogue());
    QCOMPARE(result.problems.size(), size_t{2});
    QCOMPARE(result.profile.exportOptions.integer("alignment"), 64);
    QVERIFY(!result.profile.exportOptions.boolean("fuse_activations"));
    QVERIFY(!result.profile.exportOptions.boolean("per_op_mode"));
    const auto error = errorOf([&] { return loadProfile(with(R"("name2": 1, "name3": 2)"), catalogue()); });
    QVERIFY(error->message.ends_with("(and 1 more)"));
  }

  void namesOfOtherKinds() {
    QCOMPARE(problemsOf(R"({"exportdeck_profile": 1, "backend": "portable"})"), std::string("name: is missing\n"));
    QCOMPARE(problemsOf(R"({"exportdeck_profile": 1, "backend": "portable", "name": 1})"),
             std::string("name: is no text\n"));
  }

  // What a newer version wrote is read as far as it is understood, and an unknown backend gives way to the nearest.
  void salvages_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("problem");
    addRow("newer",
           R"({"exportdeck_profile": 2, "name": "a", "backend": "portable", "export_options": {"alignment": 64}})",
           "exportdeck_profile: the profile has version 2, written by a newer ExportDeck; this one reads 1 [2 -> 1]\n");
    addRow("no backend", R"({"exportdeck_profile": 1, "name": "a", "export_options": {"alignment": 64}})",
           "backend: is missing [ -> xnnpack]\n");
    addRow("backend no text",
           R"({"exportdeck_profile": 1, "name": "a", "backend": 7, "export_options": {"alignment": 64}})",
           "backend: is no text [7 -> xnnpack]\n");
    addRow("misspelt",
           R"({"exportdeck_profile": 1, "name": "a", "backend": "portble", "export_options": {"alignment": 64}})",
           "backend: there is no backend \"portble\"; the nearest is portable [\"portble\" -> portable]\n");
    addRow("unknown",
           R"({"exportdeck_profile": 1, "name": "a", "backend": "tensorrt-llm", "export_options": {"alignment": 64}})",
           "backend: there is no backend \"tensorrt-llm\" [\"tensorrt-llm\" -> xnnpack]\n");
  }
  void salvages() {
    QFETCH(QByteArray, text);
    QFETCH(QString, problem);
    const ProfileResult result = readProfile(text.toStdString(), catalogue());
    QVERIFY(!result.isFatal());
    QCOMPARE(result.problems.size(), size_t{1});
    const ProfileProblem& only = result.problems.front();
    QCOMPARE(QString::fromStdString(only.key + ": " + only.reason + " [" + only.given + " -> " + only.taken + "]\n"),
             problem);
    QCOMPARE(result.profile.exportOptions.integer("alignment"), 64);
    QCOMPARE(errorOf([&] { return loadProfile(text.toStdString(), catalogue()); })->code, Code::ProfileInvalid);
  }

  void saysWhatStandsThere() {
    const ProfileResult result = readProfile(
        with(R"("export_options": {"alignment": "wide", "shine": [1]}, "runtime_options": {"ZBackend": {"a": 1}})"),
        catalogue());
    QCOMPARE(result.problems.size(), size_t{3});
    QCOMPARE(result.problems[0].given, std::string("\"wide\""));
    QCOMPARE(result.problems[0].taken, std::string("16"));
    QCOMPARE(result.problems[1].given, std::string("[1]"));
    QCOMPARE(result.problems[1].taken, std::string());
    QCOMPARE(result.problems[2].given, std::string("{\"a\":1}"));
  }

  // Thousands of brackets must not exhaust the stack.
  void deepNesting() { QVERIFY(problemsOf(std::string(200000, '[')).starts_with("fatal : the file is no JSON")); }

  void truncatedEverywhere() {
    for (size_t size = 0; size < kGood.size(); ++size) {
      const ProfileResult result = readProfile(kGood.substr(0, size), catalogue());
      QCOMPARE(result.problems.size(), size_t{1});
      QVERIFY(result.problems.front().fatal);
    }
  }
};

QTEST_APPLESS_MAIN(TestProfile)
#include "tst_profile.moc"
