#include "pt2/graph_reader.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"
#include "pt2/origin.h"

namespace exportdeck::pt2 {

namespace {

using ir::ValueKind;

// "torch.ops.aten.add.Tensor" -> "aten.add.Tensor"; Python's own ("_operator.add", "torch.sym_max") stay as they are.
std::string operatorName(std::string_view target) {
  constexpr std::string_view kPrefix = "torch.ops.";
  return std::string(target.starts_with(kPrefix) ? target.substr(kPrefix.size()) : target);
}

std::shared_ptr<Origin> originOf(json::Object node, const std::string& op) {
  auto origin = std::make_shared<Origin>();
  origin->op = op;
  if (const auto name = json::find(node, "name")) origin->node = json::string(*name, "a node's name");
  const auto metadata = json::find(node, "metadata");
  if (!metadata) return origin;
  const json::Object fields = json::object(*metadata, "a node's metadata");
  if (const auto trace = json::find(fields, "stack_trace"))
    readStackTrace(json::string(*trace, "stack_trace"), *origin);
  if (const auto stack = json::find(fields, "nn_module_stack"))
    readModuleStack(json::string(*stack, "nn_module_stack"), *origin);
  return origin;
}

// The name of a node's first result: what stands for its own name before schema 8.17.
std::string firstResultName(json::Array results) {
  for (const json::Element result : results) {
    const auto [tag, value] = json::tagged(result, "a node's result");
    json::Object fields;
    json::Array list;
    if (tag == "as_tensors" && value.get(list) == simdjson::SUCCESS && list.size() > 0) {
      return std::string(json::nameOf(list.at(0), "a node's result"));
    }
    if (value.get(fields) != simdjson::SUCCESS) continue;
    if (const auto name = json::find(fields, tag == "as_tensor" ? "name" : "as_name"))
      return std::string(json::string(*name, "a node's result"));
  }
  return {};
}

}  // namespace

GraphReader::GraphReader(json::Object program, Weights& weights, RangeConstraints& constraints, ir::Graph& graph)
    : graphFields_(json::object(json::at(program, "graph"), "graph")),
      signature_(json::object(json::at(program, "signature"), "signature")),
      weights_(weights),
      constraints_(constraints),
      graph_(graph) {
  for (const auto field : json::object(json::at(graphFields_, "tensor_values"), "tensor_values"))
    tensors_.emplace(field.key, field.value);
  if (const auto sizes = json::find(graphFields_, "sym_int_values")) {
    for (const auto field : json::object(*sizes, "sym_int_values")) sizes_.emplace(field.key, field.value);
  }
}

void GraphReader::readInputs() {
  for (const json::Element spec : json::array(json::at(signature_, "input_specs"), "input_specs")) {
    const auto [kind, fields] = json::tagged(spec, "an input specification");
    readInput(kind, json::object(fields, kind));
  }
}

void GraphReader::readInput(std::string_view kind, json::Object spec) {
  const auto constant = [&](std::string_view key) {
    const auto name = json::nameOf(json::at(spec, "arg"), kind);
    const auto fqn = json::string(json::at(spec, key), kind);
    if (!unread_.emplace(name, fqn).second) json::malformed(name, "is an input twice");
    placeholders_.emplace(fqn, name);
  };
  if (kind == "user_input") return readUserInput(json::at(spec, "arg"));
  if (kind == "parameter") return constant("parameter_name");
  if (kind == "buffer") return constant("buffer_name");
  if (kind == "tensor_constant") return constant("tensor_constant_name");
  if (kind == "constant_input") {
    return graph_.addFixedInput(std::string(json::string(json::at(spec, "name"), kind)),
                                argument(json::at(spec, "value"), kind));
  }
  if (kind == "custom_obj") {
    throw ExportError(Code::OperatorUnsupported,
                      concat("the program uses the custom object ",
                             json::string(json::at(spec, "custom_obj_name"), kind), ", which only Python can run"),
                      {"keep TorchBind and other custom objects out of the exported module"});
  }
  if (kind == "token") {
    throw ExportError(Code::OperatorUnsupported,
                      concat("the program orders side effects with the token ",
                             json::nameOf(json::at(spec, "arg"), kind), ", which is not supported"),
                      {"remove operators with side effects (printing, custom objects) before exporting"});
  }
  json::malformed("an input specification", concat("is of unknown kind ", kind));
}

void GraphReader::readUserInput(json::Element element) {
  const auto [tag, item] = json::tagged(element, "a user input");
  if (tag == "as_tensor") {
    const auto name = json::nameOf(item, "a user input");
    return define(name, graph_.addInput(std::string(name), tensorType(name)));
  }
  json::Object scalar;
  if (tag.starts_with("as_sym_") && item.get(scalar) == simdjson::SUCCESS) {
    if (const auto name = json::find(scalar, "as_name")) {
      const auto kind = tag == "as_sym_int"     ? ValueKind::Int
                        : tag == "as_sym_float" ? ValueKind::Float
                                                : ValueKind::Bool;
      const auto text = json::string(*name, "a user input");
      return define(text, graph_.addScalarInput(std::string(text), kind));
    }
  }
  graph_.addFixedInput(concat("input_", graph_.inputs().size()), argument(element, "a user input"));
}

ir::TensorType GraphReader::tensorType(std::string_view name) const {
  const auto it = tensors_.find(name);
  if (it == tensors_.end()) json::malformed(name, "is not listed in tensor_values");
  return readTensorMeta(it->second, constraints_, concat("the tensor ", name)).type;
}

void GraphReader::define(std::string_view name, ir::Value* value) {
  if (unread_.contains(name) || !values_.emplace(name, value).second) json::malformed(name, "is defined twice");
}

ir::Value* GraphReader::value(std::string_view name) {
  if (const auto it = values_.find(name); it != values_.end()) return it->second;
  const auto it = unread_.find(name);
  if (it == unread_.end()) json::malformed(name, "is read but nothing defines it");
  const auto constant = weights_.constant(it->second);
  if (const auto declared = tensorType(name); declared != constant->type) {
    json::malformed(it->second,
                    concat("is ", constant->type.text(), " in the weights but ", declared.text(), " in the graph"));
  }
  auto& known = constants_[it->second];
  if (known == nullptr) known = graph_.addConstant(constant, std::string(name));
  unread_.erase(it);
  return values_.emplace(name, known).first->second;
}

void GraphReader::readNodes(const Context& context) {
  size_t count = 0;
  for (const json::Element node : json::array(json::at(graphFields_, "nodes"), "nodes")) {
    if (count++ % 256 == 0) context.throwIfStopped();
    readNode(json::object(node, "a node"));
  }
}

void GraphReader::readNode(json::Object node) {
  const std::string op = operatorName(json::string(json::at(node, "target"), "a node's target"));
  const auto origin = originOf(node, op);
  const json::Array results = json::array(json::at(node, "outputs"), "a node's outputs");
  try {
    if (origin->node.empty()) origin->node = firstResultName(results);
    const json::Array inputs = json::array(json::at(node, "inputs"), "a node's inputs");
    if (readWrapper(op, inputs, results) || readControlFlow(op, inputs, results, origin)) return;
    auto given = readArguments(inputs);
    std::vector<ir::Argument> args;
    if (const auto* schema = ops::findSchema(op)) {
      args = ops::bindArguments(*schema, std::move(given));
    } else {
      for (auto& item : given) args.push_back(std::move(item.value));
    }
    ir::Node* made = graph_.addNode(op, std::move(args), {}, origin, nullptr, origin->node);
    boundByData(*made, results);
    for (const json::Element result : results) readResult(made, result);
  } catch (const ExportError& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (diagnostic.where.empty()) diagnostic.where = *origin;
    throw ExportError(std::move(diagnostic));
  }
  ++operatorCounts_[op];
}

std::vector<ops::NamedArgument> GraphReader::readArguments(json::Array inputs) {
  std::vector<ops::NamedArgument> given;
  for (const json::Element input : inputs) {
    const json::Object fields = json::object(input, "a node's input");
    const auto name = json::string(json::at(fields, "name"), "an argument's name");
    given.push_back({std::string(name), argument(json::at(fields, "arg"), concat("the argument ", name))});
  }
  return given;
}

// Operators that pick elements give at most as many as there are.
void GraphReader::boundByData(const ir::Node& node, json::Array results) {
  const bool picks = node.is("aten.nonzero.default") || node.is("aten.masked_select.default");
  const ir::Value* mask = nullptr;
  if (node.is("aten.index.Tensor")) {
    for (const ir::Value* index : node.values(1)) {
      if (index && index->type().dtype == ir::DType::Bool) mask = index;
    }
  }
  if (!picks && !mask) return;
  ir::SymInt most = mask ? mask->type().count() : node.value(0)->type().count();
  if (node.is("aten.masked_select.default")) most = ir::maximum(most, node.value(1)->type().count());
  const auto names = tensorNames(results);
  if (!most.upper() || !names || names->empty()) return;
  for (const ir::SymInt& size : tensorType(names->front()).shape) {
    if (size.isStatic() || size.upper()) continue;
    for (const std::string& symbol : symbolsOf(size)) constraints_.assume(symbol, *most.upper());
  }
}

void GraphReader::readTensorResult(ir::Node* node, std::string_view name) {
  define(name, graph_.addOutputTo(node, ValueKind::Tensor, tensorType(name), std::string(name)));
}

void GraphReader::readResult(ir::Node* node, json::Element result) {
  constexpr std::string_view kWhat = "a node's result";
  const auto [tag, item] = json::tagged(result, kWhat);
  if (tag == "as_tensor") return readTensorResult(node, json::nameOf(item, kWhat));
  if (tag == "as_tensors") {
    for (const json::Element tensor : json::array(item, kWhat)) readTensorResult(node, json::nameOf(tensor, kWhat));
    return;
  }
  if (tag == "as_optional_tensor") return readResult(node, item);
  if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool") {
    const auto kind = tag == "as_sym_int" ? ValueKind::Int : tag == "as_sym_float" ? ValueKind::Float : ValueKind::Bool;
    const auto name = json::find(json::object(item, kWhat), "as_name");
    ir::Value* made =
        graph_.addOutputTo(node, kind, {}, name ? std::string(json::string(*name, kWhat)) : std::string());
    if (name) define(json::string(*name, kWhat), made);
    return;
  }
  if (tag == "as_none" || tag == "as_int" || tag == "as_float" || tag == "as_bool") {
    // A result that the archive knows as a constant is never read by name.
    const auto kind = tag == "as_int"     ? ValueKind::Int
                      : tag == "as_float" ? ValueKind::Float
                      : tag == "as_bool"  ? ValueKind::Bool
                                          : ValueKind::None;
    graph_.addOutputTo(node, kind);
    return;
  }
  throw ExportError(
      Code::OperatorUnsupported,
      concat(node->op(), " returns a ", tag.substr(tag.starts_with("as_") ? 3 : 0), ", which is not supported"),
      {"replace the operator in the model"});
}

