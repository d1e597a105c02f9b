// Opcodes: Python's Lib/pickletools.py. Only those that torch.save (protocols 2 to 5) needs for plain containers,
// numbers, texts and tensors are known; the rest is refused, as is every callable but the few that rebuild a tensor or
// an ordered dict.
#include "pt2/pickle.h"

#include <bit>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "base/text.h"
#include "pt2/printable.h"

namespace exportdeck::pt2 {

namespace {

// Opcodes by their names in pickletools.
enum Opcode : uint8_t {
  kProto = 0x80,
  kFrame = 0x95,
  kStop = '.',
  kMark = '(',
  kGlobal = 'c',
  kStackGlobal = 0x93,
  kReduce = 'R',
  kBuild = 'b',
  kBinPersId = 'Q',
  kNone = 'N',
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kBinInt = 'J',
  kBinInt1 = 'K',
  kBinInt2 = 'M',
  kLong1 = 0x8a,
  kBinFloat = 'G',
  kBinUnicode = 'X',
  kShortBinUnicode = 0x8c,
  kEmptyTuple = ')',
  kTuple = 't',
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kEmptyList = ']',
  kAppend = 'a',
  kAppends = 'e',
  kEmptyDict = '}',
  kSetItem = 's',
  kSetItems = 'u',
  kBinPut = 'q',
  kLongBinPut = 'r',
  kMemoize = 0x94,
  kBinGet = 'h',
  kLongBinGet = 'j',
};

constexpr size_t kValueLimit = 1'000'000;
// Values may be recalled any number of times, so what is copied from them must be short.
constexpr size_t kNameLimit = 256;
constexpr size_t kRankLimit = 64;

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error(what);
}

[[noreturn]] void forbid(const std::string& what) {
  throw PickleForbidden(concat(what, ", which is not read"));
}

const PickleSequence& tupleOf(const PickleValue& value) {
  const auto* sequence = std::get_if<PickleSequence>(&value.data);
  if (sequence == nullptr || !sequence->isTuple) refuse("a tuple is missing in the pickle");
  return *sequence;
}

template <typename Kind>
const Kind& get(const PickleSequence& arguments, size_t i) {
  const Kind* found = i < arguments.items.size() ? std::get_if<Kind>(&arguments.items[i]->data) : nullptr;
  if (found == nullptr) refuse("a pickled tensor has arguments of the wrong kind");
  return *found;
}

const std::string& nameAt(const PickleSequence& arguments, size_t i) {
  const auto& name = get<std::string>(arguments, i);
  if (name.size() > kNameLimit) refuse(concat("the pickle holds a name of ", name.size(), " bytes"));
  return name;
}

ir::Sizes sizesOf(const PickleSequence& tuple) {
  if (tuple.items.size() > kRankLimit) refuse(concat("a pickled tensor has ", tuple.items.size(), " dimensions"));
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
  if (it == kTypes.end()) forbid(concat("the pickle holds a ", printable(name)));
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
  if (it == kTypes.end()) forbid(concat("the pickle holds a tensor of type ", printable(name)));
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
      forbid("the pickle holds a conjugated or negated view");
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

std::span<const std::byte> Unpickler::take(uint64_t count) {
  if (count > rest_.size()) refuse("the pickle is truncated");
  const auto taken = rest_.first(count);
  rest_ = rest_.subspan(count);
  return taken;
}

uint64_t Unpickler::number(size_t bytes) {
  uint64_t value = 0;
  const auto taken = take(bytes);
  for (size_t i = bytes; i-- > 0;) value = value << 8 | std::to_integer<uint64_t>(taken[i]);
  return value;
}

std::string_view Unpickler::line() {
  const std::string_view text(reinterpret_cast<const char*>(rest_.data()), rest_.size());
  const auto end = text.find('\n');
  if (end == std::string_view::npos) refuse("the pickle is truncated");
  take(end + 1);
  return text.substr(0, end);
}

PickleValue* Unpickler::make(PickleValue value) {
  if (values_.size() >= kValueLimit) refuse("the pickle holds too many values");
  return &values_.emplace_back(std::move(value));
}

void Unpickler::pushShared(PickleValue* value) {
  if (stack_.size() >= kValueLimit) refuse("the pickle holds too many values");
  stack_.push_back(value);
}

PickleValue* Unpickler::pop() {
  if (stack_.empty() || (!marks_.empty() && stack_.size() <= marks_.back()))
    refuse("the pickle takes a value that is not there");
  PickleValue* top = stack_.back();
  stack_.pop_back();
  return top;
}

PickleItems Unpickler::popToMark() {
  if (marks_.empty()) refuse("the pickle closes a group that it did not open");
  const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  PickleItems items(begin, stack_.end());
  stack_.erase(begin, stack_.end());
  marks_.pop_back();
  return items;
}

void Unpickler::appendItems(const PickleItems& items) {
  auto* list = stack_.empty() ? nullptr : std::get_if<PickleSequence>(&stack_.back()->data);
  if (list == nullptr || list->isTuple) refuse("the pickle appends to what is no list");
  list->items.insert(list->items.end(), items.begin(), items.end());
}

void Unpickler::setItems(const PickleItems& items) {
  auto* dict = stack_.empty() ? nullptr : std::get_if<PickleDict>(&stack_.back()->data);
  if (dict == nullptr || items.size() % 2 != 0) refuse("the pickle sets items of what is no dict");
  for (size_t i = 0; i < items.size(); i += 2) dict->items.emplace_back(items[i], items[i + 1]);
}

void Unpickler::readLong() {
  const uint64_t bytes = number(1);
  if (bytes > 8) refuse("the pickle holds an integer of more than 64 bits");
  uint64_t value = number(bytes);
  if (bytes > 0 && bytes < 8 && (value >> (8 * bytes - 1) & 1) != 0) value |= ~uint64_t{0} << (8 * bytes);
  push({static_cast<int64_t>(value)});
}

PickleStorage Unpickler::storage(const PickleValue& identifier) const {
  const auto& parts = tupleOf(identifier);  // ("storage", class, key, location, numel)
  if (get<std::string>(parts, 0) != "storage") refuse("the pickle refers to something that is no storage");
  return {storageDType(get<PickleGlobal>(parts, 1).name), nameAt(parts, 2), get<int64_t>(parts, 4)};
}

// An ordered dict's attributes (a state dict keeps the versions of its modules there) have no say; nothing else has
// any.
void Unpickler::build() {
  pop();
  if (stack_.empty() || !std::holds_alternative<PickleDict>(stack_.back()->data))
    forbid("the pickle sets the state of what is no dict");
}

void Unpickler::reduce() {
  const PickleSequence& arguments = tupleOf(*pop());
  const PickleValue* callee = pop();
  const auto* global = std::get_if<PickleGlobal>(&callee->data);
  if (global == nullptr) refuse("the pickle calls what is no known function");
  const std::string& name = global->name;
  if (auto tensor = rebuilt(name, arguments)) return push({*std::move(tensor)});
  if (name == "torch._utils._rebuild_parameter" || name == "torch._utils._rebuild_parameter_with_state") {
    PickleTensor parameter = get<PickleTensor>(arguments, 0);
    parameter.isParameter = true;
    return push({std::move(parameter)});
  }
  // A tensor that has Python attributes: (function, type, arguments, attributes).
  if (name == "torch._tensor._rebuild_from_type_v2" && isPlainTensorType(get<PickleGlobal>(arguments, 1))) {
    if (auto tensor = rebuilt(get<PickleGlobal>(arguments, 0).name, get<PickleSequence>(arguments, 2)))
      return push({*std::move(tensor)});
  }
  if (name == "collections.OrderedDict" && arguments.items.empty()) return push({PickleDict{}});
  forbid(concat("the pickle calls ", printable(name)));
}

bool Unpickler::stepNumber(uint8_t opcode) {
  switch (opcode) {
    case kNone:
      push({});
      return true;
    case kNewTrue:
      push({true});
      return true;
    case kNewFalse:
      push({false});
      return true;
    case kBinInt:
      push({int64_t{static_cast<int32_t>(number(4))}});
      return true;
    case kBinInt1:
      push({static_cast<int64_t>(number(1))});
      return true;
    case kBinInt2:
      push({static_cast<int64_t>(number(2))});
      return true;
    case kLong1:
      readLong();
      return true;
    case kBinFloat: {
      uint64_t bits = 0;  // big-endian
      for (const std::byte byte : take(8)) bits = bits << 8 | std::to_integer<uint64_t>(byte);
      push({std::bit_cast<double>(bits)});
      return true;
    }
    case kBinUnicode:
    case kShortBinUnicode: {
      const auto text = take(number(opcode == kBinUnicode ? 4 : 1));
      push({std::string(reinterpret_cast<const char*>(text.data()), text.size())});
      return true;
    }
    default:
      return false;
  }
}

bool Unpickler::stepContainer(uint8_t opcode) {
  const auto tuple = [&](size_t count) {
    PickleItems items(count);
    while (count-- > 0) items[count] = pop();
    push({PickleSequence{std::move(items), true}});
  };
  switch (opcode) {
    case kMark:
      if (marks_.size() >= kValueLimit) refuse("the pickle holds too many groups");
      marks_.push_back(stack_.size());
      return true;
    case kEmptyTuple:
      tuple(0);
      return true;
    case kTuple1:
      tuple(1);
      return true;
    case kTuple2:
      tuple(2);
      return true;
    case kTuple3:
      tuple(3);
      return true;
    case kTuple: {
      auto items = popToMark();
      push({PickleSequence{std::move(items), true}});
      return true;
    }
    case kEmptyList:
      push({PickleSequence{}});
      return true;
    case kAppend:
      appendItems({pop()});
      return true;
    case kAppends:
      appendItems(popToMark());
      return true;
    case kEmptyDict:
      push({PickleDict{}});
      return true;
    case kSetItem: {
      PickleValue* value = pop();
      setItems({pop(), value});
      return true;
    }
    case kSetItems:
      setItems(popToMark());
      return true;
    default:
      return false;
  }
}

bool Unpickler::stepMemo(uint8_t opcode) {
  const auto put = [&](uint64_t key) {
    if (stack_.empty()) refuse("the pickle remembers a value that is not there");
    memo_[key] = stack_.back();
    if (memo_.size() > kValueLimit) refuse("the pickle remembers too many values");
  };
  const auto recall = [&](uint64_t key) {
    const auto it = memo_.find(key);
    if (it == memo_.end()) refuse("the pickle recalls a value that it did not remember");
    pushShared(it->second);
  };
  switch (opcode) {
    case kBinPut:
      put(number(1));
      return true;
    case kLongBinPut:
      put(number(4));
      return true;
    case kMemoize:
      put(memo_.size());
      return true;
    case kBinGet:
      recall(number(1));
      return true;
    case kLongBinGet:
      recall(number(4));
      return true;
    default:
      return false;
  }
}

bool Unpickler::step(uint8_t opcode) {
  if (stepNumber(opcode) || stepContainer(opcode) || stepMemo(opcode)) return true;
  switch (opcode) {
    case kProto:
      take(1);
      return true;
    case kFrame:
      take(8);
      return true;
    case kGlobal: {
      const auto module = line(), name = line();
      if (module.size() + name.size() > 2 * kNameLimit) refuse("the pickle holds too long a name");
      push({PickleGlobal{concat(module, ".", name)}});
      return true;
    }
    case kStackGlobal: {
      const PickleSequence parts{{pop(), pop()}, true};  // evaluated left to right: the name, then its module
      push({PickleGlobal{concat(nameAt(parts, 1), ".", nameAt(parts, 0))}});
      return true;
    }
    case kBinPersId:
      push({storage(*pop())});
      return true;
    case kReduce:
      reduce();
      return true;
    case kBuild:
      build();
      return true;
    case kStop:
      return false;
    default:
      refuse(concat("the pickle uses opcode ", static_cast<int>(opcode),
                    ", which plain tensors of pickle protocols 2 to 5 do not need"));
  }
}

const PickleValue& Unpickler::load() {
  while (step(std::to_integer<uint8_t>(take(1).front()))) {
  }
  return *pop();
}

}  // namespace exportdeck::pt2
