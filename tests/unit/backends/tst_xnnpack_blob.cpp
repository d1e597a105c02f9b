// The delegate blob and the static data beside it.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "backends/xnnpack/convert.h"
#include "backends/xnnpack/reorder.h"
#include "backends/xnnpack/serialise.h"
#include "backends/xnnpack/static_data.h"
#include "ir/graph.h"
#include "xnnpack_support.h"

using namespace exportdeck;
using namespace exportdeck::backends::xnnpack;

namespace {

ir::Constant counting(const ir::Sizes& sizes) {
  const ir::TensorType type(ir::DType::Float32, sizes);
  std::vector<float> numbers(static_cast<size_t>(type.elements()));
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  Bytes bytes(numbers.size() * sizeof(float));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return {"counting", type, bytesInMemory(std::move(bytes))};
}

std::vector<float> floats(const Bytes& bytes) {
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

template <typename T>
T at(const Bytes& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

class TestXnnpackBlob : public QObject {
  Q_OBJECT

 private slots:
  void headerAndNamedData() {
    const auto graph = ir::parse(R"(graph g {
  input %x : f32[2,3]
  const %w : f32[4,3] = "w"
  const %v : f32[4,4] = "v"
  %a : f32[2,4] = aten.linear.default(%x, %w, none)
  %b : f32[2,4] = aten.linear.default(%a, %v, none)
  %c : f32[2,4] = aten.linear.default(%b, %v, none)
  return (%c)
})");
    const ir::DelegateBlob blob = serialise(Lowering(*graph, true).run());
    QCOMPARE(blob.backendId, std::string("XnnpackBackend"));
    QCOMPARE(std::memcmp(blob.processed.data() + 4, "XH00", 4), 0);
    QCOMPARE(at<uint16_t>(blob.processed, 8), uint16_t{30});
    QCOMPARE(at<uint32_t>(blob.processed, 10), uint32_t{32});
    const auto size = at<uint32_t>(blob.processed, 14);
    QCOMPARE(at<uint32_t>(blob.processed, 18), 32 + (size + 15) / 16 * 16);
    QCOMPARE(at<uint64_t>(blob.processed, 22), uint64_t{0});
    QCOMPARE(std::memcmp(blob.processed.data() + 32 + 4, "XN01", 4), 0);
    // The weight that two layers share is there once, and its bytes are the constant's own.
    QCOMPARE(blob.namedData.size(), size_t{2});
    QVERIFY(blob.namedData[0].data == graph->constants()[0]->constant()->data);
    QVERIFY(blob.namedData[0].key != blob.namedData[1].key);
  }

  // Where all dimensions are of one size, the reordered operand has the type of the constant that it is made of.
  void operandsOfEqualDimensionsAreReordered() {
    const auto graph = ir::parse(R"(graph g {
  input %x : f32[1,2,2,2]
  const %w : f32[2,2,1,1] = "w"
  const %s : f32[1,2,2,2] = "s" [0, 1, 2, 3, 4, 5, 6, 7]
  %a : f32[1,2,2,2] = aten.convolution.default(%x, %w, none, [1,1], [0,0], [1,1], false, [0,0], 1)
  %b : f32[1,2,2,2] = aten.add.Tensor(%a, %s, 1)
  %c : f32[1,2,2,2] = aten.convolution.default(%b, %w, none, [1,1], [0,0], [1,1], false, [0,0], 1)
  return (%c)
})");
    const Subgraph subgraph = Lowering(*graph, true).run();
    QCOMPARE(subgraph.operands.size(), size_t{1});
    QCOMPARE(floats(subgraph.operands[0]->data->materialise()), (std::vector<float>{0, 4, 1, 5, 2, 6, 3, 7}));
  }

  void filtersAreReordered() {
    const StaticForm form{{2, 2, 1, 3}, {0, 2, 3, 1}, ir::DType::Float32, {2, 1, 3, 2}, "conv"};
    const auto data = makeStaticData(counting({2, 2, 1, 3}), form);
    QCOMPARE(floats(data->bytes->materialise()), (std::vector<float>{0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}));
  }

  // Against the definition, for all orders of four dimensions with sizes of 1 among them.
  void reorderingFollowsItsDefinition() {
    for (const ir::Sizes& sizes :
         {ir::Sizes{3, 4, 2, 5}, ir::Sizes{40, 1, 33, 1}, ir::Sizes{1, 1, 7, 2}, ir::Sizes{1, 1, 1, 1}}) {
      const std::vector<float> numbers = floats(counting(sizes).data->materialise());
      const ir::Sizes strides = ir::rowMajorStrides(sizes);
      ir::Sizes order{0, 1, 2, 3};
      do {
        std::vector<float> got(numbers.size());
        reorderElements(reinterpret_cast<const std::byte*>(numbers.data()), reinterpret_cast<std::byte*>(got.data()),
                        sizes, order, sizeof(float));
        const ir::Sizes result = reordered(sizes, order);
        const ir::Sizes resultStrides = ir::rowMajorStrides(result);
        for (size_t at = 0; at < got.size(); ++at) {
          int64_t from = 0;
          for (size_t d = 0; d < order.size(); ++d) {
            from += static_cast<int64_t>(at) / resultStrides[d] % result[d] * strides[static_cast<size_t>(order[d])];
          }
          QCOMPARE(got[at], numbers[static_cast<size_t>(from)]);
        }
      } while (std::next_permutation(order.begin(), order.end()));
    }
  }

  // Blocks are far smaller than the whole, and the stream's pieces need not end where blocks do.
  void largeFiltersComeInPieces() {
    const ir::Sizes sizes{257, 61, 5, 5};
    const StaticForm form{sizes, {0, 2, 3, 1}, ir::DType::Float32, {257, 5, 5, 61}, "conv"};
    const ir::Constant constant = counting(sizes);
    const auto data = makeStaticData(constant, form);
    size_t largest = 0, total = 0;
    data->bytes->produce([&](std::span<const std::byte> piece) {
      largest = std::max(largest, piece.size());
      total += piece.size();
    });
    QCOMPARE(total, static_cast<size_t>(constant.type.bytes()));
    QVERIFY(largest <= size_t{1} << 20);
    const std::vector<float> numbers = floats(data->bytes->materialise());
    for (const int64_t o : {0, 100, 256}) {
      for (const int64_t i : {0, 60}) {
        const auto got = static_cast<size_t>(((o * 5 + 3) * 5 + 2) * 61 + i);
        QCOMPARE(numbers[got], static_cast<float>(((o * 61 + i) * 5 + 3) * 5 + 2));
      }
    }
  }

  void keysFollowContentAndForm() {
    const auto plain = [](const ir::Constant& constant, const char* role) {
      return makeStaticData(constant, StaticForm::plain(constant.type.sizes(), ir::DType::Float32, role))->key;
    };
    QCOMPARE(plain(counting({2, 3}), "fc"), plain(counting({2, 3}), "fc"));
    QVERIFY(plain(counting({2, 3}), "fc") != plain(counting({3, 2}), "fc"));
    QVERIFY(plain(counting({2, 3}), "fc") != plain(counting({2, 3}), "fct"));
    QVERIFY(plain(counting({2, 3}), "fc") != plain(counting({2, 2}), "fc"));
  }

  void reorderingThatMovesNothingKeepsTheSource() {
    const ir::Constant constant = counting({4, 3, 1, 1});
    const StaticForm form{{4, 3, 1, 1}, {0, 2, 3, 1}, ir::DType::Float32, {4, 1, 1, 3}, "conv"};
    QVERIFY(makeStaticData(constant, form)->bytes == constant.data);
  }

  void halfPrecisionRoundTrips() {
    for (uint32_t half = 0; half < 0x10000; ++half) {
      const float value = halfToFloat(static_cast<uint16_t>(half));
      if (std::isnan(value)) continue;
      QCOMPARE(floatToHalf(value), static_cast<uint16_t>(half));
    }
    QCOMPARE(floatToHalf(1.0f + 1.0f / 2048), uint16_t{0x3C00});  // a tie goes to even
    QCOMPARE(floatToHalf(1.0f + 3.0f / 2048), uint16_t{0x3C02});
    QCOMPARE(floatToHalf(65504.0f), uint16_t{0x7BFF});
    QCOMPARE(floatToHalf(65519.0f), uint16_t{0x7BFF});
    QCOMPARE(floatToHalf(65520.0f), uint16_t{0x7C00});
    QCOMPARE(floatToHalf(std::ldexp(1.0f, -25)), uint16_t{0});
    QVERIFY(std::isnan(halfToFloat(floatToHalf(NAN))));
  }

  void integersBecomeFloats() {
    const std::vector<int64_t> numbers{-3, 0, 1'000'000};
    const auto bytes = std::as_bytes(std::span(numbers));
    QCOMPARE(floats(convertElements(bytes, ir::DType::Int64, ir::DType::Float32)),
             (std::vector<float>{-3, 0, 1'000'000}));
  }
};

QTEST_APPLESS_MAIN(TestXnnpackBlob)
#include "tst_xnnpack_blob.moc"
