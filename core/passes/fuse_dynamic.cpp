// Linear operators whose operand is quantised by scales that are chosen at run time become one operator where a backend
// does all of that itself. Behind keep-integers: it takes weights of integers only.
#include "base/text.h"
#include "passes/passes.h"
#include "passes/quantised_rows.h"

namespace exportdeck::passes {

namespace {

bool is(const ir::Node* node, std::string_view byTensor, std::string_view byToken) {
  return node && (node->is(byTensor) || node->is(byToken));
}

// What was quantised and dequantised; null where `value` is not that, or not in 8 bits.
ir::Value* quantisedOf(const ir::Value* value) {
  const ir::Node* dequantise = value->producer();
  if (!is(dequantise, "quantized_decomposed.dequantize_per_tensor.tensor",
          "quantized_decomposed.dequantize_per_token.default"))
    return nullptr;
  const ir::Node* quantise = dequantise->value(0)->producer();
  if (!is(quantise, "quantized_decomposed.quantize_per_tensor.tensor",
          "quantized_decomposed.quantize_per_token.default"))
    return nullptr;
  const ir::Node* choose = quantise->value(1)->producer();
  if (!is(choose, "quantized_decomposed.choose_qparams.tensor",
          "quantized_decomposed.choose_qparams_per_token_asymmetric.default"))
    return nullptr;
  ir::Value* x = choose->value(0);
  const bool samePoints = quantise->value(0) == x && quantise->value(1) == choose->output(0) &&
                          quantise->value(2) == choose->output(1) && dequantise->value(1) == choose->output(0) &&
                          dequantise->value(2) == choose->output(1);
  const int64_t range = quantise->intArg(4) - quantise->intArg(3);
  const bool sameType = x->type() == value->type() && x->type().dtype == ir::DType::Float32;
  return samePoints && sameType && (range == 255 || range == 254) ? x : nullptr;
}

// The same of torchao's operators, with a scale for each row of the last dimension.
ir::Value* quantisedByBlockOf(const ir::Value* value) {
  const ir::Node* dequantise = value->producer();
  if (!dequantise || !dequantise->is("torchao.dequantize_affine.default")) return nullptr;
  const ir::Node* quantise = dequantise->value(0)->producer();
  if (!quantise || !quantise->is("torchao.quantize_affine.default")) return nullptr;
  const bool samePoints = dequantise->value(2) == quantise->value(2) &&
                          dequantise->valueOrNull(3) == quantise->valueOrNull(3) &&
                          dequantise->ints(1) == quantise->ints(1);
  ir::Value* x = samePoints ? quantisedByRow(*quantise) : nullptr;
  return x && x->type() == value->type() ? x : nullptr;
}

}  // namespace

ir::Value* quantisedByRow(const ir::Node& quantise) {
  const ir::Node* choose = quantise.value(2)->producer();
  if (!choose || !choose->is("torchao.choose_qparams_affine.default")) return nullptr;
  ir::Value* x = choose->value(0);
  const ir::Sizes block = quantise.ints(1);
  const ir::TensorType& type = x->type();
  bool isByRow = block.size() == type.rank() && !block.empty() && type.dim(-1).isStatic() &&
                 block.back() == type.size(-1) && choose->ints(2) == block;
  for (size_t dim = 0; isByRow && dim + 1 < block.size(); ++dim) isByRow = block[dim] == 1;
  const bool hasBytes =
      !quantise.isNone(5) && !quantise.isNone(6) &&
      (quantise.floatArg(6) - quantise.floatArg(5) == 255 || quantise.floatArg(6) - quantise.floatArg(5) == 254) &&
      quantise.output()->type().dtype == ir::DType::Int8;
  const bool samePoints =
      quantise.value(0) == x && quantise.value(2) == choose->output(0) && quantise.valueOrNull(3) == choose->output(1);
  return isByRow && hasBytes && samePoints && type.dtype == ir::DType::Float32 ? x : nullptr;
}

namespace {

// Integers in groups are multiplied as such only with operands that become integers too.
void warnOfFloats(const ir::Graph& graph, PassContext& context) {
  for (const auto& node : graph.nodes()) {
    if (!node->is("aten.linear.default") || !node->value(1)->isConstant()) continue;
    const ir::Constant& weight = *node->value(1)->constant();
    if (!weight.integers || weight.integers->group == 0) continue;
    context.diagnostics.report(
        {Code::WeightsKept,
         Severity::Warning,
         concat("the quantised weight ", weight.name, " is stored in floats"),
         node->origin(),
         concat("integers that share a scale in groups of ", weight.integers->group,
                " are only multiplied where they have 4 bits and the operand is quantised while the program runs"),
         {"Quantise with Int8DynamicActivationIntxWeightConfig(weight_dtype=torch.int4, "
          "weight_granularity=PerGroup(32)), or with PerAxis(0)"}});
  }
}

}  // namespace

void fuseDynamic(ir::Graph& graph, PassContext& context) {
  for (ir::Node* node : graph.nodeList()) {
    if (!node->is("aten.linear.default")) continue;
    ir::Value* x = quantisedOf(node->value(0));
    if (!x) x = quantisedByBlockOf(node->value(0));
    if (!x) continue;
    ir::Node* made = graph.addNode("exportdeck.dynamic_linear.default", {x, node->args()[1], node->args()[2]},
                                   {node->output()->type()}, node->originPtr(), node);
    if (context.keepWhole(*made)) {
      graph.replaceAllUses(node->output(), made->output());
      graph.erase(node);
    } else {
      graph.erase(made);
    }
  }
  warnOfFloats(graph, context);
}

}  // namespace exportdeck::passes
