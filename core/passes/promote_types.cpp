// Every kernel sees one dtype: mixed operands get casts, Python numbers in tensor operands become constants.
#include <unordered_map>

#include "base/text.h"
#include "passes/build.h"
#include "passes/passes.h"
#include "passes/promotion.h"

namespace exportdeck::passes {

namespace {

// Which operands share a dtype, and which that is.
enum class Rule {
  Result,       // that of the result
  Comparison,   // the promoted one; the result is bool
  FloatResult,  // one operand, computed in the result's floating dtype
};

struct Promotion {
  Rule rule;
  size_t first, count;  // operand positions
};

const Promotion* promotionOf(std::string_view op) {
  static const std::unordered_map<std::string_view, Promotion> table = [] {
    std::unordered_map<std::string_view, Promotion> out;
    for (const char* name :
         {"aten.add.Tensor", "aten.sub.Tensor", "aten.mul.Tensor", "aten.div.Tensor", "aten.div.Tensor_mode",
          "aten.maximum.default", "aten.minimum.default", "aten.remainder.Tensor", "aten.fmod.Tensor",
          "aten.floor_divide.default", "aten.pow.Tensor_Tensor", "aten.atan2.default", "aten.bitwise_and.Tensor",
          "aten.bitwise_or.Tensor", "aten.bitwise_xor.Tensor", "aten.bitwise_left_shift.Tensor",
          "aten.bitwise_right_shift.Tensor"}) {
      out[name] = {Rule::Result, 0, 2};
    }
    for (const char* name :
         {"aten.eq.Tensor", "aten.ne.Tensor", "aten.lt.Tensor", "aten.le.Tensor", "aten.gt.Tensor", "aten.ge.Tensor",
          "aten.logical_and.default", "aten.logical_or.default", "aten.logical_xor.default"}) {
      out[name] = {Rule::Comparison, 0, 2};
    }
    out["aten.where.self"] = {Rule::Result, 1, 2};
    out["aten.clamp.default"] = {Rule::Result, 0, 1};
    out["aten.clamp.Tensor"] = {Rule::Result, 0, 3};
    out["aten.remainder.Scalar"] = {Rule::Result, 0, 1};
    out["aten.fmod.Scalar"] = {Rule::Result, 0, 1};
    out["aten.pow.Tensor_Scalar"] = {Rule::Result, 0, 1};
    out["aten.pow.Scalar"] = {Rule::Result, 1, 1};
    for (const char* name :
         {"aten.exp.default",   "aten.log.default",     "aten.log2.default",      "aten.log10.default",
          "aten.log1p.default", "aten.expm1.default",   "aten.sqrt.default",      "aten.rsqrt.default",
          "aten.sin.default",   "aten.cos.default",     "aten.tan.default",       "aten.asin.default",
          "aten.acos.default",  "aten.atan.default",    "aten.sinh.default",      "aten.cosh.default",
          "aten.tanh.default",  "aten.asinh.default",   "aten.acosh.default",     "aten.atanh.default",
          "aten.erf.default",   "aten.sigmoid.default", "aten.reciprocal.default"}) {
      out[name] = {Rule::FloatResult, 0, 1};
    }
    return out;
  }();
  const auto found = table.find(op);
  return found == table.end() ? nullptr : &found->second;
}

ir::DType wantedDType(const ir::Node& node, const Promotion& promotion) {
  if (promotion.rule != Rule::Comparison) return node.output()->type().dtype;
  return resultType(std::span(node.args()).subspan(promotion.first, promotion.count));
}

void promoteOperands(ir::Graph& graph, ir::Node* node, const Promotion& promotion, ConstantPool& pool) {
  const ir::DType dtype = wantedDType(*node, promotion);
  Builder build(graph, *node, pool);
  for (size_t i = promotion.first; i < promotion.first + promotion.count; ++i) {
    const ir::Argument given = node->args().at(i);
    if (auto* const* value = std::get_if<ir::Value*>(&given)) {
      if ((*value)->isTensor() && dtypeOf(*value) != dtype) node->setArg(i, build.cast(*value, dtype));
    } else if (const std::optional<Number> number = numberOf(given)) {
      node->setArg(i, build.scalar(*number, dtype));
    }
  }
}

}  // namespace

void promoteTypes(ir::Graph& graph, PassContext& context) {
  ConstantPool pool;
  for (ir::Node* node : graph.nodeList()) {
    context.context.throwIfStopped();
    const Promotion* promotion = promotionOf(node->op());
    if (promotion && node->outputs().size() == 1) promoteOperands(graph, node, *promotion, pool);
  }
  graph.eraseUnusedConstants();
}

}  // namespace exportdeck::passes
