// How XNNPACK does each operator. One file an operator family in ops/; each family is one line in rules.cpp.
#pragma once

#include <span>
#include <string_view>

#include "backends/backend.h"
#include "backends/xnnpack/lowering.h"

namespace exportdeck::backends::xnnpack {

struct Rule {
  std::string_view op;
  // Asked after commonVerdict() has taken the node.
  Verdict (*judge)(const ir::Node& node);
  void (*lower)(Lowering& lowering, const ir::Node& node);
  bool fusesActivation = false;  // the XNNPACK node honours an output range
  bool convertsDtype = false;    // operands and results may differ in element type
};

// Null for an operator that XNNPACK does not do.
const Rule* findRule(std::string_view op);

// The families.
std::span<const Rule> activationRules();
std::span<const Rule> binaryRules();
std::span<const Rule> concatenateRules();
std::span<const Rule> convolutionRules();
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

// A judge for operators with no further conditions.
Verdict takeAlways(const ir::Node& node);

}  // namespace exportdeck::backends::xnnpack
