// Quantising a float program's weights.
#include <cmath>
#include <cstring>
#include <limits>

#include "base/text.h"
#include "pass_support.h"
#include "passes/constant_math.h"
#include "passes/quantised_weight.h"

using namespace exportdeck;
using passes::Quantisation;

namespace {

ir::Constant matrix(const ir::Sizes& sizes, const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {"m", ir::TensorType(ir::DType::Float32, sizes), bytesInMemory(Bytes(bytes.begin(), bytes.end()))};
}

std::vector<int> integersIn(const ByteSource& source) {
  std::vector<int> out;
  for (const std::byte byte : source.materialise()) out.push_back(static_cast<int8_t>(byte));
  return out;
}

// A linear layer, a product with its weight turned, and an embedding of the same table.
const char* const kLayers = R"(graph g {
  input %x : f32[1,3,4]
  input %ids : i32[2]
  const %w : f32[2,4] = "a.weight" [1, -2, 0.5, 4, 8, 0, -4, 2]
  const %b : f32[2] = "a.bias" [1, 2]
  const %t : f32[2,4] = "t.weight" [1, -2, 0.5, 4, 8, 0, -4, 2]
  %y : f32[1,3,2] = aten.linear.default(%x, %w, %b)  # a;
  %e : f32[2,4] = aten.embedding.default(%w, %ids, -1, false, false)  # e;
  %v : f32[3,2] = aten.view_copy.default(%y, [3, 2])
  %z : f32[3,4] = aten.mm.default(%v, %t)  # head.out;
  return (%e, %z)
}
)";

struct Run {
  std::unique_ptr<ir::Graph> graph;
  std::vector<passes::QuantisedWeight> weights;
  std::vector<std::string> ops() const {
    std::vector<std::string> out;
    for (const auto& node : graph->nodes()) out.push_back(node->op());
    return out;
  }
  const ir::Node* first(std::string_view op) const {
    for (const auto& node : graph->nodes())
      if (node->is(op)) return node.get();
    return nullptr;
  }
};

Run quantised(const Quantisation& wish, bool (*keepWhole)(const ir::Node&),
              const ops::RuntimeProfile& runtime = ops::RuntimeProfile::standard()) {
  Run out;
  out.graph = ir::parse(kLayers);
  DiagnosticSink diagnostics;
  const Context context{silentProgress(), {}};
  passes::PassContext pass{context, diagnostics, keepWhole};
  pass.quantisation = &wish;
  pass.quantised = &out.weights;
  pass.runtime = &runtime;
  passes::quantise(*out.graph, pass);
  ir::verify(*out.graph);
  return out;
}

bool never(const ir::Node&) {
  return false;
}
bool always(const ir::Node&) {
  return true;
}
bool onlyLinear(const ir::Node& node) {
  return node.is("aten.linear.default");
}

}  // namespace

class TestQuantise : public QObject {
  Q_OBJECT

 private slots:
  void eightBits() {
    const auto integers = passes::integersOf(matrix({2, 3}, {1, -2, 0.5, 0, 0, 0}), 8, 0);
    QVERIFY(integers);
    QCOMPARE(integersIn(*integers->data), (std::vector<int>{64, -127, 32, 0, 0, 0}));
    QCOMPARE(integers->scales, (std::vector<float>{2.0f / 127, 1}));
    QCOMPARE(integers->bits, 8);
  }

