// Regions of the user's code that only say how gradients or autocasting behave: their graph is read in place.
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "pt2/graph_reader.h"

namespace exportdeck::pt2 {

namespace {

// The positions of the graph among a wrapper's inputs; its operands stand behind it
// (torch/_higher_order_ops/wrap.py of torch 2.13.0 and torch/_export/passes/).
constexpr size_t kGradGraph = 1;      // (enabled, graph, operands…)
constexpr size_t kAutocastGraph = 4;  // (device, dtype, enabled, cache, graph, operands…)
constexpr size_t kAutocastEnabled = 2;

json::Element inputAt(json::Array inputs, size_t i, std::string_view op) {
  json::Element input;
  if (inputs.at(i).get(input) != simdjson::SUCCESS) json::malformed(op, "has too few arguments");
  return json::at(json::object(input, op), "arg");
}

}  // namespace

// The tensors that a node's result names, in order; nothing where a result is no tensor.
std::optional<std::vector<std::string_view>> GraphReader::tensorNames(json::Array results) {
  std::vector<std::string_view> names;
  for (const json::Element result : results) {
    const auto [tag, item] = json::tagged(result, "a node's result");
    if (tag == "as_tensor") {
      names.push_back(json::nameOf(item, "a node's result"));
    } else if (tag == "as_tensors") {
      for (const json::Element tensor : json::array(item, "a node's result"))
        names.push_back(json::nameOf(tensor, "a node's result"));
    } else {
      return std::nullopt;
    }
  }
  return names;
}

bool GraphReader::readWrapper(std::string_view op, json::Array inputs, json::Array results) {
  const bool isGrad = op == "higher_order.wrap_with_set_grad_enabled";
  if (!isGrad && op != "higher_order.wrap_with_autocast") return false;
  if (!isGrad && json::boolean(json::tagged(inputAt(inputs, kAutocastEnabled, op), op).value, op)) return false;
  const auto names = tensorNames(results);
  if (!names) return false;

  const size_t at = isGrad ? kGradGraph : kAutocastGraph;
  const auto [tag, item] = json::tagged(inputAt(inputs, at, op), op);
  if (tag != "as_graph") json::malformed(op, "holds no graph");
  const json::Object graph = json::object(json::at(json::object(item, op), "graph"), op);
  std::vector<ir::Argument> operands;
  for (size_t i = at + 1; i < inputs.size(); ++i) operands.push_back(argument(inputAt(inputs, i, op), op));

  const std::vector<ir::Value*> made = readRegion(graph, operands, op);
  if (made.size() != names->size()) json::malformed(op, "and its graph differ in their results");
  for (size_t i = 0; i < made.size(); ++i) define((*names)[i], made[i]);
  return true;
}

// Names of a region are its own: it reads nothing but its operands.
std::vector<ir::Value*> GraphReader::readRegion(json::Object graph, const std::vector<ir::Argument>& operands,
                                                std::string_view op) {
  auto outerTensors = std::exchange(tensors_, {});
  auto outerUnread = std::exchange(unread_, {});
  auto outerValues = std::exchange(values_, {});
  for (const auto field : json::object(json::at(graph, "tensor_values"), "tensor_values"))
    tensors_.emplace(field.key, field.value);

  const json::Array inputs = json::array(json::at(graph, "inputs"), op);
  if (inputs.size() != operands.size()) json::malformed(op, "and its graph differ in their operands");
  for (size_t i = 0; i < operands.size(); ++i) {
    const auto [tag, item] = json::tagged(inputs.at(i), op);
    const auto* value = std::get_if<ir::Value*>(&operands[i]);
    if (tag == "as_tensor" && value) define(json::nameOf(item, op), *value);
    if (tag.starts_with("as_sym_") && value) {
      if (const auto name = json::find(json::object(item, op), "as_name")) define(json::string(*name, op), *value);
    }
  }
  for (const json::Element node : json::array(json::at(graph, "nodes"), "nodes"))
    readNode(json::object(node, "a node"));

  std::vector<ir::Value*> results;
  for (const json::Element output : json::array(json::at(graph, "outputs"), op)) {
    const ir::Argument result = argument(output, op);
    const auto* value = std::get_if<ir::Value*>(&result);
    if (!value) json::malformed(op, "returns something that is no tensor");
    results.push_back(*value);
  }
  tensors_ = std::move(outerTensors);
  unread_ = std::move(outerUnread);
  values_ = std::move(outerValues);
  return results;
}

}  // namespace exportdeck::pt2
