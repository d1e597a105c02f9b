// Weights that were quantised, and products whose operand is quantised at run time.
#include <cstring>

#include "pass_support.h"
#include "passes/constant_math.h"

using namespace exportdeck;
using exportdeck::tests::graphAfter;

namespace {

std::string byChannel(const std::string& zeros, int axis) {
  return "graph g {\n  input %x : f32[4,3]\n  const %w : i8[2,3] = \"w\" [1, -2, 3, 4, 5, -6]\n" +
         std::string("  const %s : f32[") + (axis == 0 ? "2" : "3") + "] = \"s\" " +
         (axis == 0 ? "[0.5, 2]" : "[0.5, 2, 3]") + "\n  const %o : i64[" + (axis == 0 ? "2" : "3") + "] = \"o\" " +
         zeros + R"(
  %v : f32[2,3] = quantized_decomposed.dequantize_per_channel.default(%w, %s, %o, )" +
         std::to_string(axis) + R"(, -127, 127, dtype:i8, none)
)";
}

// A weight in torchao's blocks, and a linear operator on rows that are quantised when it runs.
std::string byBlock(const std::string& block, const std::string& scales, const std::string& least) {
  return R"(graph g {
  input %x : f32[4,4]
  const %w : i8[2,4] = "w" [1, -2, 3, 4, 5, -6, 7, -8]
  const %s : f32[)" +
         scales + R"(] = "s"
  const %o : i8[)" +
         scales + R"(] = "o" )" + (scales == "2,2" ? "[0, 0, 0, 0]" : "[0, 0]") + R"(
  %c : f32[4,1], %d : i8[4,1] = torchao.choose_qparams_affine.default(%x, "ASYMMETRIC", [1, 4], dtype:i8, -128, 127, 0.001, dtype:f32, dtype:i8, false)
  %q : i8[4,4] = torchao.quantize_affine.default(%x, [1, 4], %c, %d, dtype:i8, -128, 127)
  %a : f32[4,4] = torchao.dequantize_affine.default(%q, [1, 4], %c, %d, dtype:i8, -128, 127, dtype:f32)
  %v : f32[2,4] = torchao.dequantize_affine.default(%w, )" +
         block + R"(, %s, %o, dtype:i8, )" + least + R"(, 7, dtype:f32)
  %y : f32[4,2] = aten.linear.default(%a, %v, none)
  return (%y)
}
)";
}

const std::string kLinear = "  %y : f32[4,2] = aten.linear.default(%x, %v, none)\n  return (%y)\n}\n";

bool always(const ir::Node&) {
  return true;
}

// A linear operator on an operand that is quantised with `choose`, and integers from `low` on.
std::string dynamic(const std::string& read, const std::string& low) {
  return R"(graph g {
  input %x : f32[4,3]
  input %other : f32[4,3]
  const %v : f32[2,3] = "v"
  %c : f64[1], %d : i64[1] = quantized_decomposed.choose_qparams.tensor(%x, -128, 127, 0.001, dtype:i8)
  %q : i8[4,3] = quantized_decomposed.quantize_per_tensor.tensor(%)" +
         read + ", %c, %d, " + low + R"(, 127, dtype:i8)
  %a : f32[4,3] = quantized_decomposed.dequantize_per_tensor.tensor(%q, %c, %d, )" +
         low + R"(, 127, dtype:i8, none)
  %y : f32[4,2] = aten.linear.default(%a, %v, none)
  return (%y)
}
)";
}

}  // namespace

class TestQuantisedWeights : public QObject {
  Q_OBJECT

 private slots:
  void weightsKnowTheirIntegers() {
    for (const int axis : {0, 1}) {
      const auto graph =
          graphAfter(passes::keepIntegers, byChannel(axis == 0 ? "[0, 0]" : "[0, 0, 0]", axis) + kLinear, always);
      QCOMPARE(graph->nodes().size(), size_t{1});
      const ir::ConstantPtr& weight = graph->nodes().front()->value(1)->constant();
      QVERIFY(weight && weight->integers);
      QCOMPARE(weight->integers->axis, int64_t{axis});
      const std::vector<double> expected =
          axis == 0 ? std::vector<double>{0.5, -1, 1.5, 8, 10, -12} : std::vector<double>{0.5, -4, 9, 2, 10, -18};
      QCOMPARE(passes::readAsDoubles(*weight), expected);
    }
  }

