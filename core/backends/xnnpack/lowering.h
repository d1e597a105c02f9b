// Builds the XNNPACK subgraph of a partition: which value of the graph is which XNNPACK value, and in which layout.
//
// A value can exist in several memory orders (layout.h): another one is made where it is first asked for and then kept,
// so a value is transposed to an order at most once. A permutation is only another name for the same memory, and a
// reshape too where the dimensions it joins lie side by side; operators that do not care run in the order that costs
// the fewest transposes before and behind them, as far as their readers' wishes tell. Inputs and outputs of the
// delegate are plain unless the program takes or gives them with their channels last.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/xnnpack/demand.h"
#include "backends/xnnpack/layout.h"
#include "backends/xnnpack/static_data.h"
#include "backends/xnnpack/subgraph.h"
#include "ir/graph.h"

namespace exportdeck::backends::xnnpack {

struct Rule;

// Two orders of memory: in which a value is read, and what its result then has.
struct Passage {
  Order from, to;
};

class Lowering {
 public:
  // `fuseActivations`: clamps that are the only reader of a computing node become its output range.
  Lowering(const ir::Graph& body, bool fuseActivations);

  // Emits all nodes and binds inputs and outputs.
  Subgraph run();

  // --- for the operators' emitters
  // The value in the given order; made by a transpose where it only exists in others. Constants come as operands.
  ValueId value(const ir::Value* value, const Order& order);
  ValueId plain(const ir::Value* v) { return value(v, plainOrder(v->type().rank())); }
  ValueId channelsLast(const ir::Value* v) { return value(v, channelsLastOrder(v->type().rank())); }
  // A form whose elements lie in that order, whatever its dimensions: what a reshape reads.
  ValueId memory(const ir::Value* value, const Order& order);
  // The one of these orders in which a computed value is had most cheaply.
  Order nearest(const ir::Value* value, const Wish& wish) const;
  // Orders in which a computed value exists.
  std::vector<Order> orders(const ir::Value* value) const;
  // The order in which an operator that does not care runs. Plain unless all computed operands have the result's rank.
  Order commonOrder(const ir::Node& node) const;
  // The cheapest way from an operand to the node's result, counting the transposes before it and those that readers of
  // the result will need. The first of equals.
  Passage cheapest(const ir::Node& node, const ir::Value* operand, const std::vector<Passage>& candidates) const;
  const std::vector<Wish>& wishes(const ir::Node& node) const;
  // A constant operand of an element-wise operator, broadcast against results of the order's rank.
  ValueId broadcastConstant(const ir::Value* value, const Order& order, ir::DType dtype);

  // A weight or bias that XNNPACK packs when the program is loaded: named data.
  ValueId addPacked(const ir::Constant& constant, const StaticForm& form);
  // A constant that is read at each run: a further input. As named data it would be freed after loading where the
  // runtime's weight cache is on (executorch 1.5.1, XNNWeightsCache::finalize_for_runtime).
  ValueId addOperand(const ir::ConstantPtr& constant, const StaticForm& form);
  // A number that broadcasts against anything.
  ValueId addNumber(double number, ir::DType dtype);
  ValueId addTemporary(ir::DType dtype, ir::Shape dims);
  // Of the element type, and where they are integers of the meaning, of another.
  ValueId addTemporaryLike(ValueId other, ir::Shape dims);

