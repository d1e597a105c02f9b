// The part of Lowering that turns constants into named data and into further inputs.
#include <cstring>

#include "backends/xnnpack/lowering.h"
#include "base/text.h"

namespace exportdeck::backends::xnnpack {

ValueId Lowering::broadcastConstant(const ir::Value* value, const Order& order, ir::DType dtype) {
  const ir::ConstantPtr& constant = value->constant();
  ir::Sizes sizes = constant->type.sizes();
  if (isPlain(order) || constant->type.elements() == 1) {
    if (constant->type.elements() == 1 && sizes.size() < order.size()) sizes.clear();
    return addOperand(constant, StaticForm::plain(sizes, dtype, "value"));
  }
  sizes.insert(sizes.begin(), order.size() - sizes.size(), 1);
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

}  // namespace exportdeck::backends::xnnpack
