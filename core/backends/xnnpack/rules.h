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
  // The memory orders in which the operator likes to read a computed operand, given those wished of its result. Null:
  // the plain one. A wish, no condition: the emitter asks for what it needs.
  Wish (*wishes)(const ir::Node& node, const ir::Value& operand, const Wish& result) = nullptr;
};

// Rules of operators that run in any memory order, and of those on channels last.
constexpr Rule inAnyOrder(std::string_view op, Verdict (*judge)(const ir::Node&),
                          void (*lower)(Lowering&, const ir::Node&), bool fusesActivation = false) {
  return {.op = op, .judge = judge, .lower = lower, .fusesActivation = fusesActivation, .wishes = wishesSame};
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
std::span<const Rule> reductionRules();
std::span<const Rule> resizeRules();
std::span<const Rule> shuffleRules();
std::span<const Rule> softmaxRules();
std::span<const Rule> unaryRules();

// What holds for every operator: element types, static shapes, ranks, operands known as tensors.
Verdict commonVerdict(const ir::Node& node, const Rule& rule);

// The factor of the second operand of aten.add and aten.sub; 1 for every other operator.
double alphaOf(const ir::Node& node);

// A judge for operators with no further conditions.
Verdict takeAlways(const ir::Node& node);

}  // namespace exportdeck::backends::xnnpack
