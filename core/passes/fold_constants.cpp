// What depends on no input is computed now, by the kernels that would compute it at run time.
#include <algorithm>
#include <limits>
#include <optional>

#include "base/text.h"
#include "passes/constant_math.h"
#include "passes/constant_part.h"
#include "passes/evaluator.h"
#include "passes/kernel_call.h"
#include "passes/passes.h"

namespace exportdeck::passes {

namespace {

// A constant under another shape needs no computing and keeps its bytes where they are.
void reshapeConstants(ir::Graph& graph) {
  for (ir::Node* node : graph.nodeList()) {
    if (!isStaticReshape(*node) || !node->value(0)->isConstant() || graph.isOutput(node->output())) continue;
    const ir::TensorType& type = node->output()->type();
    if (!type.isStatic()) continue;
    ir::Value* reshaped = graph.addConstant(reshapedConstant(node->value(0)->constant(), type.sizes()));
    graph.replaceAllUses(node->output(), reshaped);
    graph.erase(node);
  }
}

// Nothing where the part cannot be computed: the program then does it at run time, as it would without this pass.
std::vector<Bytes> evaluate(const ConstantPart& part, PassContext& context) {
  try {
    const std::unique_ptr<ir::Graph> graph = part.copy();
    DiagnosticSink ownDiagnostics;
    PassContext ownContext{context.context, ownDiagnostics};
    toKernels(*graph, ownContext);
    std::vector<Bytes> results = context.evaluator->evaluate(*graph);
    check(results.size() == part.results().size(), "an evaluation gave another number of results");
    return results;
  } catch (const ExportError& error) {
    if (error.diagnostic().code == Code::Cancelled) throw;
    context.context.progress.log(LogLevel::Debug,
                                 concat("constants are computed at run time: ", error.diagnostic().message));
    return {};
  }
}

void replaceNodes(ir::Graph& graph, const ConstantPart& part, std::vector<Bytes> results) {
  std::unordered_map<std::string, ir::Value*> known;  // by type and content
  for (size_t i = 0; i < results.size(); ++i) {
    ir::Value* from = part.results()[i];
    const ir::TensorType type(from->type().dtype, from->type().sizes());
    check(results[i].size() == type.bytes(), concat("the evaluation of ", from->name(), " gave another size"));
    std::string key = concat(type.text(), ' ');
    key.append(reinterpret_cast<const char*>(results[i].data()), results[i].size());
    ir::Value*& constant = known[key];
    if (!constant) {
      constant = graph.addConstant(std::make_shared<const ir::Constant>(
          ir::Constant{concat("folded.", from->name()), type, bytesInMemory(std::move(results[i]))}));
    }
    graph.replaceAllUses(from, constant);
  }
  for (auto node = part.replaced().rbegin(); node != part.replaced().rend(); ++node) graph.erase(*node);
}

// The one value that every element of a condition has; nothing where they differ.
std::optional<bool> knownCondition(const ir::Value* condition) {
  if (!condition->isConstant() || condition->type().dtype != ir::DType::Bool) return std::nullopt;
  if (!condition->type().isStatic() || condition->type().bytes() > kLargestOperand) return std::nullopt;
  const Bytes bytes = condition->constant()->data->materialise();
  const auto set = std::count_if(bytes.begin(), bytes.end(), [](std::byte byte) { return byte != std::byte{0}; });
  if (set == 0) return false;
  return static_cast<size_t>(set) == bytes.size() ? std::optional(true) : std::nullopt;
}

// A choice that is the same for every element is no choice.
void takeKnownBranches(ir::Graph& graph) {
  for (ir::Node* node : graph.nodeList()) {
    if (!node->is("aten.where.self")) continue;
    const std::optional<bool> condition = knownCondition(node->value(0));
    if (!condition || !node->hasValue(*condition ? 1 : 2)) continue;
    ir::Value* branch = node->value(*condition ? 1 : 2);
    if (!branch->isTensor() || !(branch->type() == node->output()->type())) continue;
    graph.replaceAllUses(node->output(), branch);
    graph.erase(node);
  }
}

// What each element of `constant` must be to change nothing as the second operand of the operator.
std::optional<double> neutralNumber(const ir::Node& node) {
  if (node.is("aten.mul.Tensor") || node.is("aten.div.Tensor")) return 1;
  if (node.is("aten.add.Tensor") || node.is("aten.sub.Tensor")) return 0;
  if (node.is("aten.maximum.default")) return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

bool isEverywhere(const ir::Value* value, double number) {
  if (!value->isConstant() || value->type().bytes() > kWiderResult) return false;
  const std::vector<double> elements = readAsDoubles(*value->constant());
  return std::all_of(elements.begin(), elements.end(), [&](double element) { return element == number; });
}

// Arithmetic with what changes nothing goes: a mask that hides nothing.
void dropNeutral(ir::Graph& graph) {
  for (ir::Node* node : graph.nodeList()) {
    const std::optional<double> neutral = neutralNumber(*node);
    if (!neutral || !node->hasValue(0) || !node->hasValue(1)) continue;
    if (!(node->value(0)->type() == node->output()->type()) || !isEverywhere(node->value(1), *neutral)) continue;
    graph.replaceAllUses(node->output(), node->value(0));
    graph.erase(node);
  }
}

}  // namespace

void foldConstants(ir::Graph& graph, PassContext& context) {
  if (!context.evaluator) return;
  reshapeConstants(graph);
  if (const ConstantPart part(graph); !part.empty()) {
    std::vector<Bytes> results = evaluate(part, context);
    if (!results.empty()) {
      context.context.progress.log(LogLevel::Debug, concat(part.replaced().size(), " operators on constants became ",
                                                           results.size(), " constants"));
      replaceNodes(graph, part, std::move(results));
    }
  }
  takeKnownBranches(graph);
  dropNeutral(graph);
  graph.eraseUnusedConstants();
}

}  // namespace exportdeck::passes
