// The loop that runs passes: order, dumps, the check after each, cancel.
#include <QTest>
#include <set>

#include "pass_support.h"
#include "support/errors.h"

using namespace exportdeck;

namespace {

constexpr const char* kText =
    "graph g {\n  input %x : f32[2,3]\n  %a : f32[2,3] = aten.relu_.default(%x)\n  return (%a)\n}";

void doNothing(ir::Graph&, passes::PassContext&) {}
// Leaves a graph that contradicts itself.
void breakGraph(ir::Graph& graph, passes::PassContext&) {
  graph.nodes().front()->output()->setType({ir::DType::Float32, ir::Sizes{-1}});
}

class CountingProgress : public ProgressSink {
 public:
  void stageStarted(std::string_view) override {}
  void stageAdvanced(std::string_view, uint64_t, uint64_t) override {}
  void stageFinished(std::string_view, double) override {}
  void log(LogLevel level, std::string_view) override { debugLines += level == LogLevel::Debug; }
  int debugLines = 0;
};

}  // namespace

class TestPipeline : public QObject {
  Q_OBJECT

 private slots:
  void everyPassIsNamedAndTold() {
    for (const auto* list : {&passes::loweringPasses(), &passes::finishingPasses()}) {
      std::set<std::string> names;
      for (const passes::Pass& pass : *list) {
        QVERIFY(names.insert(pass.name).second);
        QVERIFY(QString(pass.purpose).size() > 10);
        QVERIFY(pass.run);
      }
    }
  }

  void dumpsAndLogsEachPass() {
    auto graph = ir::parse(kText);
    DiagnosticSink diagnostics;
    CountingProgress progress;
    const Context context{progress, {}};
    passes::PassContext passContext{context, diagnostics};
    std::vector<std::string> seen;
    passes::runPasses(
        *graph, {{"one", "does nothing", doNothing}, {"two", "does nothing either", doNothing}}, passContext,
        [&](int index, const char* name, const ir::Graph&) { seen.push_back(std::to_string(index) + name); });
    QCOMPARE(seen, (std::vector<std::string>{"0one", "1two"}));
    QCOMPARE(progress.debugLines, 2);
  }

  void aBrokenGraphIsFoundAfterItsPass() {
    auto graph = ir::parse(kText);
    DiagnosticSink diagnostics;
    const Context context{silentProgress(), {}};
    passes::PassContext passContext{context, diagnostics};
    std::vector<std::string> seen;
    const auto dump = [&](int, const char* name, const ir::Graph&) { seen.emplace_back(name); };
    const std::string code = tests::errorCode([&] {
      passes::runPasses(*graph, {{"break", "breaks it", breakGraph}, {"after", "never runs", doNothing}}, passContext,
                        dump);
      return 0;
    });
    QCOMPARE(code, std::string("graph.invalid"));
    QCOMPARE(seen, std::vector<std::string>{"break"});
  }

  void stopsWhenAsked() {
    auto graph = ir::parse(kText);
    DiagnosticSink diagnostics;
    std::stop_source stop;
    stop.request_stop();
    const Context context{silentProgress(), stop.get_token()};
    passes::PassContext passContext{context, diagnostics};
    const std::string code = tests::errorCode([&] {
      passes::runPasses(*graph, passes::loweringPasses(), passContext, {});
      return 0;
    });
    QCOMPARE(code, std::string("cancelled"));
  }

  void lowersToKernelCalls() {
    auto graph = ir::parse(R"(graph g {
  input %x : f32[2,3]
  %h : f32[2,3] = aten.mul.Tensor(%x, 2)
  %a : f32[2,3] = aten.relu_.default(%h)
  %t : f32[3,2] = aten.t.default(%a)
  %v : f32[6] = aten.view.default(%a, [6])
  return (%t, %v)
})");
    DiagnosticSink diagnostics;
    const Context context{silentProgress(), {}};
    passes::PassContext passContext{context, diagnostics};
    passes::runPasses(*graph, passes::loweringPasses(), passContext, {});
    passes::runPasses(*graph, passes::finishingPasses(), passContext, {});
    std::vector<std::string> ops;
    for (const auto& node : graph->nodes()) ops.push_back(node->op());
    QCOMPARE(ops, (std::vector<std::string>{"aten.mul.out", "aten.relu.out", "aten.permute_copy.out",
                                            "aten.view_copy.default"}));
  }
};

QTEST_APPLESS_MAIN(TestPipeline)
#include "tst_pipeline.moc"
