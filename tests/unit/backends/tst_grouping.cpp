// Grouping taken nodes: on random graphs partitions never wait for themselves and hold every taken node.
#include <QTest>
#include <algorithm>
#include <random>

#include "backends/grouping.h"
#include "support/errors.h"

using namespace exportdeck;
using namespace exportdeck::backends;

namespace {

struct RandomGraph {
  Dataflow flow;
  std::vector<bool> taken;
};

RandomGraph randomGraph(std::mt19937& random, int size, double takenShare, int reach) {
  RandomGraph graph;
  graph.flow.operands.resize(static_cast<size_t>(size));
  std::bernoulli_distribution isTaken(takenShare);
  for (int i = 0; i < size; ++i) {
    graph.taken.push_back(isTaken(random));
    const int operands = i == 0 ? 0 : static_cast<int>(random() % 3);
    for (int k = 0; k < operands; ++k) {
      const int back = 1 + static_cast<int>(random() % static_cast<unsigned>(std::min(i, reach)));
      graph.flow.operands[static_cast<size_t>(i)].push_back(i - back);
    }
  }
  return graph;
}

// The longest alternation of refused and taken nodes on a path: no grouping has fewer partitions.
int lowerBound(const RandomGraph& graph) {
  std::vector<int> runs(graph.taken.size(), 0);  // taken runs on the best path that ends here
  int best = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    int value = graph.taken[i] ? 1 : 0;
    for (const int operand : graph.flow.operands[i]) {
      const auto o = static_cast<size_t>(operand);
      value = std::max(value, runs[o] + (graph.taken[i] && !graph.taken[o] ? 1 : 0));
    }
    runs[i] = value;
    best = std::max(best, value);
  }
  return best;
}

// Every unit stands behind the units whose results it reads.
bool isLegalOrder(const Dataflow& flow, const std::vector<int>& partition, const std::vector<int>& order) {
  const int count = static_cast<int>(flow.size());
  const auto unitOf = [&](int node) {
    const int p = partition[static_cast<size_t>(node)];
    return p == kNoPartition ? node : count + p;
  };
  std::vector<int> place(flow.size() * 2, -1);
  for (size_t i = 0; i < order.size(); ++i) place[static_cast<size_t>(order[i])] = static_cast<int>(i);
  for (int node = 0; node < count; ++node) {
    const int own = place[static_cast<size_t>(unitOf(node))];
    if (own < 0) return false;
    for (const int operand : flow.operands[static_cast<size_t>(node)]) {
      const int other = unitOf(operand);
      if (other != unitOf(node) && place[static_cast<size_t>(other)] >= own) return false;
    }
  }
  return true;
}

}  // namespace

class TestGrouping : public QObject {
  Q_OBJECT

 private slots:
  void randomGraphsAreCoveredLegallyAndWithFewPartitions() {
    std::mt19937 random(7);
    for (int round = 0; round < 600; ++round) {
      const int size = 1 + static_cast<int>(random() % 60);
      const RandomGraph graph = randomGraph(random, size, 0.2 + 0.15 * (round % 5), 1 + round % 20);
      const std::vector<int> partition = groupByLevel(graph.flow, graph.taken);
      for (size_t i = 0; i < partition.size(); ++i) QCOMPARE(partition[i] != kNoPartition, bool(graph.taken[i]));
      const int partitions = *std::max_element(partition.begin(), partition.end()) + 1;
      QCOMPARE(partitions, lowerBound(graph));
      const std::vector<int> order = scheduleUnits(graph.flow, partition);
      QVERIFY(isLegalOrder(graph.flow, partition, order));
    }
  }

  void nodesOutsidePartitionsKeepTheirOrder() {
    std::mt19937 random(11);
    const RandomGraph graph = randomGraph(random, 200, 0.0, 5);
    const std::vector<int> order = scheduleUnits(graph.flow, groupByLevel(graph.flow, graph.taken));
    QVERIFY(std::is_sorted(order.begin(), order.end()));
  }

  void aPartitionThatWaitsForItselfIsFound() {
    Dataflow flow;
    flow.operands = {{}, {0}, {1}};
    const std::vector<int> partition = {0, kNoPartition, 0};
    QCOMPARE(tests::errorCode([&] { return scheduleUnits(flow, partition); }), std::string("internal.fault"));
  }

  void piecesAreConnectedWithinTheirPartition() {
    Dataflow flow;
    flow.operands = {{}, {0}, {}, {2}, {1, 3}};
    QCOMPARE(connectedPieces(flow, {0, 0, 0, 0, kNoPartition}), (std::vector<int>{0, 0, 1, 1, kNoPartition}));
    QCOMPARE(connectedPieces(flow, {0, 0, 0, 0, 0}), (std::vector<int>{0, 0, 0, 0, 0}));
    QCOMPARE(connectedPieces(flow, {0, 1, 0, 0, 1}), (std::vector<int>{0, 1, 2, 2, 1}));
  }

  void longChainsStayFast() {
    constexpr int kSize = 200'000;
    RandomGraph graph;
    graph.flow.operands.resize(kSize);
    for (int i = 0; i < kSize; ++i) {
      if (i > 0) graph.flow.operands[static_cast<size_t>(i)].push_back(i - 1);
      graph.taken.push_back(i % 10 != 0);
    }
    const std::vector<int> partition = groupByLevel(graph.flow, graph.taken);
    QCOMPARE(*std::max_element(partition.begin(), partition.end()) + 1, kSize / 10);
    const std::vector<int> pieces = connectedPieces(graph.flow, partition);
    QCOMPARE(*std::max_element(pieces.begin(), pieces.end()) + 1, kSize / 10);
    QVERIFY(isLegalOrder(graph.flow, partition, scheduleUnits(graph.flow, partition)));
  }
};

QTEST_APPLESS_MAIN(TestGrouping)
#include "tst_grouping.moc"
