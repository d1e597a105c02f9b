#include "backends/xnnpack/lowering.h"

#include <algorithm>
#include <limits>

#include "backends/xnnpack/activation.h"
#include "backends/xnnpack/convert.h"
#include "backends/xnnpack/integers.h"
#include "backends/xnnpack/rules.h"
#include "base/text.h"

namespace exportdeck::backends::xnnpack {

namespace {

// Costs in elements moved. A transpose that leaves the innermost dimension in place copies whole rows.
constexpr double kNode = 64, kReshape = 0.25, kRows = 1, kStrided = 2;

double costOfMove(const ir::TensorType& type, const Order& from, const Order& to) {
  if (from == to) return 0;
  const auto elements = static_cast<double>(type.count().upper().value_or(1));
  if (sameSequence(type.shape, from, to)) return kReshape * elements;
  return kNode + (from.back() == to.back() ? kRows : kStrided) * elements;
}

double costOfWish(const ir::TensorType& type, const Order& from, const Wish& wish) {
  double least = std::numeric_limits<double>::infinity();
  for (const Order& order : wish) least = std::min(least, costOfMove(type, from, order));
  return least;
}

// How many are known only at run time.
int64_t openSizes(const ir::Shape& sizes) {
  return std::count_if(sizes.begin(), sizes.end(), [](const ir::SymInt& size) { return !size.isStatic(); });
}

}  // namespace

Lowering::Lowering(const ir::Graph& body, bool fuseActivations)
    : body_(body), fuseActivations_(fuseActivations), demands_(body) {}

Subgraph Lowering::run() {
  bindInputs();
  for (const auto& node : body_.nodes()) {
    if (!fused_.contains(node.get())) emitNode(*node);
  }
  bindOutputs();
  removeUnused(subgraph_);
  return std::move(subgraph_);
}

void Lowering::bindInputs() {
  uint32_t index = 0;
  for (const ir::GraphInput& input : body_.inputs()) {
    TensorValue value;
    value.dtype = input.value->type().dtype;
    const Order order = orderOutside(input.value->type());
    value.dims = reordered(input.value->type().shape, order);
    value.externalId = index++;
    value.isInput = true;
    if (value.dtype == ir::DType::Int8) {
      // Read by operators that agree on what it means.
      auto twin = std::make_shared<Twin>();
      twin->scale = meaningOf(*input.value->users().front());
      value.quantisation = twin->scale;
      twin->forms.push_back({order, addValue(std::move(value))});
      twins_[input.value] = std::move(twin);
      continue;
    }
    forms_[input.value].push_back({order, addValue(std::move(value))});
  }
}

void Lowering::bindOutputs() {
  auto index = static_cast<uint32_t>(body_.inputs().size() + subgraph_.operands.size());
  for (const ir::Argument& output : body_.outputs()) {
    const auto* result = std::get<ir::Value*>(output);
    ValueId id = value(result, orderOutside(result->type()));
    // The runtime takes neither an input as an output nor one value as two outputs.
    if (tensor(id).externalId != kNoValue) {
      const ValueId copy = addTemporaryLike(id, tensor(id).dims);
      add({.kind = NodeKind::Copy, .inputs = {id}, .output = copy, .params = {}, .flags = 0, .range = {}});
      id = copy;
    }
    subgraph_.values[id].externalId = index++;
    subgraph_.values[id].isOutput = true;
  }
}

void Lowering::emitNode(const ir::Node& node) {
  const Rule* rule = findRule(node.op());
  check(rule != nullptr, concat("no XNNPACK rule for ", node.op()));
  activation_ = rule->fusesActivation ? fusableActivation(node) : nullptr;
  if (activation_) fused_[activation_] = true;
  chooseIntegers(node, *rule);
  rule->lower(*this, node);
  activation_ = nullptr;
  integers_.reset();
}

const ir::Node* Lowering::fusableActivation(const ir::Node& node) const {
  const ir::Value* out = node.output();
  if (!fuseActivations_ || out->users().size() != 1 || body_.isOutput(out)) return nullptr;
  const ir::Node* user = out->users().front();
  return activationRange(*user) && user->value(0) == out ? user : nullptr;
}

ValueId Lowering::addValue(TensorValue value) {
  subgraph_.values.push_back(std::move(value));
  return static_cast<ValueId>(subgraph_.values.size() - 1);
}

ValueId Lowering::addTemporary(ir::DType dtype, ir::Shape dims) {
  TensorValue value;
  value.dtype = dtype;
  value.dims = std::move(dims);
  return addValue(std::move(value));
}

ValueId Lowering::addTemporaryLike(ValueId other, ir::Shape dims) {
  TensorValue value;
  value.dtype = tensor(other).dtype;
  value.quantisation = tensor(other).quantisation;
  value.dims = std::move(dims);
  return addValue(std::move(value));
}

std::vector<Order> Lowering::orders(const ir::Value* value) const {
  std::vector<Order> out;
  if (const Forms* forms = formsOf(value)) {
    for (const Form& form : *forms) out.push_back(form.order);
  }
  return out;
}

Order Lowering::nearest(const ir::Value* value, const Wish& wish) const {
  return *std::min_element(wish.begin(), wish.end(),
                           [&](const Order& a, const Order& b) { return costBefore(value, a) < costBefore(value, b); });
}

ValueId Lowering::value(const ir::Value* value, const Order& order) {
  const ir::TensorType& type = value->type();
  if (value->isConstant()) return broadcastConstant(value, order, type.dtype);
  Forms& forms = madeForms(value);
  const auto cheapest = std::min_element(forms.begin(), forms.end(), [&](const Form& a, const Form& b) {
    return costOfMove(type, a.order, order) < costOfMove(type, b.order, order);
  });
  const Form from = *cheapest;
  if (from.order == order) return from.id;
  const ValueId to = addTemporaryLike(from.id, reordered(type.shape, order));
  if (sameSequence(type.shape, from.order, order) && openSizes(type.shape) <= 1) {
    addReshape(from.id, to);
  } else {
    addTranspose(from.id, to, transposeBetween(from.order, order));
  }
  forms.push_back({order, to});
  return to;
}

ValueId Lowering::memory(const ir::Value* value, const Order& order) {
  if (!value->isConstant()) {
    for (const Form& form : madeForms(value)) {
      if (sameSequence(value->type().shape, form.order, order)) return form.id;
    }
  }
  return this->value(value, order);
}

double Lowering::costBefore(const ir::Value* value, const Order& order) const {
  if (value->isConstant()) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (const Form& form : *formsOf(value)) least = std::min(least, costOfMove(value->type(), form.order, order));
  return least;
}

const std::vector<Wish>& Lowering::wishes(const ir::Node& node) const {
  return demands_.of(activation_ ? activation_->output() : node.output());
}

double Lowering::costBehind(const ir::Node& node, const Order& order) const {
  double cost = 0;
  for (const Wish& wish : wishes(node)) cost += costOfWish(node.output()->type(), order, wish);
  return cost;
}

Order Lowering::commonOrder(const ir::Node& node) const {
  const size_t rank = node.output()->type().rank();
  std::vector<const ir::Value*> operands;
  for (const ir::Value* operand : node.operands()) {
    if (operand->isConstant()) continue;
    // A shorter operand broadcasts by plain positions.
    if (operand->type().rank() != rank) return plainOrder(rank);
    operands.push_back(operand);
  }
  std::vector<Order> candidates;
  for (const ir::Value* operand : operands) {
    for (Order& order : orders(operand)) candidates.push_back(std::move(order));
  }
  for (const Wish& wish : wishes(node)) candidates.insert(candidates.end(), wish.begin(), wish.end());
  Order best = plainOrder(rank);
  double least = std::numeric_limits<double>::infinity();
  for (const Order& order : candidates) {
    double cost = costBehind(node, order);
    for (const ir::Value* operand : operands) cost += costBefore(operand, order);
    if (cost >= least) continue;
    least = cost;
    best = order;
  }
  return best;
}

Passage Lowering::cheapest(const ir::Node& node, const ir::Value* operand,
                           const std::vector<Passage>& candidates) const {
  const Passage* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Passage& passage : candidates) {
    const double cost = costBefore(operand, passage.from) + costBehind(node, passage.to);
    if (best != nullptr && cost >= least) continue;
    least = cost;
    best = &passage;
  }
  check(best != nullptr, "no order to run in");
  return *best;
}