void GraphReader::readOutputs(const Context& context) {
  std::vector<ir::Argument> outputs;
  for (const json::Element spec : json::array(json::at(signature_, "output_specs"), "output_specs")) {
    context.throwIfStopped();
    const auto [kind, value] = json::tagged(spec, "an output specification");
    const json::Object fields = json::object(value, kind);
    if (readMutation(kind, fields)) continue;
    if (kind != "user_output") refuseOutput(kind);
    outputs.push_back(argument(json::at(fields, "arg"), "an output"));
  }
  graph_.setOutputs(std::move(outputs));
  graph_.setUpdates(std::move(updates_));
}

bool GraphReader::readMutation(std::string_view kind, json::Object spec) {
  const auto name = [&](std::string_view key) { return json::string(json::at(spec, key), kind); };
  ir::Value* target = nullptr;
  if (kind == "user_input_mutation") {
    target = value(name("user_input_name"));
    if (!target->isInput() || !target->isTensor()) json::malformed(kind, "names what is no input");
  } else if (kind == "buffer_mutation" || kind == "parameter_mutation") {
    const auto fqn = name(kind == "buffer_mutation" ? "buffer_name" : "parameter_name");
    const auto placeholder = placeholders_.find(fqn);
    if (placeholder == placeholders_.end()) json::malformed(fqn, "is changed but is no input of the graph");
    target = value(placeholder->second);
    graph_.makeState(target);
  } else {
    return false;
  }
  addUpdate(target, value(json::nameOf(json::at(spec, "arg"), kind)), kind);
  return true;
}

