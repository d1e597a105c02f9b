#include "backends/extraction.h"

#include <unordered_map>
#include <unordered_set>

#include "backends/grouping.h"
#include "base/text.h"

namespace exportdeck::backends {

namespace {

// Copies one partition into a graph of its own.
class BodyBuilder {
 public:
  explicit BodyBuilder(std::string name) : body_(std::make_shared<ir::Graph>(std::move(name))) {}

  void add(const ir::Node& node) {
    std::vector<ir::Argument> args;
    args.reserve(node.argCount());
    for (const ir::Argument& argument : node.args()) args.push_back(mapped(argument));
    ir::Node* copy = body_->addNode(node.op(), std::move(args), {}, node.originPtr());
    for (const ir::Value* output : node.outputs()) {
      map_[output] = output->isTensor() ? body_->addOutputTo(copy, output->kind(), output->type(), output->name())
                                        : body_->addOutputTo(copy, output->kind(), {}, output->name());
    }
  }

  void addOutput(const ir::Value* value) { outputs_.emplace_back(map_.at(value)); }
  const std::vector<ir::Value*>& operands() const { return operands_; }
  std::shared_ptr<ir::Graph> finish() {
    body_->setOutputs(std::move(outputs_));
    return body_;
  }

 private:
  ir::Value* mapped(ir::Value* value) {
    if (!value) return nullptr;
    if (const auto found = map_.find(value); found != map_.end()) return found->second;
    ir::Value* inside = nullptr;
    if (value->isConstant()) {
      inside = body_->addConstant(value->constant(), value->name());
    } else {
      check(value->isTensor(), "an operand of a partition is no tensor");
      inside = body_->addInput(value->name(), value->type());
      operands_.push_back(value);
    }
    map_[value] = inside;
    return inside;
  }

  ir::Argument mapped(const ir::Argument& argument) {
    if (const auto* value = std::get_if<ir::Value*>(&argument)) return mapped(*value);
    if (const auto* list = std::get_if<ir::ValueList>(&argument)) {
      ir::ValueList inside;
      for (ir::Value* value : *list) inside.push_back(mapped(value));
      return inside;
    }
    return argument;
  }

  std::shared_ptr<ir::Graph> body_;
  std::unordered_map<const ir::Value*, ir::Value*> map_;
  std::vector<ir::Value*> operands_;
  std::vector<ir::Argument> outputs_;
};

bool isReadOutside(const ir::Graph& graph, const ir::Value* value, const std::unordered_set<const ir::Node*>& inside) {
  if (graph.isOutput(value)) return true;
  for (const ir::Node* user : value->users()) {
    if (!inside.contains(user)) return true;
  }
  return false;
}

ir::Node* extract(ir::Graph& graph, const std::vector<ir::Node*>& nodes, int index) {
  const std::unordered_set<const ir::Node*> inside(nodes.begin(), nodes.end());
  BodyBuilder builder(concat("delegate_", index));
  for (const ir::Node* node : nodes) builder.add(*node);

  std::vector<ir::Value*> results;
  for (const ir::Node* node : nodes) {
    for (ir::Value* output : node->outputs()) {
      if (output->isTensor() && isReadOutside(graph, output, inside)) results.push_back(output);
    }
  }
  std::vector<ir::TensorType> types;
  for (const ir::Value* result : results) {
    builder.addOutput(result);
    types.push_back(result->type());
  }

  Origin origin = nodes.front()->origin();
  origin.op = ir::kDelegateOp;
  std::vector<ir::Argument> args(builder.operands().begin(), builder.operands().end());
  ir::Node* call = graph.addNode(ir::kDelegateOp, std::move(args), std::move(types),
                                 std::make_shared<Origin>(std::move(origin)), nullptr, concat("delegate_", index));
  for (size_t i = 0; i < results.size(); ++i) graph.replaceAllUses(results[i], call->output(i));
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) graph.erase(*node);
  call->body = builder.finish();
  return call;
}

}  // namespace

std::vector<ir::Node*> extractPartitions(ir::Graph& graph, const std::vector<ir::Node*>& nodes,
                                         const std::vector<int>& partition, const std::vector<int>& order) {
  std::vector<std::vector<ir::Node*>> members;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (partition[i] == kNoPartition) continue;
    const auto p = static_cast<size_t>(partition[i]);
    if (members.size() <= p) members.resize(p + 1);
    members[p].push_back(nodes[i]);
  }
  std::vector<ir::Node*> calls;
  for (size_t p = 0; p < members.size(); ++p) calls.push_back(extract(graph, members[p], static_cast<int>(p)));
  for (const int unit : order) {
    const auto u = static_cast<size_t>(unit);
    graph.moveBefore(u < nodes.size() ? nodes[u] : calls[u - nodes.size()], nullptr);
  }
  graph.eraseUnusedConstants();
  return calls;
}

}  // namespace exportdeck::backends
