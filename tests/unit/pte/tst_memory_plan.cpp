// The planner: nothing that is live at once overlaps, views cost nothing, and large programs are quick.
#include <QTest>
#include <map>

#include "base/text.h"
#include "pte/placement.h"
#include "pte/storage.h"
#include "pte/writer.h"
#include "random_program.h"

using namespace exportdeck;
using namespace exportdeck::pte;

namespace {

// Checks each pair of a plan the slow way; "" where nothing that is live at once overlaps.
std::string overlap(const std::vector<PlannedBuffer>& buffers) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    for (size_t j = i + 1; j < buffers.size(); ++j) {
      const PlannedBuffer &a = buffers[i], &b = buffers[j];
      const bool together = a.first <= b.last && b.first <= a.last;
      const bool sameBytes = a.offset < b.offset + b.size && b.offset < a.offset + a.size;
      if (together && sameBytes) return concat("buffers ", i, " and ", j, " are live together and overlap");
    }
  }
  return {};
}

// Live ranges counted from the graph anew, views followed to their base: value -> {first, last}.
std::map<const ir::Value*, std::pair<int, int>> expectedRanges(const ir::Graph& graph) {
  std::map<const ir::Value*, const ir::Value*> base;
  std::map<const ir::Value*, std::pair<int, int>> ranges;
  const auto root = [&](const ir::Value* value) {
    while (base.contains(value)) value = base.at(value);
    return value;
  };
  for (const auto& input : graph.inputs()) ranges[input.value] = {-1, -1};
  int at = 0;
  for (const auto& node : graph.nodes()) {
    if (node->is("aten.view_copy.default")) {
      base[node->output()] = node->value(0);
      continue;
    }
    for (const ir::Value* value : node->operands()) ranges[root(value)].second = at;
    for (const ir::Value* value : node->outputs()) ranges[value] = {at, at};
    ++at;
  }
  for (const ir::Argument& output : graph.outputs()) ranges[root(std::get<ir::Value*>(output))].second = at - 1;
  return ranges;
}

}  // namespace

class MemoryPlanTest : public QObject {
  Q_OBJECT