  // Scales that bfloat16 has; neither too small for a group's elements nor so large that a third of the range is idle.
  void fourBitsInGroups() {
    std::vector<float> values;
    for (int i = 0; i < 128; ++i) values.push_back(std::sin(static_cast<float>(i)) * (i < 64 ? 1.0f : 10.0f));
    const ir::Constant weight = matrix({2, 64}, values);
    const auto integers = passes::integersOf(weight, 4, 32);
    QVERIFY(integers);
    QCOMPARE(integers->scales.size(), size_t{4});
    const std::vector<int> got = integersIn(*integers->data);
    const std::vector<double> floats = passes::readAsDoubles(*passes::floatsOf(weight, integers));
    double signal = 0, noise = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      const float scale = integers->scales[i / 32];
      uint32_t bits = 0;
      std::memcpy(&bits, &scale, sizeof bits);
      QCOMPARE(bits & 0xffffu, 0u);
      QVERIFY(got[i] >= -8 && got[i] <= 7);
      QCOMPARE(floats[i], static_cast<double>(static_cast<float>(got[i]) * scale));
      signal += static_cast<double>(values[i]) * static_cast<double>(values[i]);
      noise += std::pow(floats[i] - static_cast<double>(values[i]), 2);
    }
    QVERIFY2(10 * std::log10(signal / noise) > 20, qPrintable(QString::number(10 * std::log10(signal / noise))));
  }

  void numbersThatAreNone() {
    for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
      QVERIFY(!passes::integersOf(matrix({1, 2}, {1, bad}), 8, 0));
  }

  void halves() {
    const ir::ConstantPtr made = passes::roundedToHalf(matrix({1, 3}, {1, 0.1f, -65504}));
    QVERIFY(made && made->half);
    QCOMPARE(made->half->size(), uint64_t{6});
    QCOMPARE(passes::readAsDoubles(*made), (std::vector<double>{1, 0.0999755859375, -65504}));
    QVERIFY(!passes::roundedToHalf(matrix({1, 2}, {1, 70000})));
  }

  void pairs() {
    const auto integers = bytesInMemory({std::byte{0x01}, std::byte{0xf8}, std::byte{0x07}, std::byte{0xff}});
    QCOMPARE(integersIn(*passes::packedPairs(integers, passes::FirstOfPair::LowBits)), (std::vector<int>{0x09, 0x7f}));
    QCOMPARE(integersIn(*passes::packedPairs(integers, passes::FirstOfPair::HighBits)),
             (std::vector<int>{static_cast<int8_t>(0x90), static_cast<int8_t>(0xf7)}));
  }

  void patterns() {
    QVERIFY(passes::fitsModule("model.layers.*.mlp", "model.layers.12.mlp"));
    QVERIFY(passes::fitsModule("model.layers.*.mlp", "model.layers.12.mlp.down_proj"));
    QVERIFY(passes::fitsModule("lm_hea?", "lm_head"));
    QVERIFY(passes::fitsModule("*", ""));
    QVERIFY(!passes::fitsModule("model.layers.1", "model.layers.12"));
    QVERIFY(!passes::fitsModule("mlp", "model.mlp"));
  }

  // A table that is a linear weight too keeps one copy of its integers.
  void tiedWeightsStayTied() {
    const Run run =
        quantised({.linear = Quantisation::Linear::DynamicInt8, .embedding = Quantisation::Embedding::Int8}, always);
    const ir::Node* linear = run.first("exportdeck.dynamic_linear.default");
    const ir::Node* rows = run.first("quantized_decomposed.embedding_byte.default");
    QVERIFY(linear && rows);
    QCOMPARE(linear->value(1)->constant()->integers->data.get(), rows->value(0)->constant()->data.get());
    QCOMPARE(run.weights.size(), size_t{3});
    QCOMPARE(run.weights[0].form, "int8 dynamic");
    QCOMPARE(run.weights[0].bytesBefore, uint64_t{32});
    QCOMPARE(run.weights[0].bytesAfter, uint64_t{8 + 2 * 4});
    QCOMPARE(run.weights[1].form, "int8");
  }

  // [in, out] becomes [out, in] with a scale for each output.
  void productsAreTurned() {
    const Run run = quantised({.linear = Quantisation::Linear::Int8}, onlyLinear);
    const ir::Node* last = run.graph->nodes().back().get();
    QCOMPARE(last->op(), "aten.linear.default");
    const ir::Constant& weight = *last->value(1)->constant();
    QCOMPARE(weight.type.text(), "f32[4,2]");
    QCOMPARE(integersIn(*weight.integers->data), (std::vector<int>{16, 127, -127, 0, 16, -127, 127, 64}));
  }

  void kernelsWhereNoBackendTakesIt() {
    const Run run =
        quantised({.linear = Quantisation::Linear::DynamicInt4, .embedding = Quantisation::Embedding::Int4}, never);
    QCOMPARE(run.ops(),
             (std::vector<std::string>{"aten.view_copy.default", "quantized_decomposed.mixed_linear.default",
                                       "aten.view_copy.default", "aten.add.Tensor", "aten._to_copy.default",
                                       "quantized_decomposed.embedding_4bit.default", "aten.view_copy.default",
                                       "quantized_decomposed.mixed_linear.default"}));
    QCOMPARE(run.weights[0].form, "int8");
    QCOMPARE(run.weights[1].form, "int4");
  }

  void withoutTheQuantizedLibraryTheyStay() {
    const Run run = quantised({.linear = Quantisation::Linear::Int8, .embedding = Quantisation::Embedding::Int8}, never,
                              ops::RuntimeProfile::find("optimized"));
    QCOMPARE(run.ops(), (std::vector<std::string>{"aten.linear.default", "aten.embedding.default",
                                                  "aten.view_copy.default", "aten.mm.default"}));
    for (const passes::QuantisedWeight& weight : run.weights) {
      QVERIFY(weight.form.empty() && !weight.isByName);
      QVERIFY2(weight.reason.find("the runtime lacks the kernel") != std::string::npos, weight.reason.c_str());
    }
  }

  void halfPrecision() {
    const Run run =
        quantised({.linear = Quantisation::Linear::Half, .embedding = Quantisation::Embedding::Half}, always);
    QVERIFY(run.first("aten.linear.default")->value(1)->constant()->half);
    const ir::Node* rows = run.first("aten.embedding.default");
    QCOMPARE(rows->value(0)->type().text(), "f16[2,4]");
    QCOMPARE(rows->output()->users().front()->op(), "aten._to_copy.default");
  }

  void byName() {
    const Run run =
        quantised({.linear = Quantisation::Linear::Int8, .only = {"a.*", "t.weight"}, .except = {"t.*"}}, always);
    QCOMPARE(run.weights.size(), size_t{2});
    QCOMPARE(run.weights[0].form, "int8");
    QVERIFY(run.weights[1].form.empty() && run.weights[1].isByName);
    QCOMPARE(run.weights[1].reason, "it is excluded by name");
  }
};

QTEST_GUILESS_MAIN(TestQuantise)
#include "tst_quantise.moc"
