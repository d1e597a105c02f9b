// Weights that were quantised: what dequantises a constant goes, and the floats that it makes become a constant that
// knows the integers it comes from. A backend then takes the integers, or has floats made of them when they are
// written.
#include <algorithm>

#include "passes/constant_math.h"
#include "passes/passes.h"
#include "passes/quantised_weight.h"

namespace exportdeck::passes {

namespace {

constexpr std::string_view kByChannel = "quantized_decomposed.dequantize_per_channel.default";
constexpr std::string_view kByTensor = "quantized_decomposed.dequantize_per_tensor.default";

// (input, scales, zero_points, axis, quant_min, quant_max, dtype, out_dtype), and for one scale (input, scale,
// zero_point, quant_min, ...). Nothing where there are zero points, or integers of another size.
std::shared_ptr<const ir::Integers> integersOf(const ir::Node& node) {
  const bool byChannel = node.is(kByChannel);
  if (!byChannel && !node.is(kByTensor)) return nullptr;
  const ir::Value* input = node.value(0);
  if (!input->isConstant() || input->type().dtype != ir::DType::Int8) return nullptr;
  if (node.output()->type().dtype != ir::DType::Float32) return nullptr;
  ir::Integers out{input->constant()->data, {}, 0};
  if (!byChannel) {
    if (node.hasValue(1) || node.hasValue(2) || node.intArg(2) != 0) return nullptr;
    out.scales = {static_cast<float>(node.floatArg(1))};
    return std::make_shared<const ir::Integers>(std::move(out));
  }
  if (!node.value(1)->isConstant()) return nullptr;
  if (const ir::Value* zeros = node.valueOrNull(2)) {
    if (!zeros->isConstant()) return nullptr;
    const std::vector<double> points = readAsDoubles(*zeros->constant());
    if (std::any_of(points.begin(), points.end(), [](double point) { return point != 0; })) return nullptr;
  }
  out.axis = ir::wrapDim(node.intArg(3), input->type().rank());
  for (const double scale : readAsDoubles(*node.value(1)->constant())) out.scales.push_back(static_cast<float>(scale));
  if (static_cast<int64_t>(out.scales.size()) != input->type().size(out.axis)) return nullptr;
  return std::make_shared<const ir::Integers>(std::move(out));
}

bool isWeight(const ir::Node& user, const ir::Value* value) {
  const bool multiplies = user.is("aten.linear.default") || user.is("aten.convolution.default") ||
                          user.is("exportdeck.dynamic_linear.default");
  return multiplies && user.value(1) == value && user.value(0) != value && user.valueOrNull(2) != value;
}

}  // namespace

void keepIntegers(ir::Graph& graph, PassContext& context) {
  for (ir::Node* node : graph.nodeList()) {
    const std::shared_ptr<const ir::Integers> integers = integersOf(*node);
    if (!integers || graph.isOutput(node->output())) continue;
    ir::Value* made = node->output();
    // For a kernel the integers stay, and are dequantised when it runs: as floats they would be four times as large.
    const std::vector<ir::Node*> users = made->users();
    if (!std::all_of(users.begin(), users.end(), [&](const ir::Node* user) { return isWeight(*user, made); })) continue;
    ir::Value* floats = graph.addConstant(floatsOf(*node->value(0)->constant(), integers));
    graph.replaceAllUses(made, floats);
    if (std::all_of(users.begin(), users.end(), [&](const ir::Node* user) { return context.keepWhole(*user); })) {
      graph.erase(node);
    } else {
      graph.replaceAllUses(floats, made);
    }
  }
  graph.eraseUnusedConstants();
}

}  // namespace exportdeck::passes