 private slots:
  // Nothing shares a state's room, before it is read first or after it is written last.
  void statesKeepTheirRoom() {
    const auto graph = ir::parse(R"(graph forward {
      input %x : f32[16]
      state %s : f32[16] = "s"
      state %t : f32[16] = "t"
      %a : f32[16] = aten.mul.out(%x, %x)
      %b : f32[16] = aten.mul.out(%a, %s)
      %c : f32[16] = aten.mul.out(%b, %b)
      %u : f32[16] = aten.copy_.default(%s, %c, false)
      %d : f32[16] = aten.mul.out(%b, %b)
      update %t = %d
      return ()
    })");
    const MemoryPlan plan = planMemory(*graph, {});
    QCOMPARE(overlap(plan.buffers), std::string());
    // x, s, t, a, b and c: neither what is written in place nor the update has room of its own.
    QCOMPARE(plan.buffers.size(), size_t{6});
    for (const PlannedBuffer& buffer : plan.buffers) {
      if (!buffer.value->isState()) continue;
      QCOMPARE(buffer.first, -1);
      QCOMPARE(buffer.last, 4);
    }
  }

  void reusesWhatIsDead() {
    const auto graph = ir::parse(R"(graph forward {
      input %x : f32[64]
      %a : f32[64] = aten.relu.out(%x)
      %b : f32[64] = aten.relu.out(%a)
      %c : f32[64] = aten.relu.out(%b)
      %d : f32[64] = aten.relu.out(%c)
      return (%d)
    })");
    const MemoryPlan plan = planMemory(*graph, {});
    QCOMPARE(plan.lowerBound, uint64_t{512});
    QCOMPARE(plan.arenaBytes, uint64_t{512});
    QCOMPARE(plan.buffers.size(), size_t{5});
    QCOMPARE(plan.buffers[0].first, -1);
    QCOMPARE(plan.buffers[0].last, 0);
    QCOMPARE(plan.buffers[4].first, 3);
    QCOMPARE(plan.buffers[4].last, 3);
  }

  void viewsShareTheirBase() {
    const auto graph = ir::parse(R"(graph forward {
      input %x : f32[64]
      const %w : f32[2,2] = "w"
      %a : f32[64] = aten.relu.out(%x)
      %v : f32[8,8] = aten.view_copy.default(%a, [8, 8])
      %v2 : f32[2,32] = aten.view_copy.default(%v, [2, 32])
      %b : f32[64] = aten.relu.out(%x)
      %c : f32[2,32] = aten.relu.out(%v2)
      %wv : f32[4] = aten.view_copy.default(%w, [4])
      %xv : f32[8,8] = aten.view_copy.default(%x, [8, 8])
      return (%c, %b, %wv, %xv)
    })");
    const MemoryPlan plan = planMemory(*graph, {});
    QCOMPARE(plan.buffers.size(), size_t{4});  // x, a, b, c
    QCOMPARE(plan.buffers[1].last, 2);         // a lives as long as its last view is read
    const Storage storage(*graph, WriteOptions{});
    QCOMPARE(storage.instructions().size(), size_t{3});
  }

  void memoryOfTheCallerIsNotPlanned() {
    const auto graph = ir::parse(R"(graph forward {
      input %x : f32[64]
      %xv : f32[8,8] = aten.view_copy.default(%x, [8, 8])
      %a : f32[8,8] = aten.relu.out(%xv)
      %v : f32[64] = aten.view_copy.default(%a, [64])
      return (%v)
    })");
    WriteOptions options;
    options.planInputs = options.planOutputs = false;
    const MemoryPlan plan = planMemory(*graph, options);
    QCOMPARE(plan.buffers.size(), size_t{2});  // the copy xv, and a
    const WriteOptions planned;
    QCOMPARE(Storage(*graph, options).instructions().size(), size_t{3});
    QCOMPARE(Storage(*graph, planned).instructions().size(), size_t{1});
  }

  void boundsStandForSymbolicSizes() {
    ir::Graph graph;
    const ir::SymInt batch = ir::SymInt::symbol("s0", 1, 10);
    ir::TensorType type;
    type.shape = {batch, 16};
    ir::Value* x = graph.addInput("x", type);
    graph.setOutputs({x});
    QCOMPARE(planMemory(graph, {}).arenaBytes, uint64_t{10 * 16 * 4});
    type.shape = {ir::SymInt::symbol("s1", 1, {})};
    graph.addInput("y", type);
    QVERIFY_EXCEPTION_THROWN(planMemory(graph, {}), ExportError);
  }

  void roomForOverReadBehindXnnpack() {
    auto graph = ir::parse(R"(graph forward {
      input %x : f32[4]
      %y : f32[4] = exportdeck.delegate(%x)
      return (%y)
    })");
    auto blob = std::make_shared<ir::DelegateBlob>();
    blob->backendId = "OtherBackend";
    graph->nodes().front()->blob = blob;
    QCOMPARE(planMemory(*graph, {}).arenaBytes, uint64_t{32});
    blob = std::make_shared<ir::DelegateBlob>();
    blob->backendId = "XnnpackBackend";
    graph->nodes().front()->blob = blob;
    QCOMPARE(planMemory(*graph, {}).arenaBytes, uint64_t{32 + 64});
  }

  void randomPrograms() {
    double sumOfRatios = 0;
    const int programs = 300;
    for (uint32_t seed = 0; seed < programs; ++seed) {
      tests::RandomProgramShape shape;
      shape.nodes = 1 + static_cast<int>(seed % 90);
      shape.longLivedPercent = static_cast<int>(seed % 40);
      const auto graph = tests::randomProgram(seed, shape);
      const MemoryPlan plan = planMemory(*graph, {});
      const auto wrong = overlap(plan.buffers);
      QVERIFY2(wrong.empty(), concat("seed ", seed, ": ", wrong).c_str());
      QVERIFY(plan.arenaBytes >= plan.lowerBound);

      const auto ranges = expectedRanges(*graph);
      QCOMPARE(plan.buffers.size(), ranges.size());
      for (const PlannedBuffer& buffer : plan.buffers) {
        QCOMPARE(buffer.offset % 16, uint64_t{0});
        QVERIFY(buffer.size >= buffer.value->type().bytes() && buffer.size < buffer.value->type().bytes() + 16);
        QVERIFY(buffer.offset + buffer.size <= plan.arenaBytes);
        QCOMPARE(buffer.first, ranges.at(buffer.value).first);
        QCOMPARE(buffer.last, ranges.at(buffer.value).second);
      }
      const double ratio = static_cast<double>(plan.arenaBytes) / static_cast<double>(plan.lowerBound);
      QVERIFY2(ratio < 1.5, concat("seed ", seed, ": ", ratio, " times the lower bound").c_str());
      sumOfRatios += ratio;
    }
    QVERIFY2(sumOfRatios / programs < 1.06, concat("mean ratio ", sumOfRatios / programs).c_str());
  }

  void bothWaysOfPlacingAreRight() {
    for (uint32_t seed = 0; seed < 100; ++seed) {
      const auto graph = tests::randomProgram(seed, {.nodes = 60, .longLivedPercent = 30});
      auto buffers = planMemory(*graph, {}).buffers;
      const auto placed = [&](uint64_t arena) {
        for (const PlannedBuffer& buffer : buffers) {
          if (buffer.offset + buffer.size > arena) return std::string("a buffer lies outside the arena");
        }
        return overlap(buffers);
      };
      QCOMPARE(placed(placeBySize(buffers)), std::string());
      QCOMPARE(placed(placeInTime(buffers)), std::string());
    }
  }

  void countsPairs() {
    for (uint32_t seed = 0; seed < 20; ++seed) {
      const auto buffers = planMemory(*tests::randomProgram(seed, {}), {}).buffers;
      uint64_t pairs = 0;
      for (size_t i = 0; i < buffers.size(); ++i) {
        for (size_t j = 0; j < i; ++j)
          pairs += buffers[i].first <= buffers[j].last && buffers[j].first <= buffers[i].last;
      }
      QCOMPARE(overlappingPairs(buffers), pairs);
    }
  }

  // Four times the program must stay far from sixteen times the time. Times are the best of three.
  void largeProgramsAreQuick_data() {
    QTest::addColumn<int>("longLivedPercent");
    QTest::addColumn<int>("outputs");
    QTest::newRow("short lives") << 0 << 3;
    QTest::newRow("many long lives") << 30 << 3;
    QTest::newRow("everything is returned") << 5 << 40000;
  }
  void largeProgramsAreQuick() {
    QFETCH(int, longLivedPercent);
    QFETCH(int, outputs);
    const auto best = [&](int nodes) {
      const auto graph = tests::randomProgram(7, {.nodes = nodes,
                                                  .reach = outputs > nodes ? nodes : 8,
                                                  .longLivedPercent = longLivedPercent,
                                                  .outputs = outputs});
      double time = 1e9;
      for (int i = 0; i < 3; ++i) time = std::min(time, tests::processorSeconds([&] { planMemory(*graph, {}); }));
      return time;
    };
    const double small = best(5000), large = best(20000);
    QVERIFY2(large < tests::kSlowdown, concat(large, " s").c_str());
    QVERIFY2(large < 12 * small + 0.05 * tests::kSlowdown,
             concat("5000 values: ", small, " s, 20000 values: ", large, " s").c_str());
    qInfo("5000: %.3f s, 20000: %.3f s", small, large);
  }
};

QTEST_APPLESS_MAIN(MemoryPlanTest)
#include "tst_memory_plan.moc"
