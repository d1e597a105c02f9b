// Node: typed access to arguments, and changing them.
#include <algorithm>

#include "base/text.h"
#include "ir/graph.h"

namespace exportdeck::ir {

namespace {

[[noreturn]] void wrongKind(const Node& node, size_t i, std::string_view wanted) {
  throw ExportError(Diagnostic{Code::GraphInvalid,
                               Severity::Error,
                               concat("argument ", i, " of ", node.op(), " is not ", wanted),
                               node.origin(),
                               {},
                               {}});
}

const Argument& argument(const Node& node, size_t i, std::string_view wanted) {
  if (i >= node.args().size()) wrongKind(node, i, wanted);
  return node.args()[i];
}

int64_t itemValue(const Node& node, size_t i, const IntItem& item) {
  if (const auto* number = std::get_if<int64_t>(&item)) return *number;
  if (const auto* symbolic = std::get_if<SymInt>(&item)) return symbolic->value();
  wrongKind(node, i, "a list of known numbers (one of them is computed at run time)");
}

template <typename Visit>
void visitValues(const Argument& argument, Visit visit) {
  if (const auto* value = std::get_if<Value*>(&argument)) {
    visit(*value);
  } else if (const auto* values = std::get_if<ValueList>(&argument)) {
    for (Value* item : *values) {
      if (item) visit(item);
    }
  } else if (const auto* ints = std::get_if<IntList>(&argument)) {
    for (const IntItem& item : *ints) {
      if (auto* const* computed = std::get_if<Value*>(&item)) visit(*computed);
    }
  }
}

}  // namespace

const TensorType& Value::type() const {
  check(isTensor(), concat("the type of ", name_, " was asked for, which is no tensor"));
  return type_;
}

Value* Node::value(size_t i) const {
  const auto* found = std::get_if<Value*>(&argument(*this, i, "a tensor"));
  if (!found) wrongKind(*this, i, "a tensor");
  return *found;
}

Value* Node::valueOrNull(size_t i) const {
  return isNone(i) ? nullptr : value(i);
}

int64_t Node::intArg(size_t i) const {
  const Argument& given = argument(*this, i, "an integer");
  if (const auto* number = std::get_if<int64_t>(&given)) return *number;
  if (const auto* flag = std::get_if<bool>(&given)) return *flag ? 1 : 0;
  if (const auto* symbolic = std::get_if<SymInt>(&given)) return symbolic->value();
  if (const auto* list = std::get_if<IntList>(&given); list && list->size() == 1)
    return itemValue(*this, i, list->front());
  wrongKind(*this, i, "an integer");
}

double Node::floatArg(size_t i) const {
  const Argument& given = argument(*this, i, "a number");
  if (const auto* number = std::get_if<double>(&given)) return *number;
  if (const auto* number = std::get_if<int64_t>(&given)) return static_cast<double>(*number);
  if (const auto* flag = std::get_if<bool>(&given)) return *flag ? 1 : 0;
  wrongKind(*this, i, "a number");
}

bool Node::boolArg(size_t i) const {
  const Argument& given = argument(*this, i, "true or false");
  if (const auto* flag = std::get_if<bool>(&given)) return *flag;
  if (const auto* number = std::get_if<int64_t>(&given)) return *number != 0;
  wrongKind(*this, i, "true or false");
}

std::string Node::stringArg(size_t i) const {
  const auto* text = std::get_if<std::string>(&argument(*this, i, "a text"));
  if (!text) wrongKind(*this, i, "a text");
  return *text;
}

DType Node::dtypeArg(size_t i) const {
  const auto* dtype = std::get_if<DType>(&argument(*this, i, "an element type"));
  if (!dtype) wrongKind(*this, i, "an element type");
  return *dtype;
}

Sizes Node::ints(size_t i) const {
  const Argument& given = argument(*this, i, "a list of integers");
  if (const auto* number = std::get_if<int64_t>(&given)) return {*number};
  const auto* list = std::get_if<IntList>(&given);
  if (!list) wrongKind(*this, i, "a list of integers");
  Sizes out;
  out.reserve(list->size());
  for (const IntItem& item : *list) out.push_back(itemValue(*this, i, item));
  return out;
}

SymInt Node::symArg(size_t i) const {
  const auto* symbolic = std::get_if<SymInt>(&argument(*this, i, "an integer"));
  return symbolic ? *symbolic : SymInt(intArg(i));
}

Shape Node::shapeArg(size_t i) const {
  const Argument& given = argument(*this, i, "a list of integers");
  const auto* list = std::get_if<IntList>(&given);
  if (!list) return {symArg(i)};
  Shape out;
  for (const IntItem& item : *list) {
    const auto* symbolic = std::get_if<SymInt>(&item);
    out.push_back(symbolic ? *symbolic : SymInt(itemValue(*this, i, item)));
  }
  return out;
}

ValueList Node::values(size_t i) const {
  const auto* list = std::get_if<ValueList>(&argument(*this, i, "a list of tensors"));
  if (!list) wrongKind(*this, i, "a list of tensors");
  return *list;
}

void Node::setArg(size_t i, Argument argument) {
  check(i < args_.size(), concat("argument ", i, " of ", op_, " was set, which has ", args_.size()));
  graph_->use(this, argument);
  graph_->unuse(this, args_[i]);
  args_[i] = std::move(argument);
}

void Node::setArgs(std::vector<Argument> arguments) {
  for (const Argument& argument : arguments) graph_->use(this, argument);
  for (const Argument& argument : args_) graph_->unuse(this, argument);
  args_ = std::move(arguments);
}

std::vector<Value*> Node::operands() const {
  std::vector<Value*> out;
  for (const Argument& argument : args_) visitValues(argument, [&](Value* value) { out.push_back(value); });
  return out;
}

void Node::replaceOperand(Value* from, Value* to) {
  for (Argument& argument : args_) {
    Argument changed = argument;
    if (auto* value = std::get_if<Value*>(&changed)) {
      if (*value == from) *value = to;
    } else if (auto* values = std::get_if<ValueList>(&changed)) {
      std::replace(values->begin(), values->end(), from, to);
    } else if (auto* ints = std::get_if<IntList>(&changed)) {
      for (IntItem& item : *ints) {
        if (const auto* computed = std::get_if<Value*>(&item); computed && *computed == from) item = to;
      }
    }
    if (changed == argument) continue;
    graph_->use(this, changed);
    graph_->unuse(this, argument);
    argument = std::move(changed);
  }
}

void Graph::use(Node* node, const Argument& argument) {
  visitValues(argument, [&](Value* value) { value->users_.push_back(node); });
}

void Graph::unuse(Node* node, const Argument& argument) {
  visitValues(argument, [&](Value* value) {
    const auto found = std::find(value->users_.begin(), value->users_.end(), node);
    check(found != value->users_.end(), concat("node ", node->op(), " is no user of ", value->name()));
    value->users_.erase(found);
  });
}

}  // namespace exportdeck::ir
