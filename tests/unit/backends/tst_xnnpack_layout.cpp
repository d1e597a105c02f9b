// Memory orders of values, and what permutations and reshapes make of them.
#include <QTest>
#include <numeric>
#include <random>

#include "backends/xnnpack/layout.h"

using namespace exportdeck;
using namespace exportdeck::backends::xnnpack;

namespace {

// The elements 0, 1, ... of a value of these sizes, as they lie in memory in that order.
std::vector<int64_t> memoryOf(const ir::Sizes& sizes, const Order& order) {
  const ir::Sizes strides = ir::rowMajorStrides(sizes);
  std::vector<int64_t> out{0};
  for (const int64_t dim : order) {
    std::vector<int64_t> next;
    for (const int64_t base : out) {
      for (int64_t i = 0; i < sizes[static_cast<size_t>(dim)]; ++i)
        next.push_back(base + i * strides[static_cast<size_t>(dim)]);
    }
    out = std::move(next);
  }
  return out;
}

Order shuffled(size_t rank, std::mt19937& random) {
  Order order = plainOrder(rank);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

}  // namespace

class TestXnnpackLayout : public QObject {
  Q_OBJECT

 private slots:
  void reshapes() {
    const Order last{0, 2, 3, 1};
    QCOMPARE(throughReshape(last, {1, 6, 4, 4}, {1, 6, 16}).value(), (Order{0, 2, 1}));
    QCOMPARE(throughReshape(last, {1, 6, 4, 4}, {1, 2, 3, 4, 4}).value(), (Order{0, 3, 4, 1, 2}));
    QCOMPARE(throughReshape({0, 3, 4, 1, 2}, {1, 2, 3, 4, 4}, {1, 6, 4, 4}).value(), last);
    // Joined dimensions that do not lie side by side, or the other way round.
    QVERIFY(!throughReshape({0, 3, 4, 2, 1}, {1, 2, 3, 4, 4}, {1, 6, 4, 4}));
    QVERIFY(!throughReshape(last, {1, 6, 4, 4}, {1, 96}));
    QVERIFY(!throughReshape({1, 0}, {2, 3}, {3, 2}));
  }

  void dimensionsOfOneLieAnywhere() {
    QVERIFY(sameSequence({1, 5, 1, 1}, {0, 1, 2, 3}, {0, 2, 3, 1}));
    QVERIFY(!sameSequence({1, 5, 2, 1}, {0, 1, 2, 3}, {0, 2, 3, 1}));
    QCOMPARE(throughReshape({0, 2, 3, 1}, {1, 5, 1, 1}, {5}).value(), (Order{0}));
    QCOMPARE(throughReshape({0}, {5}, {1, 5, 1}).value(), (Order{0, 1, 2}));
    QCOMPARE(throughReshape({}, {}, {1, 1}).value(), (Order{0, 1}));
  }

  void dimensionsTakenOutAndMoved() {
    QCOMPARE(withoutDimension({0, 2, 3, 1}, 2), (Order{0, 2, 1}));
    QCOMPARE(withLast({0, 1, 2, 3}, 1), (Order{0, 2, 3, 1}));
    QCOMPARE(transposeBetween({0, 2, 3, 1}, {0, 1, 2, 3}), (ir::Sizes{0, 3, 1, 2}));
  }

  // Whatever a permutation or reshape says of the memory is so.
  void describesTheSameMemory() {
    std::mt19937 random(7);
    int reshaped = 0;
    for (int round = 0; round < 2000; ++round) {
      ir::Sizes sizes;
      const size_t rank = 1 + random() % 5;
      for (size_t i = 0; i < rank; ++i) sizes.push_back(1 + static_cast<int64_t>(random() % 4));
      const Order order = shuffled(rank, random);
      const std::vector<int64_t> memory = memoryOf(sizes, order);

      const ir::Sizes permutation = shuffled(rank, random);
      const Order through = throughPermutation(order, permutation);
      QCOMPARE(backThroughPermutation(through, permutation), order);
      QCOMPARE(reordered(reordered(sizes, permutation), through), reordered(sizes, order));

      // The sizes split and joined at random: the same elements in the same logical places.
      ir::Sizes other;
      int64_t left = std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
      while (left > 1 && other.size() < 5) {
        int64_t factor = 1 + static_cast<int64_t>(random() % 4);
        if (left % factor != 0) factor = 1;
        other.push_back(factor);
        left /= factor;
      }
      other.push_back(left);
      if (const auto to = throughReshape(order, sizes, other)) {
        ++reshaped;
        QCOMPARE(memoryOf(other, *to), memory);
      }
    }
    QVERIFY(reshaped > 200);
  }
};

QTEST_APPLESS_MAIN(TestXnnpackLayout)
#include "tst_xnnpack_layout.moc"
