// How XNNPACK does each operator. One file an operator family in ops/; each family is one line in rules.cpp.
#pragma once

#include <span>
#include <string_view>

#include "backends/backend.h"
#include "backends/xnnpack/demand.h"
#include "backends/xnnpack/lowering.h"

namespace exportdeck::backends::xnnpack {

struct Rule {
  std::string_view op;
  // Asked after commonVerdict() has taken the node.
  Verdict (*judge)(const ir::Node& node);
  void (*lower)(Lowering& lowering, const ir::Node& node);
  bool fusesActivation = false;  // the XNNPACK node honours an output range
  bool convertsDtype = false;    // operands and results may differ in element type
  bool quantises = false;        // one side is int8: its own judge looks at element types
  // On integers: whether it computes on them, with these scales of its operands (none for a constant) and its result.
  bool (*takesIntegers)(const ir::Node& node, const std::vector<TensorScale>& operands,
                        const TensorScale& result) = nullptr;
  // Or whether it only moves them, or picks some: they then mean in the result what they meant in the operand.
  bool (*movesIntegers)(const ir::Node& node, const TensorScale& scale) = nullptr;
  // The memory orders in which the operator likes to read a computed operand, given those wished of its result. Null:
  // the plain one. A wish, no condition: the emitter asks for what it needs.
  Wish (*wishes)(const ir::Node& node, const ir::Value& operand, const Wish& result) = nullptr;
};

// Rules of operators that run in any memory order, and of those on channels last.
constexpr Rule inAnyOrder(std::string_view op, Verdict (*judge)(const ir::Node&),
                          void (*lower)(Lowering&, const ir::Node&), bool fusesActivation = false) {
  return {.op = op, .judge = judge, .lower = lower, .fusesActivation = fusesActivation, .wishes = wishesSame};
}
// The same rule for integers too.
constexpr Rule onIntegers(Rule rule,
                          bool (*takes)(const ir::Node&, const std::vector<TensorScale>&, const TensorScale&)) {
  rule.takesIntegers = takes;
  return rule;
}
constexpr Rule movingIntegers(Rule rule, bool (*moves)(const ir::Node&, const TensorScale&)) {
  rule.movesIntegers = moves;
  return rule;
}
constexpr Rule inChannelsLast(std::string_view op, Verdict (*judge)(const ir::Node&),
                              void (*lower)(Lowering&, const ir::Node&), bool fusesActivation = false) {
  return {.op = op, .judge = judge, .lower = lower, .fusesActivation = fusesActivation, .wishes = wishesChannelsLast};
}

// Null for an operator that XNNPACK does not do.
const Rule* findRule(std::string_view op);

// The families.
std::span<const Rule> activationRules();
std::span<const Rule> binaryRules();
std::span<const Rule> concatenateRules();
std::span<const Rule> convolutionRules();
std::span<const Rule> groupNormRules();
std::span<const Rule> matrixRules();
std::span<const Rule> moveRules();
std::span<const Rule> poolingRules();
std::span<const Rule> quantiseRules();
std::span<const Rule> reductionRules();
std::span<const Rule> resizeRules();
std::span<const Rule> shuffleRules();
std::span<const Rule> softmaxRules();
std::span<const Rule> unaryRules();

// What holds for every operator: element types, static shapes, ranks, operands known as tensors.
Verdict commonVerdict(const ir::Node& node, const Rule& rule);

// The factor of the second operand of aten.add and aten.sub; 1 for every other operator.
double alphaOf(const ir::Node& node);

// Operators that move integers whatever they mean.
bool movesAlways(const ir::Node& node, const TensorScale& scale);
// Operators for which XNNPACK has no limits of scales.
bool takesAnyScales(const ir::Node& node, const std::vector<TensorScale>& operands, const TensorScale& result);

// A judge for operators with no further conditions.
Verdict takeAlways(const ir::Node& node);

}  // namespace exportdeck::backends::xnnpack
