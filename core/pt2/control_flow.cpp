// Control flow that needs no jumps: loops over a known number of slices are written out, and of a choice both sides are
// computed.
//
// Operands stand as torch/_higher_order_ops/{map,scan,cond}.py of torch 2.13.0 have them.
#include <algorithm>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "pt2/graph_reader.h"

namespace exportdeck::pt2 {

namespace {

constexpr size_t kMostNodes = 50'000;  // of a loop that is written out

std::optional<json::Element> inputAt(json::Array inputs, size_t i, std::string_view op) {
  json::Element input;
  if (inputs.at(i).get(input) != simdjson::SUCCESS) return std::nullopt;
  return json::at(json::object(input, op), "arg");
}

std::optional<json::Object> graphAt(json::Array inputs, size_t i, std::string_view op) {
  const auto input = inputAt(inputs, i, op);
  if (!input) return std::nullopt;
  const auto [tag, item] = json::tagged(*input, op);
  if (tag != "as_graph") return std::nullopt;
  return json::object(json::at(json::object(item, op), "graph"), op);
}

json::Array nodesOf(json::Object graph) {
  return json::array(json::at(graph, "nodes"), "nodes");
}

// Operators that end the program's run where an index is out of range: not for a branch that is not taken.
bool mayFail(json::Object graph) {
  for (const json::Element node : nodesOf(graph)) {
    const std::string_view target = json::string(json::at(json::object(node, "a node"), "target"), "a node's target");
    for (const std::string_view part : {"index", "gather", "scatter", "embedding", "take", "select", "higher_order"}) {
      if (target.find(part) != std::string_view::npos) return true;
    }
  }
  return false;
}

}  // namespace

// The tensors of an argument that is a list of them; nothing where it is something else.
std::optional<std::vector<ir::Value*>> GraphReader::tensorsAt(json::Array inputs, size_t i, std::string_view op) {
  const auto input = inputAt(inputs, i, op);
  if (!input) return std::nullopt;
  const ir::Argument given = argument(*input, op);
  std::vector<ir::Value*> tensors;
  if (const auto* empty = std::get_if<ir::IntList>(&given); empty && empty->empty()) return tensors;
  const auto* list = std::get_if<ir::ValueList>(&given);
  if (!list) return std::nullopt;
  for (ir::Value* value : *list) {
    if (!value || !value->isTensor()) return std::nullopt;
    tensors.push_back(value);
  }
  return tensors;
}

// Slice `at` of each along the first dimension.
std::vector<ir::Argument> GraphReader::slicesOf(const std::vector<ir::Value*>& tensors, int64_t at) {
  std::vector<ir::Argument> slices;
  for (ir::Value* x : tensors) {
    ir::Shape rest(x->type().shape.begin() + 1, x->type().shape.end());
    slices.emplace_back(addSimple("aten.select.int", {x, int64_t{0}, at}, {x->type().dtype, std::move(rest)}));
  }
  return slices;
}

ir::Value* GraphReader::addSimple(std::string op, std::vector<ir::Argument> args, ir::TensorType type) {
  return graph_.addNode(std::move(op), std::move(args), {std::move(type)}, origin_)->output();
}

void GraphReader::defineStacked(std::string_view name, const std::vector<ir::Value*>& parts) {
  define(name,
         addSimple("aten.stack.default", {ir::ValueList(parts.begin(), parts.end()), int64_t{0}}, tensorType(name)));
}

// map_impl(body, xs, args) gives [body(x, args) for x in zip(xs)], scan(body, init, xs, args) the last carry too.
bool GraphReader::readLoop(std::string_view op, json::Array inputs, const std::vector<std::string_view>& names) {
  const bool isScan = op == "higher_order.scan";
  const size_t at = isScan ? 2 : 1;
  const auto body = graphAt(inputs, 0, op);
  auto carry = isScan ? tensorsAt(inputs, 1, op) : std::vector<ir::Value*>();
  const auto xs = tensorsAt(inputs, at, op), fixed = tensorsAt(inputs, at + 1, op);
  if (!body || !carry || !xs || !fixed || xs->empty() || xs->front()->type().rank() == 0) return false;
  const ir::SymInt& length = xs->front()->type().dim(0);
  if (!length.isStatic() || length.value() == 0) return false;
  if (static_cast<size_t>(length.value()) * std::max<size_t>(nodesOf(*body).size(), 1) > kMostNodes) return false;

  std::vector<std::vector<ir::Value*>> parts(names.size() - std::min(names.size(), carry->size()));
  for (int64_t step = 0; step < length.value(); ++step) {
    std::vector<ir::Argument> operands(carry->begin(), carry->end());
    for (ir::Argument& slice : slicesOf(*xs, step)) operands.push_back(std::move(slice));
    operands.insert(operands.end(), fixed->begin(), fixed->end());
    const std::vector<ir::Value*> made = readRegion(*body, operands, op);
    if (made.size() != names.size()) json::malformed(op, "and its graph differ in their results");
    std::copy_n(made.begin(), carry->size(), carry->begin());
    for (size_t i = 0; i < parts.size(); ++i) parts[i].push_back(made[carry->size() + i]);
  }
  for (size_t i = 0; i < carry->size(); ++i) define(names[i], (*carry)[i]);
  for (size_t i = 0; i < parts.size(); ++i) defineStacked(names[carry->size() + i], parts[i]);
  return true;
}

// cond(predicate, yes, no, operands)
bool GraphReader::readChoice(std::string_view op, json::Array inputs, const std::vector<std::string_view>& names) {
  const auto yes = graphAt(inputs, 1, op), no = graphAt(inputs, 2, op);
  if (!yes || !no || mayFail(*yes) || mayFail(*no)) return false;
  const ir::Argument predicate = argument(*inputAt(inputs, 0, op), op);
  auto* const* condition = std::get_if<ir::Value*>(&predicate);
  const auto operands = tensorsAt(inputs, 3, op);
  if (!condition || !(*condition)->isTensor() || !operands) return false;
  const std::vector<ir::Argument> given(operands->begin(), operands->end());
  const std::vector<ir::Value*> taken = readRegion(*yes, given, op), other = readRegion(*no, given, op);
  if (taken.size() != names.size() || other.size() != names.size())
    json::malformed(op, "and its graphs differ in their results");
  for (size_t i = 0; i < names.size(); ++i)
    define(names[i], addSimple("aten.where.self", {*condition, taken[i], other[i]}, tensorType(names[i])));
  return true;
}

bool GraphReader::readControlFlow(std::string_view op, json::Array inputs, json::Array results,
                                  const std::shared_ptr<const Origin>& origin) {
  const bool isLoop = op == "higher_order.map_impl" || op == "higher_order.scan";
  if (!isLoop && op != "higher_order.cond") return false;
  const auto names = tensorNames(results);
  if (!names) return false;
  const auto outer = std::exchange(origin_, origin);
  const bool done = isLoop ? readLoop(op, inputs, *names) : readChoice(op, inputs, *names);
  origin_ = outer;
  return done;
}

}  // namespace exportdeck::pt2
