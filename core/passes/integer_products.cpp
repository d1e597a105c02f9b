// Products with integers that are scaled afterwards, as torchao writes them, become products with weights that know
// their integers, where a backend or a kernel takes those:
//
//   mul(mm(x, integers), scales)                                        weights alone are integers
//   mul(mul(to(_int_mm(quantised rows of x, integers)), their scales), scales)
#include <algorithm>
#include <map>

#include "passes/build.h"
#include "passes/passes.h"
#include "passes/quantised_kernels.h"
#include "passes/quantised_rows.h"
#include "passes/quantised_weight.h"

namespace exportdeck::passes {

namespace {

// The producer of `value` behind views; null where it is no such operator.
const ir::Node* producerOf(const ir::Value* value, std::string_view op) {
  const ir::Node* node = value->producer();
  while (node && node->is("aten.view_copy.default")) node = node->value(0)->producer();
  return node && node->is(op) ? node : nullptr;
}
const ir::Value* behindViews(const ir::Value* value) {
  while (value->producer() && value->producer()->is("aten.view_copy.default")) value = value->producer()->value(0);
  return value;
}

// A weight [out, in] of the integers [in, out] with a scale for each output; null where the scales are others.
ir::ConstantPtr weightOf(const ir::Constant& turned, std::shared_ptr<const ByteSource> integers,
                         const ir::Value& scales) {
  const ir::Sizes sizes = turned.type.sizes();
  if (!scales.isConstant() || scales.type().dtype != ir::DType::Float32 || sizes.size() != 2 ||
      scales.type().rank() != 1 || scales.type().elements() != sizes[1])
    return nullptr;
  const auto given = std::make_shared<const ir::Constant>(
      ir::Constant{turned.name, ir::TensorType(ir::DType::Int8, turned.type.shape), std::move(integers)});
  const ir::ConstantPtr rows = stridedConstant(given, {sizes[1], sizes[0]}, {1, sizes[1]}, 0, turned.name);
  const std::vector<double> values = readAsDoubles(*scales.constant());
  return floatsOf(*rows,
                  std::make_shared<const ir::Integers>(ir::Integers{rows->data, {values.begin(), values.end()}}));
}

struct Match {
  const ir::Value* x = nullptr;
  ir::ConstantPtr weight;
  bool isDynamic = false;
};

Match weightsAlone(const ir::Value* product, const ir::Value& scales) {
  const ir::Node* mm = product->producer();
  if (!mm || !mm->is("aten.mm.default") || !mm->value(1)->isConstant() || mm->value(0)->isConstant()) return {};
  const ir::Constant& integers = *mm->value(1)->constant();
  if (!integers.integers || integers.integers->scales != std::vector<float>{1.0f}) return {};
  return {mm->value(0), weightOf(integers, integers.integers->data, scales), false};
}

Match quantisedRows(const ir::Value* product, const ir::Value& scales) {
  const ir::Node* scaled = product->producer();
  if (!scaled || !scaled->is("aten.mul.Tensor") || !scaled->hasValue(1)) return {};
  const ir::Node* cast = scaled->value(0)->producer();
  if (!cast || !cast->is("aten._to_copy.default") || scaled->output()->type().dtype != ir::DType::Float32) return {};
  const ir::Node* mm = cast->value(0)->producer();
  if (!mm || !mm->is("aten._int_mm.default") || !mm->value(1)->isConstant()) return {};
  const ir::Node* quantise = producerOf(mm->value(0), "torchao.quantize_affine.default");
  const ir::Value* x = quantise ? quantisedByRow(*quantise) : nullptr;
  if (!x || mm->value(0)->type().dim(-1) != x->type().dim(-1)) return {};
  const ir::Node* choose = quantise->value(2)->producer();
  // The product leaves the zero points out, and the scales that it is multiplied with are those of its rows.
  const bool isSymmetric = choose->stringArg(1) == "SYMMETRIC";
  const bool isByRow = scaled->value(1)->type().rank() == 2 && scaled->value(1)->type().dim(1) == ir::SymInt(1);
  if (!isSymmetric || !isByRow || behindViews(scaled->value(1)) != choose->output(0)) return {};
  const ir::Constant& integers = *mm->value(1)->constant();
  if (integers.type.dtype != ir::DType::Int8) return {};
  return {x, weightOf(integers, integers.data, scales), true};
}

}  // namespace

void integerProducts(ir::Graph& graph, PassContext& context) {
  ConstantPool pool;
  for (ir::Node* node : graph.nodeList()) {
    if (!node->is("aten.mul.Tensor") || !node->hasValue(1) || !node->value(1)->isConstant()) continue;
    Match match = weightsAlone(node->value(0), *node->value(1));
    if (!match.weight) match = quantisedRows(node->value(0), *node->value(1));
    if (!match.weight) continue;
    Builder build(graph, *node, pool);
    const ir::TensorType& type = node->output()->type();
    const char* op = match.isDynamic ? "exportdeck.dynamic_linear.default" : "aten.linear.default";
    ir::Value* x = build.view(const_cast<ir::Value*>(match.x), {type.dim(0), ir::SymInt(match.weight->type.size(1))});
    ir::Node* made = graph.addNode(op, {x, build.constant(match.weight), ir::None{}}, {type}, node->originPtr(), node);
    ir::Value* result = made->output();
    if (!context.keepWhole(*made)) {
      graph.erase(made);
      result = match.isDynamic ? nullptr : linearOnIntegers(build, x, *match.weight, nullptr, type, context);
    }
    if (!result) continue;
    graph.replaceAllUses(node->output(), result);
    graph.erase(node);
  }
}

}  // namespace exportdeck::passes
