// Weights that were quantised: what dequantises a constant goes, and the floats that it makes become a constant that
// knows the integers it comes from. A backend then takes the integers, or has floats made of them when they are
// written.
#include <algorithm>
#include <optional>
#include <set>

#include "passes/constant_math.h"
#include "passes/passes.h"
#include "passes/quantised_kernels.h"
#include "passes/quantised_weight.h"

namespace exportdeck::passes {

namespace {

constexpr std::string_view kByChannel = "quantized_decomposed.dequantize_per_channel.default";
constexpr std::string_view kByTensor = "quantized_decomposed.dequantize_per_tensor.default";
constexpr std::string_view kByBlock = "torchao.dequantize_affine.default";

std::vector<float> floatsIn(const ir::Constant& constant) {
  const std::vector<double> values = readAsDoubles(constant);
  return {values.begin(), values.end()};
}

// Zero points that are none, or known to be zero.
bool areZero(const ir::Value* points) {
  if (!points) return true;
  if (!points->isConstant()) return false;
  const std::vector<double> values = readAsDoubles(*points->constant());
  return std::all_of(values.begin(), values.end(), [](double point) { return point == 0; });
}

using Integers = std::optional<ir::Integers>;

// (input, scale, zero_point, quant_min, ...)
Integers byTensor(const ir::Node& node) {
  if (node.hasValue(1) || node.hasValue(2) || node.intArg(2) != 0) return std::nullopt;
  return ir::Integers{node.value(0)->constant()->data, {static_cast<float>(node.floatArg(1))}};
}

// (input, scales, zero_points, axis, quant_min, quant_max, dtype, out_dtype)
Integers byChannel(const ir::Node& node) {
  if (!node.value(1)->isConstant() || !areZero(node.valueOrNull(2))) return std::nullopt;
  const ir::TensorType& type = node.value(0)->type();
  const int64_t axis = ir::wrapDim(node.intArg(3), type.rank());
  ir::Integers out{node.value(0)->constant()->data, floatsIn(*node.value(1)->constant()), axis};
  if (static_cast<int64_t>(out.scales.size()) != type.size(axis)) return std::nullopt;
  return out;
}

// (input, block_size, scale, zero_point, input_dtype, quant_min, quant_max, output_dtype): a scale for each index of
// the first dimension, or for each group in a matrix's row.
Integers byBlock(const ir::Node& node) {
  const ir::Sizes sizes = node.value(0)->type().sizes(), block = node.ints(1);
  if (!node.value(2)->isConstant() || !areZero(node.valueOrNull(3)) || sizes.size() < 2) return std::nullopt;
  const bool isByRow = block.front() == 1 && std::equal(block.begin() + 1, block.end(), sizes.begin() + 1, sizes.end());
  const bool isByGroup =
      sizes.size() == 2 && block.front() == 1 && block.back() > 0 && sizes.back() % block.back() == 0;
  if (!isByRow && !isByGroup) return std::nullopt;
  ir::Integers out{node.value(0)->constant()->data, floatsIn(*node.value(2)->constant())};
  if (!isByRow) out.group = block.back();
  const bool isNarrow = !node.isNone(5) && !node.isNone(6) && node.floatArg(5) >= -8 && node.floatArg(6) <= 7;
  if (isNarrow) out.bits = 4;
  const int64_t rows = sizes.front(), groups = isByRow ? 1 : sizes.back() / block.back();
  return static_cast<int64_t>(out.scales.size()) == rows * groups ? Integers(std::move(out)) : std::nullopt;
}

// Nothing where there are zero points, or integers of another size.
std::shared_ptr<const ir::Integers> integersOf(const ir::Node& node) {
  const bool isKnown = node.is(kByChannel) || node.is(kByTensor) || node.is(kByBlock);
  if (!isKnown || !node.value(0)->isConstant() || node.value(0)->type().dtype != ir::DType::Int8) return nullptr;
  if (node.output()->type().dtype != ir::DType::Float32) return nullptr;
  Integers found = node.is(kByBlock) ? byBlock(node) : node.is(kByChannel) ? byChannel(node) : byTensor(node);
  return found ? std::make_shared<const ir::Integers>(std::move(*found)) : nullptr;
}

bool isWeight(const ir::Node& user, const ir::Value* value) {
  const bool multiplies = user.is("aten.linear.default") || user.is("aten.convolution.default") ||
                          user.is("exportdeck.dynamic_linear.default");
  return multiplies && user.value(1) == value && user.value(0) != value && user.valueOrNull(2) != value;
}

void byKernel(ir::Graph& graph, PassContext& context, ir::Node* linear, const ir::Constant& weight) {
  ConstantPool pool;
  Builder build(graph, *linear, pool);
  ir::Value* y =
      linearOnIntegers(build, linear->value(0), weight, linear->valueOrNull(2), linear->output()->type(), context);
  if (!y) return;
  graph.replaceAllUses(linear->output(), y);
  graph.erase(linear);
}

// Integers stay integers for kernels too: as floats they would be four times as large. There is no kernel that
// dequantises torchao's blocks, so that those go into one that multiplies integers (`keepsBytes`).
void serve(ir::Graph& graph, PassContext& context, ir::Value* made, ir::Value* floats, bool keepsBytes) {
  const std::vector<ir::Node*> users = made->users();
  for (ir::Node* user : std::set<ir::Node*>(users.begin(), users.end())) {
    if (isWeight(*user, made)) {
      user->replaceOperand(made, floats);
      if (context.keepWhole(*user)) continue;
      user->replaceOperand(floats, made);
      if (keepsBytes && user->is("aten.linear.default")) byKernel(graph, context, user, *floats->constant());
    } else if (user->is("aten.embedding.default") && user->value(0) == made) {
      ConstantPool pool;
      Builder build(graph, *user, pool);
      ir::Value* rows = embeddingOnIntegers(build, *user, *floats->constant(), context);
      if (!rows) continue;
      graph.replaceAllUses(user->output(), rows);
      graph.erase(user);
    }
  }
}

}  // namespace

void keepIntegers(ir::Graph& graph, PassContext& context) {
  for (ir::Node* node : graph.nodeList()) {
    std::shared_ptr<const ir::Integers> integers = integersOf(*node);
    if (!integers || graph.isOutput(node->output())) continue;
    ir::Value* floats = graph.addConstant(floatsOf(*node->value(0)->constant(), std::move(integers)));
    serve(graph, context, node->output(), floats, node->is(kByBlock));
    if (graph.isUnused(node->output())) graph.erase(node);
  }
  graph.eraseUnusedConstants();
}

}  // namespace exportdeck::passes
