// The program's graph from its JSON: inputs by their signature, nodes, outputs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/progress.h"
#include "ir/graph.h"
#include "ops/schema.h"
#include "pt2/weights.h"

namespace exportdeck::pt2 {

class GraphReader {
 public:
  // All references must outlive the reader. `program` is the root's `graph_module`.
  GraphReader(json::Object program, Weights& weights, RangeConstraints& constraints, ir::Graph& graph);

  void readInputs();
  void readNodes(const Context& context);
  void readOutputs(const Context& context);
  const std::map<std::string, int>& operatorCounts() const { return operatorCounts_; }

 private:
  // inputs and outputs
  void readInput(std::string_view kind, json::Object spec);
  void readUserInput(json::Element argument);
  // What the program says it changes: a buffer, a parameter or an input. False for other kinds.
  bool readMutation(std::string_view kind, json::Object spec);
  void addUpdate(ir::Value* target, ir::Value* value, std::string_view kind);
  [[noreturn]] void refuseOutput(std::string_view kind) const;

  // values
  ir::Value* value(std::string_view name);
  void define(std::string_view name, ir::Value* value);
  ir::TensorType tensorType(std::string_view name) const;

  // nodes
  void readNode(json::Object node);
  std::vector<ops::NamedArgument> readArguments(json::Array inputs);
  void readResult(ir::Node* node, json::Element result);
  void boundByData(const ir::Node& node, json::Array results);
  void readTensorResult(ir::Node* node, std::string_view name);

  // Regions that are read in place (wrapper.cpp). False: the operator is none of them.
  bool readWrapper(std::string_view op, json::Array inputs, json::Array results);
  std::vector<ir::Value*> readRegion(json::Object graph, const std::vector<ir::Argument>& operands,
                                     std::string_view op);

  static std::optional<std::vector<std::string_view>> tensorNames(json::Array results);

  // Loops and choices that are written out (control_flow.cpp). False: the operator is none of them, or cannot be.
  bool readControlFlow(std::string_view op, json::Array inputs, json::Array results,
                       const std::shared_ptr<const Origin>& origin);
  bool readLoop(std::string_view op, json::Array inputs, const std::vector<std::string_view>& names);
  bool readChoice(std::string_view op, json::Array inputs, const std::vector<std::string_view>& names);
  std::optional<std::vector<ir::Value*>> tensorsAt(json::Array inputs, size_t i, std::string_view op);
  std::vector<ir::Argument> slicesOf(const std::vector<ir::Value*>& tensors, int64_t at);
  ir::Value* addSimple(std::string op, std::vector<ir::Argument> args, ir::TensorType type);
  void defineStacked(std::string_view name, const std::vector<ir::Value*>& parts);

  // arguments (arguments.cpp)
  ir::Argument argument(json::Element element, std::string_view what);
  ir::Argument listArgument(std::string_view tag, json::Array items, std::string_view what);
  ir::Argument symbolic(json::Element element, std::string_view what);
  std::optional<ir::SymInt> sizeNamed(std::string_view name) const;

  json::Object graphFields_, signature_;
  Weights& weights_;
  RangeConstraints& constraints_;
  ir::Graph& graph_;
  std::unordered_map<std::string_view, json::Element> tensors_;  // tensor_values
  std::unordered_map<std::string_view, json::Element> sizes_;    // sym_int_values
  std::unordered_map<std::string_view, std::string> unread_;     // constants that nothing has read yet: their FQN
  std::unordered_map<std::string_view, std::string_view> placeholders_;  // by FQN
  std::unordered_map<std::string_view, ir::Value*> values_;
  std::unordered_map<std::string, ir::Value*> constants_;  // by FQN: two inputs may name one weight
  std::vector<ir::Update> updates_;
  std::map<std::string, int> operatorCounts_;
  std::shared_ptr<const Origin> origin_;  // of the loop or choice that is being written out
};

}  // namespace exportdeck::pt2