void GraphReader::addUpdate(ir::Value* target, ir::Value* value, std::string_view kind) {
  if (!value->isTensor() || value->type().dtype != target->type().dtype ||
      value->type().rank() != target->type().rank()) {
    json::malformed(kind, concat("gives ", target->name(), " a value of another type"));
  }
  const auto isOfTarget = [&](const ir::Update& update) { return update.target == target; };
  if (std::any_of(updates_.begin(), updates_.end(), isOfTarget))
    json::malformed(kind, concat("gives ", target->name(), " two values"));
  for (size_t i = 0; i < target->type().rank(); ++i) {
    const ir::SymInt &given = value->type().shape[i], &wanted = target->type().shape[i];
    if (given.isStatic() && wanted.isStatic() && given != wanted)
      json::malformed(kind, concat("gives ", target->name(), " a value of another size"));
  }
  updates_.push_back({target, value});
}

void GraphReader::refuseOutput(std::string_view kind) const {
  if (kind == "loss_output" || kind.starts_with("gradient_to_")) {
    throw ExportError(Code::TrainingMode, "the program is a joint training graph: it returns a loss and gradients",
                      {"export the model for inference with model.eval() and torch.export.export"});
  }
  if (kind == "token") {
    throw ExportError(Code::OperatorUnsupported,
                      "the program returns a token that orders side effects, which is not supported",
                      {"remove operators with side effects before exporting"});
  }
  json::malformed("an output specification", concat("is of unknown kind ", kind));
}

}  // namespace exportdeck::pt2
