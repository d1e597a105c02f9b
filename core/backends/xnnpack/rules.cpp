#include "backends/xnnpack/rules.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "backends/xnnpack/convert.h"
#include "base/text.h"

namespace exportdeck::backends::xnnpack {

namespace {

std::unordered_map<std::string_view, const Rule*> makeTable() {
  std::unordered_map<std::string_view, const Rule*> table;
  for (const std::span<const Rule> family :
       {activationRules(), binaryRules(), concatenateRules(), convolutionRules(), groupNormRules(), matrixRules(),
        moveRules(), poolingRules(), quantiseRules(), reductionRules(), resizeRules(), shuffleRules(), softmaxRules(),
        unaryRules()}) {
    for (const Rule& rule : family) table.emplace(rule.op, &rule);
  }
  return table;
}

bool isSupported(ir::DType dtype) {
  return dtype == ir::DType::Float32 || dtype == ir::DType::Float16;
}

// The clause that refuses a tensor of this type, or nothing.
std::string objection(const ir::TensorType& type) {
  if (!type.bounds()) return "a size of it has no upper bound";
  const auto isOpen = [](const ir::SymInt& size) { return !size.isStatic() && size.lower().value_or(0) < 1; };
  if (std::any_of(type.shape.begin(), type.shape.end(), isOpen)) return "it may be empty: a size depends on data";
  if (type.rank() > kMaxRank) return concat("it has ", type.rank(), " dimensions and XNNPACK takes at most ", kMaxRank);
  if (type.isEmpty()) return "it is empty";
  return {};
}

bool hasComputedNumbers(const ir::Node& node) {
  for (const ir::Argument& argument : node.args()) {
    if (const auto* list = std::get_if<ir::IntList>(&argument)) {
      for (const ir::IntItem& item : *list) {
        if (std::holds_alternative<ir::Value*>(item)) return true;
      }
    }
  }
  return false;
}

Verdict judgeType(const ir::TensorType& type, std::string_view what) {
  if (!isSupported(type.dtype)) {
    return Verdict::refuse(
        concat("XNNPACK computes in float32 and float16, and ", what, " is ", ir::info(type.dtype).torch));
  }
  if (const std::string why = objection(type); !why.empty())
    return Verdict::refuse(concat(what, " does not fit: ", why));
  return Verdict::take();
}

}  // namespace

const Rule* findRule(std::string_view op) {
  static const auto table = makeTable();
  const auto found = table.find(op);
  return found == table.end() ? nullptr : found->second;
}

Verdict commonVerdict(const ir::Node& node, const Rule& rule) {
  if (hasComputedNumbers(node)) return Verdict::refuse("one of its sizes or positions is computed at run time");
  const ir::TensorType& result = node.output()->type();
  if (rule.quantises) {
    for (const ir::TensorType* type : {&node.value(0)->type(), &result}) {
      if (const std::string why = objection(*type); !why.empty())
        return Verdict::refuse(concat("a tensor of it does not fit: ", why));
    }
    return Verdict::take();
  }
  if (Verdict verdict = judgeType(result, "its result"); !verdict.taken) return verdict;

  bool computed = false;
  for (const ir::Value* operand : node.operands()) {
    if (!operand->isTensor()) return Verdict::refuse("one of its arguments is a number computed at run time");
    if (operand->isConstant()) {
      if (!canConvert(operand->type().dtype, result.dtype)) {
        return Verdict::refuse(concat("a constant operand is ", ir::info(operand->type().dtype).torch));
      }
      if (const std::string why = objection(operand->type()); !why.empty()) {
        return Verdict::refuse(concat("a constant operand does not fit: ", why));
      }
      continue;
    }
    computed = true;
    if (Verdict verdict = judgeType(operand->type(), "an operand"); !verdict.taken) return verdict;
    if (operand->type().dtype != result.dtype && !rule.convertsDtype) {
      return Verdict::refuse("its operands and its result differ in element type");
    }
  }
  if (!computed) return Verdict::refuse("all its operands are constants");
  return Verdict::take();
}

double alphaOf(const ir::Node& node) {
  static constexpr std::array<std::string_view, 4> kScaled = {"aten.add.Tensor", "aten.add.Scalar", "aten.sub.Tensor",
                                                              "aten.sub.Scalar"};
  const bool scales = std::find(kScaled.begin(), kScaled.end(), node.op()) != kScaled.end();
  return scales && node.argCount() > 2 && !node.isNone(2) ? node.floatArg(2) : 1;
}

bool movesAlways(const ir::Node&, const TensorScale&) {
  return true;
}

bool takesAnyScales(const ir::Node&, const std::vector<TensorScale>&, const TensorScale&) {
  return true;
}

Verdict takeAlways(const ir::Node&) {
  return Verdict::take();
}

}  // namespace exportdeck::backends::xnnpack