ValueId Lowering::result(const ir::Node& node, const Order& order) {
  const ir::Value* value = activation_ ? activation_->output() : node.output();
  TensorValue made;
  made.dtype = value->type().dtype;
  made.dims = reordered(value->type().shape, order);
  if (integers_) {
    made.dtype = ir::DType::Int8;
    made.quantisation = *integers_;
  }
  const ValueId id = addValue(std::move(made));
  (integers_ ? twins_.at(integerResult_)->forms : forms_[value]).push_back({order, id});
  return id;
}

void Lowering::alias(const ir::Node& node, const Order& order, ValueId id) {
  (integers_ ? twins_.at(integerResult_)->forms : forms_[node.output()]).push_back({order, id});
}

void Lowering::add(Node node) {
  if (activation_) node.range = *activationRange(*activation_);
  subgraph_.nodes.push_back(std::move(node));
}

ValueId Lowering::addStep(Node node, ir::Shape dims) {
  const ValueId id = addTemporaryLike(node.inputs.front(), std::move(dims));
  node.output = id;
  addInner(std::move(node));
  return id;
}

ValueId Lowering::addStep(NodeKind kind, std::vector<ValueId> inputs, ir::Shape dims, uint32_t flags) {
  Node node;
  node.kind = kind;
  node.inputs = std::move(inputs);
  node.flags = flags;
  return addStep(std::move(node), std::move(dims));
}

ValueId Lowering::viewed(ValueId id, const ir::Shape& dims) {
  if (tensor(id).dims == dims) return id;
  const ValueId to = addTemporaryLike(id, dims);
  addReshape(id, to);
  return to;
}

void Lowering::addReshape(ValueId from, ValueId to) {
  if (openSizes(tensor(to).dims) > 1) {
    throw ExportError(Code::ShapeUnsupported,
                      concat("XNNPACK finds one size of a reshape by itself, and more of [", tensor(to).dims.text(),
                             "] are known only at run time"),
                      {});
  }
  subgraph_.nodes.push_back({.kind = NodeKind::StaticReshape,
                             .inputs = {from},
                             .output = to,
                             .params = SizesParam{tensor(to).dims},
                             .flags = 0,
                             .range = {}});
}

void Lowering::addTranspose(ValueId from, ValueId to, ir::Sizes order) {
  subgraph_.nodes.push_back({.kind = NodeKind::StaticTranspose,
                             .inputs = {from},
                             .output = to,
                             .params = SizesParam{std::move(order)},
                             .flags = 0,
                             .range = {}});
}

}  // namespace exportdeck::backends::xnnpack
