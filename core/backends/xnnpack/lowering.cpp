#include "backends/xnnpack/lowering.h"

#include <cstring>
#include <numeric>

#include "backends/xnnpack/activation.h"
#include "backends/xnnpack/convert.h"
#include "backends/xnnpack/rules.h"
#include "base/text.h"

namespace exportdeck::backends::xnnpack {

ir::Sizes channelsLastOrder(size_t rank) {
  check(rank == 3 || rank == 4, "channels last is for values of rank 3 or 4");
  return rank == 3 ? ir::Sizes{0, 2, 1} : ir::Sizes{0, 2, 3, 1};
}

ir::Sizes reordered(const ir::Sizes& sizes, const ir::Sizes& order) {
  ir::Sizes out;
  for (const int64_t dim : order) out.push_back(sizes[static_cast<size_t>(dim)]);
  return out;
}

bool isIdentity(const ir::Sizes& order) {
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

int64_t placeOf(int64_t dim, size_t rank, Layout layout) {
  if (layout == Layout::Plain || dim == 0) return dim;
  return dim == 1 ? static_cast<int64_t>(rank) - 1 : dim - 1;
}

ir::Sizes inLayout(const ir::Sizes& sizes, Layout layout) {
  return layout == Layout::Plain ? sizes : reordered(sizes, channelsLastOrder(sizes.size()));
}

namespace {

// The order that turns a value of layout `to` back: inverse of channelsLastOrder.
ir::Sizes plainOrder(size_t rank) {
  return rank == 3 ? ir::Sizes{0, 2, 1} : ir::Sizes{0, 3, 1, 2};
}

// Both layouts hold the same sequence of elements.
bool sameSequence(const ir::Sizes& plainSizes) {
  if (plainSizes[1] == 1) return true;
  for (size_t i = 2; i < plainSizes.size(); ++i) {
    if (plainSizes[i] != 1) return false;
  }
  return true;
}

}  // namespace

Lowering::Lowering(const ir::Graph& body, bool fuseActivations) : body_(body), fuseActivations_(fuseActivations) {}

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
    value.dims = input.value->type().sizes();
    value.externalId = index++;
    value.isInput = true;
    forms_[input.value].plain = addValue(std::move(value));
  }
}

