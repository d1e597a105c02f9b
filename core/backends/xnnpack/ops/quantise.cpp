// Between floats and 8-bit integers of one scale.
#include <algorithm>
#include <array>
#include <cmath>

#include "backends/xnnpack/integers.h"
#include "backends/xnnpack/rules.h"
#include "base/text.h"

namespace exportdeck::backends::xnnpack {

namespace {

// (input, scale, zero_point, quant_min, quant_max, dtype)
Verdict judgeScale(const ir::Node& node, const ir::Value* floats, const ir::Value* integers) {
  if (integers->type().dtype != ir::DType::Int8) {
    return Verdict::refuse(
        concat("XNNPACK computes on int8, and its integers are ", ir::info(integers->type().dtype).torch),
        "Quantise activations to int8, as XNNPACKQuantizer does.");
  }
  if (floats->type().dtype != ir::DType::Float32) return Verdict::refuse("its floats are not float32");
  if (node.value(0)->isConstant()) return Verdict::refuse("its operand is a constant");
  const auto scale = static_cast<float>(node.floatArg(1));
  if (!(scale > 0) || !std::isnormal(scale)) return Verdict::refuse("its scale is no positive number");
  if (node.intArg(2) < -128 || node.intArg(2) > 127) return Verdict::refuse("its zero point is no int8");
  return Verdict::take();
}

Verdict judgeQuantise(const ir::Node& node) {
  if (node.intArg(3) != -128 || node.intArg(4) != 127)
    return Verdict::refuse("its integers are bounded by other numbers than -128 and 127");
  return judgeScale(node, node.value(0), node.output());
}

// All that make or read the integers must agree on what they mean.
Verdict judgeDequantise(const ir::Node& node) {
  const ir::Value* integers = node.value(0);
  const auto agrees = [&](const ir::Node* other) {
    return other->is("quantized_decomposed.dequantize_per_tensor.default") && meaningOf(*other) == meaningOf(node);
  };
  if (integers->producer() != nullptr) {
    const bool isMade = integers->producer()->is("quantized_decomposed.quantize_per_tensor.default");
    if (!isMade || !(meaningOf(*integers->producer()) == meaningOf(node)))
      return Verdict::refuse("its integers come from elsewhere than a quantising operator of its scale");
  } else if (!std::all_of(integers->users().begin(), integers->users().end(), agrees)) {
    return Verdict::refuse("its integers are read as something else too");
  }
  return judgeScale(node, node.output(), integers);
}

constexpr std::array<Rule, 2> kRules = {{
    {.op = "quantized_decomposed.quantize_per_tensor.default",
     .judge = judgeQuantise,
     .lower = [](Lowering& lowering, const ir::Node& node) { lowering.emitQuantise(node); },
     .quantises = true,
     .wishes = wishesSame},
    {.op = "quantized_decomposed.dequantize_per_tensor.default",
     .judge = judgeDequantise,
     .lower = [](Lowering& lowering, const ir::Node& node) { lowering.emitDequantise(node); },
     .quantises = true,
     .wishes = wishesSame},
}};

}  // namespace

std::span<const Rule> quantiseRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
