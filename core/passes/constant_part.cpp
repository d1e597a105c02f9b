#include "passes/constant_part.h"

#include <algorithm>

#include "passes/kernel_call.h"

namespace exportdeck::passes {

namespace {

bool fits(const ir::Value& value) {
  return value.isTensor() && value.type().isStatic() && value.type().bytes() <= kLargestOperand;
}

struct Extent {
  uint64_t bytes = 0, elements = 0;
  void add(const ir::Value& value) {
    bytes += value.type().bytes();
    elements += static_cast<uint64_t>(value.type().elements());
  }
};

Extent operandsOf(const ir::Node& node) {
  Extent extent;
  const std::vector<ir::Value*> operands = node.operands();
  for (const ir::Value* operand : std::unordered_set<const ir::Value*>(operands.begin(), operands.end()))
    extent.add(*operand);
  return extent;
}

// Computing at export is to save work, not to make a large constant of a small one.
bool isMuchLarger(const Extent& result, const Extent& operands) {
  if (result.bytes <= std::max(kTinyResult, operands.bytes)) return false;
  return result.elements > operands.elements || result.bytes > kWiderResult;
}

// Copies nodes into a graph of their own.
class Copier {
 public:
  explicit Copier(ir::Graph& target) : target_(target) {}

  void add(const ir::Node& node) {
    std::vector<ir::Argument> args;
    for (const ir::Argument& argument : node.args()) args.push_back(mapped(argument));
    ir::Node* copy = target_.addNode(node.op(), std::move(args), {}, node.originPtr());
    for (const ir::Value* output : node.outputs())
      map_[output] = target_.addOutputTo(copy, output->kind(), output->type(), output->name());
  }
  ir::Value* mapped(const ir::Value* value) {
    if (!value) return nullptr;
    ir::Value*& inside = map_[value];
    if (!inside) inside = target_.addConstant(value->constant(), value->name());
    return inside;
  }

 private:
  ir::Argument mapped(const ir::Argument& argument) {
    if (auto* const* value = std::get_if<ir::Value*>(&argument)) return mapped(*value);
    if (const auto* list = std::get_if<ir::ValueList>(&argument)) {
      ir::ValueList inside;
      for (const ir::Value* value : *list) inside.push_back(mapped(value));
      return inside;
    }
    return argument;
  }

  ir::Graph& target_;
  std::unordered_map<const ir::Value*, ir::Value*> map_;
};

}  // namespace

bool hasManyOutcomes(const ir::Node& node) {
  static const std::unordered_set<std::string_view> names{"aten.rand.default",
                                                          "aten.randn.default",
                                                          "aten.native_dropout.default",
                                                          "aten.empty.memory_format",
                                                          "aten.empty_like.default",
                                                          "aten.new_empty.default",
                                                          "aten.empty_strided.default",
                                                          "aten.empty_permuted.default",
                                                          "aten.bernoulli.default",
                                                          "aten.bernoulli.p",
                                                          "aten.multinomial.default",
                                                          "aten.rand_like.default",
                                                          "aten.randn_like.default",
                                                          "aten.randint.default",
                                                          "aten.randint.low",
                                                          "aten.randint_like.default",
                                                          "aten.randperm.default",
                                                          "aten.normal.Tensor_Tensor",
                                                          "aten.normal.Tensor_float",
                                                          "aten.normal.float_Tensor",
                                                          "aten.normal.float_float",
                                                          "aten.new_empty_strided.default"};
  return names.contains(node.op());
}

ConstantPart::ConstantPart(const ir::Graph& graph) {
  find(graph);
  divide();
}

bool ConstantPart::admits(const ir::Graph& graph, const ir::Node& node) const {
  if (!node.op().starts_with("aten.") || hasManyOutcomes(node)) return false;
  const auto isKnown = [&](const ir::Value* value) {
    return fits(*value) && (value->isConstant() || (value->producer() && sources_.contains(value->producer())));
  };
  const std::vector<ir::Value*> operands = node.operands();
  if (!std::all_of(operands.begin(), operands.end(), isKnown)) return false;
  const auto isFitting = [&](const ir::Value* value) {
    return fits(*value) && value->type().elements() > 0 && !graph.isOutput(value);
  };
  if (!std::all_of(node.outputs().begin(), node.outputs().end(), isFitting)) return false;
  return !operatorProblem(node);
}

void ConstantPart::find(const ir::Graph& graph) {
  for (const auto& node : graph.nodes()) {
    if (!admits(graph, *node)) continue;
    uint64_t source = 0, work = 0;
    for (const ir::Value* operand : node->operands()) {
      const bool isConstant = operand->isConstant();
      source = std::max(source, isConstant ? operand->type().bytes() : sources_.at(operand->producer()));
      if (isConstant && !seen_.contains(operand)) work += operand->type().bytes();
    }
    for (const ir::Value* output : node->outputs()) work += output->type().bytes();
    if (work_ + work > kLargestWork) continue;
    work_ += work;
    for (const ir::Value* operand : node->operands()) seen_.insert(operand);
    sources_[node.get()] = source;
    nodes_.push_back(node.get());
  }
}

std::vector<ir::Value*> ConstantPart::readOutside(const ir::Node& node) const {
  std::vector<ir::Value*> out;
  for (ir::Value* value : node.outputs()) {
    const auto& users = value->users();
    const auto isOutside = [&](const ir::Node* user) { return !sources_.contains(user) || stays_.contains(user); };
    if (std::any_of(users.begin(), users.end(), isOutside)) out.push_back(value);
  }
  return out;
}

// Backwards, so that all who read a node's results are decided on before it.
void ConstantPart::divide() {
  uint64_t total = 0;
  for (auto at = nodes_.rbegin(); at != nodes_.rend(); ++at) {
    ir::Node* node = *at;
    const std::vector<ir::Value*> read = readOutside(*node);
    Extent result;
    for (const ir::Value* value : read) result.add(*value);
    const bool growsTooFar = result.bytes > kSmallResult && result.bytes > sources_.at(node);
    if (isMuchLarger(result, operandsOf(*node)) || growsTooFar || total + result.bytes > kLargestResults) {
      stays_.insert(node);
      continue;
    }
    total += result.bytes;
    replaced_.push_back(node);
    results_.insert(results_.end(), read.rbegin(), read.rend());
  }
  std::reverse(replaced_.begin(), replaced_.end());
  std::reverse(results_.begin(), results_.end());
}

// The nodes that the results come from, in order of execution.
std::vector<const ir::Node*> ConstantPart::computed() const {
  std::unordered_set<const ir::Value*> needed(results_.begin(), results_.end());
  std::vector<const ir::Node*> out;
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    const auto& outputs = (*node)->outputs();
    if (std::none_of(outputs.begin(), outputs.end(), [&](const ir::Value* value) { return needed.contains(value); }))
      continue;
    for (const ir::Value* operand : (*node)->operands()) needed.insert(operand);
    out.push_back(*node);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

std::unique_ptr<ir::Graph> ConstantPart::copy() const {
  auto graph = std::make_unique<ir::Graph>();
  Copier copier(*graph);
  for (const ir::Node* node : computed()) copier.add(*node);
  std::vector<ir::Argument> outputs;
  for (const ir::Value* value : results_) outputs.emplace_back(copier.mapped(value));
  graph->setOutputs(std::move(outputs));
  return graph;
}

}  // namespace exportdeck::passes
