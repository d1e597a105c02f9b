// Builds the XNNPACK subgraph of a partition: which value of the graph is which XNNPACK value, and in which layout.
//
// XNNPACK's spatial operators want channels last, PyTorch's logical order has them second. A value of rank 3 or 4 can
// exist in the plain order, channels last ([N,L,C], [N,H,W,C]), or both: the other one is made where it is first asked
// for and then kept, so a value is transposed at most once. Operators that do not care run on channels last where an
// operand already is, which carries the order through chains of element-wise operators. Inputs and outputs of the
// delegate are always plain.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/xnnpack/static_data.h"
#include "backends/xnnpack/subgraph.h"
#include "ir/graph.h"

namespace exportdeck::backends::xnnpack {

enum class Layout : uint8_t { Plain, ChannelsLast };

// Dimension i of a channels-last value of that rank is dimension order[i] of the plain one. Rank 3 or 4.
ir::Sizes channelsLastOrder(size_t rank);
ir::Sizes reordered(const ir::Sizes& sizes, const ir::Sizes& order);
bool isIdentity(const ir::Sizes& order);
// Where dimension `dim` of the plain value lies in a value of that layout.
int64_t placeOf(int64_t dim, size_t rank, Layout layout);
ir::Sizes inLayout(const ir::Sizes& sizes, Layout layout);

class Lowering {
 public:
  // `fuseActivations`: clamps that are the only reader of a computing node become its output range.
  Lowering(const ir::Graph& body, bool fuseActivations);

  // Emits all nodes and binds inputs and outputs.
  Subgraph run();

  // --- for the operators' emitters
  // The value in the given layout; made by a transpose where it only exists in the other. Constants come as static
  // values.
  ValueId value(const ir::Value* value, Layout layout);
  ValueId plain(const ir::Value* v) { return value(v, Layout::Plain); }
  ValueId channelsLast(const ir::Value* v) { return value(v, Layout::ChannelsLast); }
  // A form whose memory order is the plain one, whatever its dimensions: what a reshape reads.
  ValueId flat(const ir::Value* value);
  bool has(const ir::Value* value, Layout layout) const;
  // ChannelsLast where an operand already is and all computed operands have the same rank 3 or 4, else Plain.
  Layout commonLayout(const std::vector<ir::Value*>& operands) const;
  // A constant operand of an element-wise operator, broadcast against results of `rank` dimensions.
  ValueId broadcastConstant(const ir::Value* value, size_t rank, Layout layout, ir::DType dtype);

  // A weight or bias that XNNPACK packs when the program is loaded: named data.
  ValueId addPacked(const ir::Constant& constant, const StaticForm& form);
  // A constant that is read at each run: a further input. As named data it would be freed after loading where the
  // runtime's weight cache is on (executorch 1.5.1, XNNWeightsCache::finalize_for_runtime).
  ValueId addOperand(const ir::ConstantPtr& constant, const StaticForm& form);
  // A number that broadcasts against anything.
  ValueId addNumber(double number, ir::DType dtype);
  ValueId addTemporary(ir::DType dtype, ir::Sizes dims);
  // The XNNPACK value for a result of the node being emitted, in that layout.
  ValueId result(const ir::Node& node, Layout layout, size_t output = 0);
  // Says that a result is the existing value `id`.
  void alias(const ir::Node& node, Layout layout, ValueId id);
  // The last node of an operator: its range takes the activation that was fused.
  void add(Node node);
  // A node before that.
  void addInner(Node node) { subgraph_.nodes.push_back(std::move(node)); }
  void addReshape(ValueId from, ValueId to);
  void addTranspose(ValueId from, ValueId to, ir::Sizes order);
  const TensorValue& tensor(ValueId id) const { return subgraph_.values[id]; }

 private:
  struct Forms {
    ValueId plain = kNoValue, channelsLast = kNoValue;
    ValueId& operator[](Layout layout) { return layout == Layout::Plain ? plain : channelsLast; }
    ValueId operator[](Layout layout) const { return layout == Layout::Plain ? plain : channelsLast; }
  };
  void bindInputs();
  void bindOutputs();
  void emitNode(const ir::Node& node);
  const ir::Node* fusableActivation(const ir::Node& node) const;
  ValueId addValue(TensorValue value);

  const ir::Graph& body_;
  bool fuseActivations_;
  Subgraph subgraph_;
  std::unordered_map<const ir::Value*, Forms> forms_;
  std::unordered_map<std::string, ValueId> constants_;  // by content or identity, and form
  std::map<double, ir::ConstantPtr> numbers_;
  std::unordered_map<const ir::Node*, bool> fused_;
  const ir::Node* activation_ = nullptr;  // fused into the node being emitted
};

}  // namespace exportdeck::backends::xnnpack
