#include "ir/graph.h"

#include <algorithm>
#include <unordered_set>

#include "base/text.h"

namespace exportdeck::ir {

namespace {

// "aten.add.Tensor" -> "add"
std::string_view shortName(std::string_view op) {
  const size_t dot = op.find('.');
  if (dot == std::string_view::npos) return op;
  op.remove_prefix(dot + 1);
  return op.substr(0, op.find('.'));
}

}  // namespace

Graph::Graph(std::string name) : name_(std::move(name)) {}

std::string Graph::uniqueName(std::string_view wanted) {
  std::string base(wanted.empty() ? "v" : wanted);
  for (char& c : base) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    if (!plain) c = '_';
  }
  std::string candidate = base;
  // The counter is kept for each base, so that many equal wishes cost one lookup each.
  for (int* counter = &names_[base]; *counter > 0;) {
    candidate = concat(base, "_", (*counter)++);
    if (names_.try_emplace(candidate, 1).second) return candidate;
    counter = &names_[base];
  }
  names_[base] = 1;
  return candidate;
}

Value* Graph::newValue(std::string_view name, ValueKind kind, TensorType type) {
  auto value = std::make_unique<Value>();
  value->name_ = uniqueName(name);
  value->kind_ = kind;
  value->type_ = std::move(type);
  values_.push_back(std::move(value));
  return values_.back().get();
}

Value* Graph::addInput(std::string name, TensorType type) {
  Value* value = newValue(name, ValueKind::Tensor, std::move(type));
  value->isInput_ = true;
  inputs_.push_back({value, std::move(name), {}});
  return value;
}

Value* Graph::addScalarInput(std::string name, ValueKind kind) {
  Value* value = newValue(name, kind, {});
  value->isInput_ = true;
  inputs_.push_back({value, std::move(name), {}});
  return value;
}

void Graph::addFixedInput(std::string name, Argument fixed) {
  inputs_.push_back({nullptr, std::move(name), std::move(fixed)});
}

Value* Graph::addConstant(ConstantPtr constant, std::string name) {
  Value* value = newValue(name.empty() ? constant->name : name, ValueKind::Tensor, constant->type);
  value->constant_ = std::move(constant);
  return value;
}

Value* Graph::addState(ConstantPtr initial, std::string name) {
  Value* value = addConstant(std::move(initial), std::move(name));
  makeState(value);
  return value;
}

void Graph::makeState(Value* constant) {
  if (constant->constant_) constant->initial_ = std::move(constant->constant_);
}

Node* Graph::addNode(std::string op, std::vector<Argument> args, std::vector<TensorType> outputs,
                     std::shared_ptr<const Origin> origin, Node* before, std::string name) {
  static const auto kNowhere = std::make_shared<const Origin>();
  auto owned = std::make_unique<Node>();
  Node* node = owned.get();
  node->op_ = std::move(op);
  node->args_ = std::move(args);
  node->origin_ = origin ? std::move(origin) : kNowhere;
  node->graph_ = this;
  for (const Argument& argument : node->args_) use(node, argument);
  node->place_ = nodes_.insert(before ? before->place_ : nodes_.end(), std::move(owned));
  const std::string base = name.empty() ? std::string(shortName(node->op_)) : std::move(name);
  for (TensorType& type : outputs) addOutputTo(node, ValueKind::Tensor, std::move(type), base);
  return node;
}

Value* Graph::addOutputTo(Node* node, ValueKind kind, TensorType type, std::string name) {
  Value* value = newValue(name.empty() ? shortName(node->op()) : name, kind, std::move(type));
  value->producer_ = node;
  node->outputs_.push_back(value);
  return value;
}

void Graph::setOutputs(std::vector<Argument> outputs) {
  outputs_ = std::move(outputs);
  countOutputs();
}

void Graph::setUpdates(std::vector<Update> updates) {
  updates_ = std::move(updates);
  countOutputs();
}

void Graph::countOutputs() {
  outputUses_.clear();
  for (const Argument& output : outputs_) {
    if (const auto* value = std::get_if<Value*>(&output)) ++outputUses_[*value];
  }
  for (const Update& update : updates_) ++outputUses_[update.value];
}

std::vector<Node*> Graph::nodeList() const {
  std::vector<Node*> out;
  out.reserve(nodes_.size());
  for (const auto& node : nodes_) out.push_back(node.get());
  return out;
}

std::vector<Value*> Graph::constants() const {
  std::vector<Value*> out;
  for (const auto& value : values_) {
    if (value->isConstant()) out.push_back(value.get());
  }
  return out;
}

std::vector<Value*> Graph::states() const {
  std::vector<Value*> out;
  for (const auto& value : values_) {
    if (value->isState()) out.push_back(value.get());
  }
  return out;
}