void Lowering::bindOutputs() {
  auto index = static_cast<uint32_t>(body_.inputs().size() + subgraph_.operands.size());
  for (const ir::Argument& output : body_.outputs()) {
    ValueId id = plain(std::get<ir::Value*>(output));
    // The runtime takes neither an input as an output nor one value as two outputs.
    if (tensor(id).externalId != kNoValue) {
      const ValueId copy = addTemporary(tensor(id).dtype, tensor(id).dims);
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
  rule->lower(*this, node);
  activation_ = nullptr;
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

ValueId Lowering::addTemporary(ir::DType dtype, ir::Sizes dims) {
  TensorValue value;
  value.dtype = dtype;
  value.dims = std::move(dims);
  return addValue(std::move(value));
}

bool Lowering::has(const ir::Value* value, Layout layout) const {
  const auto found = forms_.find(value);
  return found != forms_.end() && found->second[layout] != kNoValue;
}

ValueId Lowering::value(const ir::Value* value, Layout layout) {
  const ir::TensorType& type = value->type();
  if (value->isConstant()) return broadcastConstant(value, type.rank(), layout, type.dtype);
  const auto found = forms_.find(value);
  check(found != forms_.end(), "a value is read before it is made");
  if (found->second[layout] != kNoValue) return found->second[layout];

  const Layout other = layout == Layout::Plain ? Layout::ChannelsLast : Layout::Plain;
  const ValueId from = found->second[other];
  const ValueId to = addTemporary(type.dtype, inLayout(type.sizes(), layout));
  if (sameSequence(type.sizes())) {
    addReshape(from, to);
  } else {
    addTranspose(from, to, layout == Layout::Plain ? plainOrder(type.rank()) : channelsLastOrder(type.rank()));
  }
  forms_[value][layout] = to;
  return to;
}

ValueId Lowering::flat(const ir::Value* value) {
  if (!has(value, Layout::Plain) && has(value, Layout::ChannelsLast) && sameSequence(value->type().sizes())) {
    return channelsLast(value);
  }
  return plain(value);
}

Layout Lowering::commonLayout(const std::vector<ir::Value*>& operands) const {
  bool anyLast = false;
  std::optional<size_t> rank;
  for (const ir::Value* operand : operands) {
    if (operand->isConstant()) continue;
    const size_t own = operand->type().rank();
    if (rank.value_or(own) != own) return Layout::Plain;
    rank = own;
    anyLast = anyLast || has(operand, Layout::ChannelsLast);
  }
  return anyLast ? Layout::ChannelsLast : Layout::Plain;
}

ValueId Lowering::broadcastConstant(const ir::Value* value, size_t rank, Layout layout, ir::DType dtype) {
  const ir::ConstantPtr& constant = value->constant();
  ir::Sizes sizes = constant->type.sizes();
  if (layout == Layout::Plain || constant->type.elements() == 1) {
    if (constant->type.elements() == 1 && sizes.size() < rank) sizes.clear();
    return addOperand(constant, StaticForm::plain(sizes, dtype, "value"));
  }
  sizes.insert(sizes.begin(), rank - sizes.size(), 1);
  const ir::Sizes order = channelsLastOrder(rank);
  return addOperand(constant, {sizes, order, dtype, reordered(sizes, order), "value"});
}

ValueId Lowering::addPacked(const ir::Constant& constant, const StaticForm& form) {
  std::shared_ptr<const StaticData> data = makeStaticData(constant, form);
  const auto [place, isNew] = constants_.try_emplace(data->key, kNoValue);
  if (isNew) {
    TensorValue value;
    value.dtype = form.dtype;
    value.dims = form.dims;
    value.data = std::move(data);
    place->second = addValue(std::move(value));
  }
  return place->second;
}

ValueId Lowering::addOperand(const ir::ConstantPtr& constant, const StaticForm& form) {
  const std::string key = concat("@", reinterpret_cast<uintptr_t>(constant->data.get()), "_", describe(form));
  const auto [place, isNew] = constants_.try_emplace(key, kNoValue);
  if (isNew) {
    TensorValue value;
    value.dtype = form.dtype;
    value.dims = form.dims;
    value.externalId = static_cast<uint32_t>(body_.inputs().size() + subgraph_.operands.size());
    value.isInput = true;
    place->second = addValue(std::move(value));
    ir::TensorType type(form.dtype, form.dims);
    std::shared_ptr<const ByteSource> bytes = bytesInForm(*constant, form);
    // Reordering may keep the type: where all dimensions are of one size.
    const bool asItIs = type == constant->type && bytes == constant->data;
    subgraph_.operands.push_back(asItIs ? constant
                                        : std::make_shared<ir::Constant>(ir::Constant{
                                              concat(constant->name, ".", describe(form)), type, std::move(bytes)}));
  }
  return place->second;
}

ValueId Lowering::addNumber(double number, ir::DType dtype) {
  ir::ConstantPtr& constant = numbers_[number];
  if (!constant) {
    const auto single = static_cast<float>(number);
    Bytes bytes(sizeof single);
    std::memcpy(bytes.data(), &single, sizeof single);
    constant = std::make_shared<ir::Constant>(ir::Constant{
        concat("number_", number), ir::TensorType(ir::DType::Float32, {}), bytesInMemory(std::move(bytes))});
  }
  return addOperand(constant, StaticForm::plain({}, dtype, "value"));
}

ValueId Lowering::result(const ir::Node& node, Layout layout, size_t output) {
  const ir::Value* value = activation_ ? activation_->output() : node.output(output);
  const ValueId id = addTemporary(value->type().dtype, inLayout(value->type().sizes(), layout));
  forms_[value][layout] = id;
  return id;
}

void Lowering::alias(const ir::Node& node, Layout layout, ValueId id) {
  forms_[node.output()][layout] = id;
}

void Lowering::add(Node node) {
  if (activation_) node.range = *activationRange(*activation_);
  subgraph_.nodes.push_back(std::move(node));
}

void Lowering::addReshape(ValueId from, ValueId to) {
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
