// Coverage counted by operator, by module and by reason.
#include <QTest>

#include "driver/coverage_json.h"

using namespace exportdeck;
using nlohmann::json;

namespace {

backends::NodeCoverage node(const char* op, const char* module, bool delegated, uint64_t work, uint64_t bytes,
                            int line = 1) {
  Origin origin;
  origin.op = op;
  origin.modulePath = module;
  origin.sourceFile = "net.py";
  origin.sourceLine = line;
  backends::NodeCoverage out;
  out.op = op;
  out.origin = std::make_shared<const Origin>(origin);
  out.delegated = delegated;
  out.delegate = delegated ? 0 : -1;
  if (!delegated) out.reason = "too wide";
  if (!delegated) out.fix = "Make it narrow.";
  out.multiplyAdds = work;
  out.bytes = bytes;
  return out;
}

json sample() {
  backends::Coverage coverage;
  coverage.delegates = 1;
  coverage.nodes = {
      node("aten.conv", "body.0.conv", true, 100, 8),    node("aten.relu", "body.0.act", true, 0, 8),
      node("aten.conv", "body.1.conv", false, 50, 4, 7), node("aten.conv", "body.1.conv", false, 50, 4, 7),
      node("aten.conv", "body.1.conv", false, 10, 2, 9), node("aten.mean", "head", false, 0, 1)};
  coverage.nodes.push_back({});
  coverage.nodes.back().op = "aten.view";
  coverage.nodes.back().delegated = true;
  return driver::toJson(coverage);
}

}  // namespace

class TestCoverageJson : public QObject {
  Q_OBJECT
 private slots:
  void totals() {
    const json coverage = sample();
    QCOMPARE(coverage["nodes"].get<int>(), 7);
    QCOMPARE(coverage["delegated"].get<int>(), 3);
    QCOMPARE(coverage["multiply_adds"].get<int>(), 210);
    QCOMPARE(coverage["delegated_multiply_adds"].get<int>(), 100);
    QCOMPARE(coverage["bytes"].get<int>(), 27);
    QCOMPARE(coverage["delegated_bytes"].get<int>(), 16);
  }

  void byOperator() {
    QCOMPARE(sample()["by_operator"].dump(),
             json::parse(R"([{"op":"aten.conv","total":4,"delegated":1,"multiply_adds":210,"bytes":18},
                             {"op":"aten.relu","total":1,"delegated":1,"multiply_adds":0,"bytes":8},
                             {"op":"aten.mean","total":1,"delegated":0,"multiply_adds":0,"bytes":1},
                             {"op":"aten.view","total":1,"delegated":1,"multiply_adds":0,"bytes":0}])")
                 .dump());
  }

  void byModule() {
    const json coverage = sample();
    QCOMPARE(coverage["by_module"].dump(), json::parse(R"([
      {"module":"body.0","total":2,"delegated":2,"multiply_adds":100,"delegated_multiply_adds":100,"bytes":16},
      {"module":"body.1","total":3,"delegated":0,"multiply_adds":110,"delegated_multiply_adds":0,"bytes":10},
      {"module":"head","total":1,"delegated":0,"multiply_adds":0,"delegated_multiply_adds":0,"bytes":1},
      {"module":"","total":1,"delegated":1,"multiply_adds":0,"delegated_multiply_adds":0,"bytes":0}])")
                                               .dump());
    std::vector<std::string> paths;
    for (const json& row : coverage["by_module_path"]) paths.push_back(row["module"].get<std::string>());
    QCOMPARE(paths, (std::vector<std::string>{"body.0.conv", "body.0.act", "body.1.conv", "head", ""}));
  }

  void notDelegated() {
    const json rows = sample()["not_delegated"];
    QCOMPARE(rows.size(), size_t{3});
    QCOMPARE(rows[0]["count"].get<int>(), 2);
    QCOMPARE(rows[0]["multiply_adds"].get<int>(), 100);
    QCOMPARE(rows[0]["bytes"].get<int>(), 8);
    QCOMPARE(rows[0]["reason"].get<std::string>(), std::string("too wide"));
    QCOMPARE(rows[0]["fix"].get<std::string>(), std::string("Make it narrow."));
    QCOMPARE(rows[0]["where"]["source_line"].get<int>(), 7);
    QCOMPARE(rows[1]["where"]["source_line"].get<int>(), 9);
    QCOMPARE(rows[2]["where"]["module_path"].get<std::string>(), std::string("head"));
  }
};

QTEST_APPLESS_MAIN(TestCoverageJson)
#include "tst_coverage_json.moc"