  void weightsInBlocks() {
    const auto weightOf = [](const std::string& block, const std::string& scales, const std::string& least) {
      const auto graph = graphAfter(passes::keepIntegers, byBlock(block, scales, least), always);
      return graph->nodes().back()->value(1)->constant()->integers;
    };
    const auto rows = weightOf("[1, 4]", "2,1", "-8");
    QCOMPARE(rows->bits, 4);
    QCOMPARE(rows->group, int64_t{0});
    const auto groups = weightOf("[1, 2]", "2,2", "-128");
    QCOMPARE(groups->bits, 8);
    QCOMPARE(groups->group, int64_t{2});
    QCOMPARE(groups->scales.size(), size_t{4});
    // Without a backend the kernel that reads integers multiplies.
    const auto byKernel =
        graphAfter(passes::keepIntegers, byBlock("[1, 4]", "2,1", "-8"), [](const ir::Node&) { return false; });
    QCOMPARE(byKernel->nodes().back()->op(), "quantized_decomposed.mixed_linear.default");
  }

  void rowsThatAreQuantisedAtRunTime() {
    const auto graph = graphAfter(passes::fuseDynamic, byBlock("[1, 4]", "2,1", "-8"), always);
    QCOMPARE(graph->nodes().back()->op(), "exportdeck.dynamic_linear.default");
    QCOMPARE(graph->nodes().back()->value(0)->name(), "x");
  }

  // Scales come behind the product, of weights alone and of rows too.
  void productsThatAreScaledBehind() {
    const std::string rows = R"(graph g {
  input %x : f32[4,3]
  const %w : i8[3,2] = "w" [1, -2, 3, 4, 5, -6]
  const %s : f32[2] = "s" [0.5, 2]
  %c : f32[4,1], %d : i8[4,1] = torchao.choose_qparams_affine.default(%x, "MAPPING", [1, 3], dtype:i8, -128, 127, 0.001, dtype:f32, dtype:i8, false)
  %q : i8[4,3] = torchao.quantize_affine.default(%x, [1, 3], %c, %d, dtype:i8, -128, 127)
  %p : i32[4,2] = aten._int_mm.default(%q, %w)
  %f : f32[4,2] = aten._to_copy.default(%p, dtype:f32, none, none, none, false, none)
  %m : f32[4,2] = aten.mul.Tensor(%f, %c)
  %y : f32[4,2] = aten.mul.Tensor(%m, %s)
  return (%y)
}
)";
    const auto with = [&](const std::string& mapping) {
      return graphAfter(passes::integerProducts,
                        QString::fromStdString(rows).replace("MAPPING", mapping.c_str()).toStdString(), always);
    };
    const auto graph = with("SYMMETRIC");
    const ir::Node* last = graph->nodes().back().get();
    QCOMPARE(last->op(), "exportdeck.dynamic_linear.default");
    QCOMPARE(passes::readAsDoubles(*last->value(1)->constant()), (std::vector<double>{0.5, 1.5, 2.5, -4, 8, -12}));
    // The product leaves zero points out.
    QCOMPARE(with("ASYMMETRIC")->nodes().back()->op(), "aten.mul.Tensor");
  }

  // With zero points, without a backend, and for operators that a kernel does.
  void othersAreDequantisedAtRunTime() {
    const auto remains = [](const std::string& text, bool (*takes)(const ir::Node&)) {
      return graphAfter(passes::keepIntegers, text, takes)->nodes().size() == 2;
    };
    QVERIFY(remains(byChannel("[0, 1]", 0) + kLinear, always));
    QVERIFY(remains(byChannel("[0, 0]", 0) + kLinear, [](const ir::Node&) { return false; }));
    QVERIFY(remains(byChannel("[0, 0]", 0) + "  %y : f32[2,3] = aten.relu.default(%v)\n  return (%y)\n}\n", always));
  }

  void productsOfWhatIsQuantisedAtRunTime() {
    const auto product = [](const std::string& text, bool (*takes)(const ir::Node&)) {
      return graphAfter(passes::fuseDynamic, text, takes)->nodes().back()->op();
    };
    QCOMPARE(product(dynamic("x", "-128"), always), "exportdeck.dynamic_linear.default");
    QCOMPARE(product(dynamic("x", "-128"), [](const ir::Node&) { return false; }), "aten.linear.default");
    // Scales that were chosen for something else, and four bits.
    QCOMPARE(product(dynamic("other", "-128"), always), "aten.linear.default");
    QCOMPARE(product(dynamic("x", "112"), always), "aten.linear.default");
  }
};

QTEST_GUILESS_MAIN(TestQuantisedWeights)
#include "tst_quantised_weights.moc"
