// The part of Lowering that works on integers: which operators do, and what moves between integers and floats.
//
// An operator between dequantising and quantising operators computes on the integers themselves; what only moves them
// does so as well, and floats are made of them where something else reads them.
#include <algorithm>
#include <cstring>

#include "backends/xnnpack/integers.h"
#include "backends/xnnpack/lowering.h"
#include "backends/xnnpack/rules.h"
#include "base/text.h"
#include "passes/element.h"
#include "passes/quantised_weight.h"

namespace exportdeck::backends::xnnpack {

namespace {

template <typename T>
Bytes bytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::shared_ptr<const StaticData> scalesOf(Bytes bytes) {
  auto data = std::make_shared<StaticData>();
  data->key = concat("scale_", hashOf(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
  data->bytes = bytesInMemory(std::move(bytes));
  return data;
}

}  // namespace

const Lowering::Forms* Lowering::formsOf(const ir::Value* value) const {
  const auto twin = twins_.find(value);
  const auto floats = forms_.find(value);
  const bool hasFloats = floats != forms_.end() && !floats->second.empty();
  if (twin != twins_.end() && (integers_ || !hasFloats)) return &twin->second->forms;
  return hasFloats ? &floats->second : nullptr;
}

Lowering::Forms& Lowering::madeForms(const ir::Value* value) {
  const auto twin = twins_.find(value);
  if (twin != twins_.end() && (integers_ || value->type().dtype == ir::DType::Int8)) return twin->second->forms;
  Forms& forms = forms_[value];
  if (forms.empty() && twin != twins_.end()) {
    const Form from = twin->second->forms.front();
    const ValueId id = addTemporary(value->type().dtype, tensor(from.id).dims);
    addInner({.kind = NodeKind::Convert, .inputs = {from.id}, .output = id, .params = {}, .flags = 0, .range = {}});
    forms.push_back({from.order, id});
  }
  check(!forms.empty(), "a value is read before it is made");
  return forms;
}

const TensorScale& Lowering::scaleOf(const ir::Value* value) const {
  return twins_.at(value)->scale;
}

// The quantising operator that alone reads the result of the node, or of the activation that is part of it.
const ir::Node* Lowering::quantiserBehind(const ir::Node& node) const {
  const ir::Value* out = activation_ ? activation_->output() : node.output();
  if (out->users().size() != 1 || body_.isOutput(out)) return nullptr;
  const ir::Node* user = out->users().front();
  return user->is("quantized_decomposed.quantize_per_tensor.default") ? user : nullptr;
}

void Lowering::chooseIntegers(const ir::Node& node, const Rule& rule) {
  if (!rule.takesIntegers && !rule.movesIntegers) return;
  std::vector<TensorScale> operands;
  for (const ir::Value* operand : node.operands()) {
    if (operand->isConstant()) continue;
    const auto twin = twins_.find(operand);
    if (twin == twins_.end()) return;
    operands.push_back(twin->second->scale);
  }
  if (operands.empty()) return;
  if (rule.takesIntegers) {
    const ir::Node* quantiser = quantiserBehind(node);
    if (!quantiser || !rule.takesIntegers(node, operands, meaningOf(*quantiser))) return;
    integers_ = meaningOf(*quantiser);
    integerResult_ = quantiser->output();
    fused_[quantiser] = true;
  } else {
    const auto isSame = [&](const TensorScale& scale) { return scale == operands.front(); };
    if (!std::all_of(operands.begin(), operands.end(), isSame) || !rule.movesIntegers(node, operands.front())) return;
    integers_ = operands.front();
    integerResult_ = node.output();
  }
  twins_[integerResult_] = std::make_shared<Twin>(Twin{*integers_, {}});
}

void Lowering::emitDequantise(const ir::Node& node) {
  twins_[node.output()] = twins_.at(node.value(0));
}

// Integers that already mean the same stay as they are.
void Lowering::emitQuantise(const ir::Node& node) {
  const TensorScale scale = meaningOf(node);
  if (const auto twin = twins_.find(node.value(0)); twin != twins_.end() && twin->second->scale == scale) {
    twins_[node.output()] = twin->second;
    return;
  }
  const Order order = commonOrder(node);
  const ValueId from = value(node.value(0), order);
  integers_ = scale;
  integerResult_ = node.output();
  twins_[integerResult_] = std::make_shared<Twin>(Twin{scale, {}});
  const ValueId to = result(node, order);
  add({.kind = NodeKind::Convert, .inputs = {from}, .output = to, .params = {}, .flags = 0, .range = {}});
}

ValueId Lowering::addResultStep(NodeKind kind, ValueId input, ir::Shape dims, uint32_t flags) {
  const ValueId id = addStep(kind, {input}, std::move(dims), flags);
  if (integers_) subgraph_.values[id].quantisation = *integers_;
  return id;
}

ValueId Lowering::dynamic(const ir::Value* value, const Order& order, uint32_t dims) {
  const ValueId from = this->value(value, order);
  const auto [known, isNew] = dynamic_.try_emplace({from, dims}, kNoValue);
  if (isNew) {
    TensorValue made;
    made.dtype = ir::DType::Int8;
    made.quantisation = DynamicScale{dims};
    made.dims = tensor(from).dims;
    known->second = addValue(std::move(made));
    addInner(
        {.kind = NodeKind::Convert, .inputs = {from}, .output = known->second, .params = {}, .flags = 0, .range = {}});
  }
  return known->second;
}

std::shared_ptr<const StaticData> Lowering::addScales(const std::vector<float>& scales) {
  return scalesOf(bytesOf(scales));
}

ValueId Lowering::addPackedPairs(const ir::Constant& weight) {
  const ir::Integers& integers = *weight.integers;
  std::shared_ptr<const StaticData> scales;
  if (integers.group > 0) {
    std::vector<uint16_t> upperHalves;
    for (const float scale : integers.scales) upperHalves.push_back(passes::BFloat16(scale).bits);
    scales = scalesOf(bytesOf(upperHalves));
  } else {
    scales = addScales(integers.scales);
  }
  auto data = std::make_shared<StaticData>();
  data->bytes = passes::packedPairs(integers.data, passes::FirstOfPair::LowBits);
  data->key = hashOf(concat(data->bytes->identity(), "_fc4_", join(weight.type.sizes(), "x")));
  const auto [place, isNew] = constants_.try_emplace(concat(data->key, scales->key), kNoValue);
  if (isNew) {
    const auto count = static_cast<uint32_t>(integers.scales.size());
    TensorValue value;
    value.dtype = ir::DType::Int8;
    value.dims = weight.type.shape;
    value.data = std::move(data);
    if (integers.group > 0) {
      value.quantisation = GroupScales{static_cast<uint32_t>(integers.group), count, scales};
    } else {
      value.quantisation = ChannelScales{0, count, scales, 4};
    }
    place->second = addValue(std::move(value));
  }
  return place->second;
}

ValueId Lowering::addPackedIntegers(const ir::Constant& weight, StaticForm form, uint32_t axis) {
  form.dtype = ir::DType::Int8;
  form.role += "_integers";
  const ir::Constant integers{weight.name, ir::TensorType(ir::DType::Int8, weight.type.shape), weight.integers->data};
  const auto channels = static_cast<size_t>(form.dims.at(axis));
  const std::shared_ptr<const StaticData> scales = addScales(channelScales(weight, channels));
  std::shared_ptr<const StaticData> data = makeStaticData(integers, form);
  const auto [place, isNew] = constants_.try_emplace(concat(data->key, scales->key), kNoValue);
  if (isNew) {
    TensorValue value;
    value.dtype = ir::DType::Int8;
    value.dims = form.dims;
    value.data = std::move(data);
    value.quantisation = ChannelScales{axis, static_cast<uint32_t>(channels), scales};
    place->second = addValue(std::move(value));
  }
  return place->second;
}

ValueId Lowering::addPackedBias(const ir::Constant& bias, const ir::Constant& weight, float scale) {
  const std::vector<int32_t> integers = biasIntegers(bias, weight, scale).value();
  const Bytes bytes = bytesOf(integers);
  auto data = std::make_shared<StaticData>();
  data->key = hashOf(concat("bias_i32_", std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
  data->bytes = bytesInMemory(bytes);
  const auto [place, isNew] = constants_.try_emplace(data->key, kNoValue);
  if (isNew) {
    std::vector<float> scales = channelScales(weight, integers.size());
    for (float& factor : scales) factor *= scale;
    TensorValue value;
    value.dtype = ir::DType::Int32;
    value.dims = {bias.type.elements()};
    value.data = std::move(data);
    value.quantisation = ChannelScales{0, static_cast<uint32_t>(integers.size()), addScales(scales)};
    place->second = addValue(std::move(value));
  }
  return place->second;
}

}  // namespace exportdeck::backends::xnnpack