bool Graph::isUpdated(const Value* target) const {
  return std::any_of(updates_.begin(), updates_.end(), [&](const Update& update) { return update.target == target; });
}

bool Graph::isOutput(const Value* value) const {
  return outputUses_.contains(value);
}

void Graph::replaceAllUses(Value* from, Value* to) {
  check(from != to, concat("the value ", from->name(), " was replaced by itself"));
  const std::vector<Node*> users = std::move(from->users_);
  from->users_.clear();
  for (Node* user : users) {
    // Each entry stands for one operand position; the first visit of a node moves all of them.
    for (Argument& argument : user->args_) {
      if (auto* value = std::get_if<Value*>(&argument)) {
        if (*value == from) *value = to;
      } else if (auto* values = std::get_if<ValueList>(&argument)) {
        std::replace(values->begin(), values->end(), from, to);
      } else if (auto* ints = std::get_if<IntList>(&argument)) {
        for (IntItem& item : *ints) {
          if (const auto* computed = std::get_if<Value*>(&item); computed && *computed == from) item = to;
        }
      }
    }
    to->users_.push_back(user);
  }
  if (!isOutput(from)) return;
  for (Argument& output : outputs_) {
    if (auto* value = std::get_if<Value*>(&output); value && *value == from) *value = to;
  }
  for (Update& update : updates_) {
    if (update.value == from) update.value = to;
  }
  outputUses_[to] += outputUses_[from];
  outputUses_.erase(from);
}

void Graph::erase(Node* node) {
  for (Value* output : node->outputs_) {
    check(isUnused(output), concat("the node ", node->op(), " was erased while ", output->name(), " is in use"));
  }
  for (const Argument& argument : node->args_) unuse(node, argument);
  for (Value* output : node->outputs_) {
    output->producer_ = nullptr;
    names_.erase(output->name_);
  }
  const std::unordered_set<const Value*> dead(node->outputs_.begin(), node->outputs_.end());
  graveyard_.insert(dead.begin(), dead.end());
  nodes_.erase(node->place_);
  if (graveyard_.size() > 1024 && graveyard_.size() * 2 > values_.size()) sweep();
}

void Graph::sweep() {
  std::erase_if(values_, [&](const std::unique_ptr<Value>& value) { return graveyard_.contains(value.get()); });
  graveyard_.clear();
}

void Graph::moveBefore(Node* node, Node* before) {
  nodes_.splice(before ? before->place_ : nodes_.end(), nodes_, node->place_);
}

void Graph::eraseUnusedConstants() {
  std::erase_if(values_, [&](const std::unique_ptr<Value>& value) {
    if (!value->isConstant() || !isUnused(value.get())) return false;
    names_.erase(value->name_);
    return true;
  });
}

Argument argumentOf(const SymInt& size) {
  return size.isStatic() ? Argument(size.value()) : Argument(size);
}

IntItem itemOf(const SymInt& size) {
  return size.isStatic() ? IntItem(size.value()) : IntItem(size);
}

IntList itemsOf(const Shape& sizes) {
  IntList items;
  items.reserve(sizes.size());
  for (const SymInt& size : sizes) items.push_back(itemOf(size));
  return items;
}

namespace {

using Symbols = std::map<std::string, SymAtomPtr>;

void collect(const SymInt& size, Symbols& into) {
  if (size.isStatic()) return;
  for (const SymTerm& term : size.expr()->terms) {
    for (const SymAtomPtr& atom : term.atoms) {
      if (atom->function.empty()) into.emplace(atom->text, atom);
      for (const SymInt& arg : atom->args) collect(arg, into);
    }
  }
}

void collect(const Value* value, Symbols& into) {
  if (!value->isTensor()) return;
  for (const SymInt& size : value->type().shape) collect(size, into);
}

void collect(const Argument& argument, Symbols& into) {
  if (const auto* size = std::get_if<SymInt>(&argument)) collect(*size, into);
  if (const auto* list = std::get_if<IntList>(&argument)) {
    for (const IntItem& item : *list) {
      if (const auto* size = std::get_if<SymInt>(&item)) collect(*size, into);
    }
  }
}

void collect(const Graph& graph, Symbols& into) {
  for (const GraphInput& input : graph.inputs()) {
    if (input.value) collect(input.value, into);
  }
  for (const auto& node : graph.nodes()) {
    for (const Argument& argument : node->args()) collect(argument, into);
    for (const Value* output : node->outputs()) collect(output, into);
    if (node->body) collect(*node->body, into);
  }
  for (const Argument& output : graph.outputs()) collect(output, into);
}

}  // namespace

std::map<std::string, SymAtomPtr> symbolsOf(const Graph& graph) {
  Symbols symbols;
  collect(graph, symbols);
  return symbols;
}

}  // namespace exportdeck::ir