  // --- integers (lowering_quantised.cpp)
  // What the integers of the node being emitted mean; null where it computes on floats.
  const TensorScale* integers() const { return integers_ ? &*integers_ : nullptr; }
  // A weight as the integers that it was made of, with a scale for each index of dimension `axis` of the form.
  ValueId addPackedIntegers(const ir::Constant& weight, StaticForm form, uint32_t axis);
  // A matrix [out, in] as the 4-bit integers that it was made of, with a scale a row or a group.
  ValueId addPackedPairs(const ir::Constant& weight);
  // The bias of a sum of products of integers: integers whose scale is the product of `scale` and the weight's.
  ValueId addPackedBias(const ir::Constant& bias, const ir::Constant& weight, float scale);
  // What the integers of an operand mean.
  const TensorScale& scaleOf(const ir::Value* value) const;
  // The floats of a value as integers with scales chosen at run time, one for each group of its last `dims` dimensions.
  ValueId dynamic(const ir::Value* value, const Order& order, uint32_t dims);
  void emitQuantise(const ir::Node& node);
  void emitDequantise(const ir::Node& node);
  // The XNNPACK value for a result of the node being emitted, in that order.
  ValueId result(const ir::Node& node, const Order& order);
  ValueId plainResult(const ir::Node& node) { return result(node, plainOrder(node.output()->type().rank())); }
  // Says that a result is the existing value `id`.
  void alias(const ir::Node& node, const Order& order, ValueId id);
  // The last node of an operator: its range takes the activation that was fused.
  void add(Node node);
  // A node before that.
  void addInner(Node node) { subgraph_.nodes.push_back(std::move(node)); }
  // The same with a new value of these dimensions, and the element type of the first input, for its result.
  ValueId addStep(Node node, ir::Shape dims);
  ValueId addStep(NodeKind kind, std::vector<ValueId> inputs, ir::Shape dims, uint32_t flags = 0);
  // The same, where integers with the meaning of the node's result.
  ValueId addResultStep(NodeKind kind, ValueId input, ir::Shape dims, uint32_t flags);
  // `id` with other dimensions: itself where it has them.
  ValueId viewed(ValueId id, const ir::Shape& dims);
  // Throws Code::ShapeUnsupported where more than one of the new sizes is known only at run time.
  void addReshape(ValueId from, ValueId to);
  void addTranspose(ValueId from, ValueId to, ir::Sizes order);
  const TensorValue& tensor(ValueId id) const { return subgraph_.values[id]; }

 private:
  struct Form {
    Order order;
    ValueId id;
  };
  using Forms = std::vector<Form>;
  // A tensor that exists as integers: forms that every name of them shares.
  struct Twin {
    TensorScale scale;
    Forms forms;
  };
  // The forms that the node being emitted reads: integers or floats. Null where the value has none.
  const Forms* formsOf(const ir::Value* value) const;
  Forms& madeForms(const ir::Value* value);  // the same; floats are made of integers where there are no others
  const ir::Node* quantiserBehind(const ir::Node& node) const;
  void chooseIntegers(const ir::Node& node, const Rule& rule);
  std::shared_ptr<const StaticData> addScales(const std::vector<float>& scales);
  void bindInputs();
  void bindOutputs();
  void emitNode(const ir::Node& node);
  const ir::Node* fusableActivation(const ir::Node& node) const;
  ValueId addValue(TensorValue value);
  // Of having a value in an order, and of serving the readers of one that is.
  double costBefore(const ir::Value* value, const Order& order) const;
  double costBehind(const ir::Node& node, const Order& order) const;

  const ir::Graph& body_;
  bool fuseActivations_;
  Subgraph subgraph_;
  Demands demands_;
  std::unordered_map<const ir::Value*, std::vector<Form>> forms_;
  std::unordered_map<std::string, ValueId> constants_;  // by content or identity, and form
  std::map<double, ir::ConstantPtr> numbers_;
  std::unordered_map<const ir::Node*, bool> fused_;
  const ir::Node* activation_ = nullptr;  // fused into the node being emitted
  std::unordered_map<const ir::Value*, std::shared_ptr<Twin>> twins_;
  std::map<std::pair<ValueId, uint32_t>, ValueId> dynamic_;
  // Of the node being emitted: what its integers mean, and the value that they are a form of.
  std::optional<TensorScale> integers_;
  const ir::Value* integerResult_ = nullptr;
};

}  // namespace exportdeck::backends::xnnpack
