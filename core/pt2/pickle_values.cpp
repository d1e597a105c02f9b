#include "pt2/pickle_values.h"

#include <optional>
#include <stdexcept>

#include "base/text.h"
#include "pt2/printable.h"

namespace exportdeck::pt2 {

namespace {

constexpr size_t kRankLimit = 64;

template <typename Kind>
const Kind& get(const PickleSequence& arguments, size_t i) {
  const Kind* found = i < arguments.items.size() ? std::get_if<Kind>(&arguments.items[i]->data) : nullptr;
  if (found == nullptr) refusePickle("a pickled tensor has arguments of the wrong kind");
  return *found;
}

ir::Sizes sizesOf(const PickleSequence& tuple) {
  if (tuple.items.size() > kRankLimit) refusePickle(concat("a pickled tensor has ", tuple.items.size(), " dimensions"));
  ir::Sizes sizes;
  for (size_t i = 0; i < tuple.items.size(); ++i) sizes.push_back(get<int64_t>(tuple, i));
  return sizes;
}

ir::DType storageDType(const std::string& name) {
  static const std::unordered_map<std::string, ir::DType> kTypes = {
      {"torch.FloatStorage", ir::DType::Float32},
      {"torch.DoubleStorage", ir::DType::Float64},
      {"torch.HalfStorage", ir::DType::Float16},
      {"torch.BFloat16Storage", ir::DType::BFloat16},
      {"torch.LongStorage", ir::DType::Int64},
      {"torch.IntStorage", ir::DType::Int32},
      {"torch.ShortStorage", ir::DType::Int16},
      {"torch.CharStorage", ir::DType::Int8},
      {"torch.ByteStorage", ir::DType::UInt8},
      {"torch.BoolStorage", ir::DType::Bool},
      {"torch.ComplexFloatStorage", ir::DType::Complex64},
      {"torch.ComplexDoubleStorage", ir::DType::Complex128},
      {"torch.storage.UntypedStorage", ir::DType::UInt8}};
  const auto it = kTypes.find(name);
  if (it == kTypes.end()) forbidPickle(concat("the pickle holds a ", printable(name)));
  return it->second;
}

// The dtypes that have no storage class of their own: they are named beside an untyped storage.
ir::DType namedDType(const std::string& name) {
  static const std::unordered_map<std::string, ir::DType> kTypes = {
      {"torch.uint16", ir::DType::UInt16},
      {"torch.uint32", ir::DType::UInt32},
      {"torch.uint64", ir::DType::UInt64},
      {"torch.complex32", ir::DType::Complex32},
      {"torch.float8_e4m3fn", ir::DType::Float8E4M3FN},
      {"torch.float8_e5m2", ir::DType::Float8E5M2},
      {"torch.float8_e4m3fnuz", ir::DType::Float8E4M3FNUZ},
      {"torch.float8_e5m2fnuz", ir::DType::Float8E5M2FNUZ},
      {"torch.float8_e8m0fnu", ir::DType::Float8E8M0FNU}};
  const auto it = kTypes.find(name);
  if (it == kTypes.end()) forbidPickle(concat("the pickle holds a tensor of type ", printable(name)));
  return it->second;
}

// (storage, offset, sizes, strides, requires_grad, hooks[, dtype][, metadata]); the dtype where the storage has no
// type.
PickleTensor rebuiltTensor(const PickleSequence& arguments, bool hasDType) {
  const auto& storage = get<PickleStorage>(arguments, 0);
  PickleTensor tensor{storage, storage.dtype, get<int64_t>(arguments, 1), sizesOf(get<PickleSequence>(arguments, 2)),
                      sizesOf(get<PickleSequence>(arguments, 3))};
  if (hasDType) tensor.dtype = namedDType(get<PickleGlobal>(arguments, 6).name);
  const size_t metadata = hasDType ? 7 : 6;
  if (arguments.items.size() > metadata) {
    const auto& flags = arguments.items[metadata]->data;
    const auto* dict = std::get_if<PickleDict>(&flags);
    if (!std::holds_alternative<std::monostate>(flags) && (dict == nullptr || !dict->items.empty()))
      forbidPickle("the pickle holds a conjugated or negated view");
  }
  return tensor;
}

std::optional<PickleTensor> rebuilt(const std::string& function, const PickleSequence& arguments) {
  if (function == "torch._utils._rebuild_tensor_v2") return rebuiltTensor(arguments, false);
  if (function == "torch._utils._rebuild_tensor_v3") return rebuiltTensor(arguments, true);
  return std::nullopt;
}

bool isPlainTensorType(const PickleGlobal& type) {
  return type.name == "torch.Tensor" || type.name == "torch._tensor.Tensor" ||
         type.name == "torch.nn.parameter.Parameter";
}

}  // namespace

void refusePickle(const std::string& what) {
  throw std::runtime_error(what);
}

void forbidPickle(const std::string& what) {
  throw PickleForbidden(concat(what, ", which is not read"));
}

const PickleSequence& tupleOf(const PickleValue& value) {
  const auto* sequence = std::get_if<PickleSequence>(&value.data);
  if (sequence == nullptr || !sequence->isTuple) refusePickle("a tuple is missing in the pickle");
  return *sequence;
}

const std::string& nameAt(const PickleSequence& arguments, size_t i) {
  const auto& name = get<std::string>(arguments, i);
  if (name.size() > kPickleNameLimit) refusePickle(concat("the pickle holds a name of ", name.size(), " bytes"));
  return name;
}

PickleStorage storageOf(const PickleValue& identifier) {
  const auto& parts = tupleOf(identifier);
  if (get<std::string>(parts, 0) != "storage") refusePickle("the pickle refers to something that is no storage");
  return {storageDType(get<PickleGlobal>(parts, 1).name), nameAt(parts, 2), get<int64_t>(parts, 4)};
}

PickleValue calledValue(const std::string& function, const PickleSequence& arguments) {
  if (auto tensor = rebuilt(function, arguments)) return {*std::move(tensor)};
  if (function == "torch._utils._rebuild_parameter" || function == "torch._utils._rebuild_parameter_with_state") {
    PickleTensor parameter = get<PickleTensor>(arguments, 0);
    parameter.isParameter = true;
    return {std::move(parameter)};
  }
  // A tensor that has Python attributes: (function, type, arguments, attributes).
  if (function == "torch._tensor._rebuild_from_type_v2" && isPlainTensorType(get<PickleGlobal>(arguments, 1))) {
    if (auto tensor = rebuilt(get<PickleGlobal>(arguments, 0).name, get<PickleSequence>(arguments, 2)))
      return {*std::move(tensor)};
  }
  if (function == "collections.OrderedDict" && arguments.items.empty()) return {PickleDict{}};
  forbidPickle(concat("the pickle calls ", printable(function)));
}

}  // namespace exportdeck::pt2
