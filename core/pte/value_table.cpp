#include "pte/value_table.h"

#include <cstring>
#include <numeric>

#include "ir/memory_order.h"
#include "pte/tensor_bounds.h"

namespace exportdeck::pte {

namespace fb = executorch_flatbuffer;

ValueTable::ValueTable(flatbuffers::FlatBufferBuilder& builder, const Storage& storage, const Segments& segments,
                       const MemoryPlan& plan)
    : builder_(builder), storage_(storage), segments_(segments) {
  for (const PlannedBuffer& buffer : plan.buffers) places_.emplace(buffer.value, Place{buffer.memory, buffer.offset});
}

template <typename Table>
int ValueTable::append(fb::KernelTypes type, flatbuffers::Offset<Table> table) {
  entries_.push_back(fb::CreateEValue(builder_, type, table.Union()));
  return static_cast<int>(entries_.size()) - 1;
}

// `key` is compared by its bytes; `make` appends the entry where there is none yet.
template <typename Key, typename Make>
int ValueTable::shared(const Key& key, const Make& make) {
  const auto known = shared_.find(key);
  if (known != shared_.end()) return known->second;
  const int entry = make();
  shared_.emplace(key, entry);
  return entry;
}

namespace {

template <typename T>
std::string keyOf(char kind, const T* items, size_t count) {
  std::string key(1, kind);
  key.append(reinterpret_cast<const char*>(items), count * sizeof(T));
  return key;
}

}  // namespace

int ValueTable::null() {
  return shared(std::string("n"), [&] { return append(fb::KernelTypes_Null, fb::CreateNull(builder_)); });
}

int ValueTable::integer(int64_t number) {
  return shared(keyOf('i', &number, 1), [&] { return append(fb::KernelTypes_Int, fb::CreateInt(builder_, number)); });
}

int ValueTable::boolean(bool value) {
  return shared(keyOf('b', &value, 1), [&] { return append(fb::KernelTypes_Bool, fb::CreateBool(builder_, value)); });
}

// By its bits: 0.0 and -0.0 differ, and a NaN equals itself.
int ValueTable::number(double number) {
  return shared(keyOf('d', &number, 1),
                [&] { return append(fb::KernelTypes_Double, fb::CreateDouble(builder_, number)); });
}

int ValueTable::text(const std::string& text) {
  return shared(keyOf('s', text.data(), text.size()), [&] {
    const auto string = builder_.CreateString(text);
    return append(fb::KernelTypes_String, fb::CreateString(builder_, string));
  });
}

int ValueTable::intList(const std::vector<int64_t>& entries) {
  return shared(keyOf('I', entries.data(), entries.size()), [&] {
    const auto items = builder_.CreateVector(entries);
    return append(fb::KernelTypes_IntList, fb::CreateIntList(builder_, items));
  });
}

int ValueTable::doubleList(const std::vector<double>& items) {
  return shared(keyOf('D', items.data(), items.size()), [&] {
    const auto vector = builder_.CreateVector(items);
    return append(fb::KernelTypes_DoubleList, fb::CreateDoubleList(builder_, vector));
  });
}

int ValueTable::boolList(const std::vector<bool>& items) {
  const std::vector<uint8_t> bytes(items.begin(), items.end());
  return shared(keyOf('B', bytes.data(), bytes.size()), [&] {
    const auto vector = builder_.CreateVector(bytes);
    return append(fb::KernelTypes_BoolList, fb::CreateBoolList(builder_, vector));
  });
}

int ValueTable::tensorList(const std::vector<int>& entries) {
  return shared(keyOf('T', entries.data(), entries.size()), [&] {
    const auto items = builder_.CreateVector(entries);
    return append(fb::KernelTypes_TensorList, fb::CreateTensorList(builder_, items));
  });
}

int ValueTable::optionalTensorList(const std::vector<int>& entries) {
  return shared(keyOf('O', entries.data(), entries.size()), [&] {
    const auto items = builder_.CreateVector(entries);
    return append(fb::KernelTypes_OptionalTensorList, fb::CreateOptionalTensorList(builder_, items));
  });
}

int ValueTable::of(const ir::Value* value) {
  if (const auto known = ofValue_.find(value); known != ofValue_.end()) return known->second;
  int entry = 0;
  // A scalar is overwritten by the instruction that computes it, so it shares its entry with nothing.
  switch (value->kind()) {
    case ir::ValueKind::Tensor:
      entry = makeTensor(value);
      break;
    case ir::ValueKind::Int:
      entry = append(fb::KernelTypes_Int, fb::CreateInt(builder_, 0));
      break;
    case ir::ValueKind::Float:
      entry = append(fb::KernelTypes_Double, fb::CreateDouble(builder_, 0));
      break;
    case ir::ValueKind::Bool:
      entry = append(fb::KernelTypes_Bool, fb::CreateBool(builder_, false));
      break;
    case ir::ValueKind::None:
      entry = null();
      break;
  }
  ofValue_.emplace(value, entry);
  return entry;
}

int ValueTable::fresh(const ir::Argument& constant) {
  if (const auto* boolean = std::get_if<bool>(&constant))
    return append(fb::KernelTypes_Bool, fb::CreateBool(builder_, *boolean));
  if (const auto* integer = std::get_if<int64_t>(&constant))
    return append(fb::KernelTypes_Int, fb::CreateInt(builder_, *integer));
  if (const auto* number = std::get_if<double>(&constant))
    return append(fb::KernelTypes_Double, fb::CreateDouble(builder_, *number));
  if (const auto* text = std::get_if<std::string>(&constant)) {
    const auto string = builder_.CreateString(*text);
    return append(fb::KernelTypes_String, fb::CreateString(builder_, string));
  }
  check(std::holds_alternative<ir::None>(constant), "a fixed input is a number, a bool, a text or None");
  return append(fb::KernelTypes_Null, fb::CreateNull(builder_));
}

int ValueTable::makeTensor(const ir::Value* value) {
  const ir::TensorType& type = value->type();
  const int8_t scalar = scalarType(type.dtype, value);
  boundedBytes(*value);  // refuses what the runtime could not address
  const ir::Sizes bounds = boundedSizes(*value);
  const auto sizes = sizesOf(std::vector<int32_t>(bounds.begin(), bounds.end()));
  // Behind partitioning only those that are to be handed over so have such strides.
  const bool settled = value->isInput() || (value->producer() && value->producer()->is(ir::kDelegateOp));
  const auto dimOrder = settled && ir::isChannelsLast(type) ? builder_.CreateVector(std::vector<uint8_t>{0, 2, 3, 1})
                                                            : plainOrder(bounds.size());

  const ir::Value* base = storage_.base(value);
  uint32_t constant = 0;
  flatbuffers::Offset<fb::AllocationDetails> allocation;
  flatbuffers::Offset<fb::ExtraTensorInfo> extra;
  if (value->isState()) {
    constant = segments_.initialIndex(*value->initial());
    extra = fb::CreateExtraTensorInfo(builder_, /*mutable_data_segments_idx=*/0,
                                      builder_.CreateString(value->initial()->name), fb::TensorDataLocation_SEGMENT);
  }
  if (const std::string* key = segments_.externalKey(value)) {
    extra = fb::CreateExtraTensorInfo(builder_, 0, builder_.CreateString(*key), fb::TensorDataLocation_EXTERNAL);
  } else if (base->isConstant()) {
    constant = segments_.constantIndex(*base->constant());
  } else if (const auto place = places_.find(base); place != places_.end()) {
    const auto [memory, offset] = place->second;
    allocation = fb::CreateAllocationDetails(builder_, memory, static_cast<uint32_t>(offset),
                                             static_cast<uint32_t>(offset >> 32));
  }
  const auto dynamism = type.isStatic() ? fb::TensorShapeDynamism_STATIC : fb::TensorShapeDynamism_DYNAMIC_BOUND;
  return append(fb::KernelTypes_Tensor,
                fb::CreateTensor(builder_, static_cast<fb::ScalarType>(scalar), /*storage_offset=*/0, sizes, dimOrder,
                                 /*requires_grad=*/false, constant, allocation, /*layout=*/0, dynamism, extra));
}

flatbuffers::Offset<flatbuffers::Vector<int32_t>> ValueTable::sizesOf(const std::vector<int32_t>& sizes) {
  const auto [known, isNew] = sizes_.try_emplace(sizes);
  if (isNew) known->second = builder_.CreateVector(sizes);
  return known->second;
}

flatbuffers::Offset<flatbuffers::Vector<uint8_t>> ValueTable::plainOrder(size_t rank) {
  const auto [known, isNew] = dimOrders_.try_emplace(rank);
  if (isNew) {
    std::vector<uint8_t> order(rank);
    std::iota(order.begin(), order.end(), uint8_t{0});
    known->second = builder_.CreateVector(order);
  }
  return known->second;
}

int ValueTable::emptyTensor() {
  return shared(std::string("e"), [&] {
    const auto sizes = sizesOf({0});
    const auto dimOrder = plainOrder(1);
    return append(fb::KernelTypes_Tensor, fb::CreateTensor(builder_, fb::ScalarType_BYTE, 0, sizes, dimOrder));
  });
}

flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<fb::EValue>>> ValueTable::finish() {
  return builder_.CreateVector(entries_);
}

}  // namespace exportdeck::pte
