// Opcodes: Python's Lib/pickletools.py. Only those that torch.save (protocols 2 to 5) needs for plain containers,
// numbers, texts and tensors are known; the rest is refused, as is every callable but the few that rebuild a tensor or
// an ordered dict.
#include "pt2/pickle.h"

#include <bit>
#include <cstring>

#include "base/text.h"
#include "pt2/pickle_values.h"

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

}  // namespace

std::span<const std::byte> Unpickler::take(uint64_t count) {
  if (count > rest_.size()) refusePickle("the pickle is truncated");
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
  if (end == std::string_view::npos) refusePickle("the pickle is truncated");
  take(end + 1);
  return text.substr(0, end);
}

PickleValue* Unpickler::make(PickleValue value) {
  if (values_.size() >= kValueLimit) refusePickle("the pickle holds too many values");
  return &values_.emplace_back(std::move(value));
}

void Unpickler::pushShared(PickleValue* value) {
  if (stack_.size() >= kValueLimit) refusePickle("the pickle holds too many values");
  stack_.push_back(value);
}

PickleValue* Unpickler::pop() {
  if (stack_.empty() || (!marks_.empty() && stack_.size() <= marks_.back()))
    refusePickle("the pickle takes a value that is not there");
  PickleValue* top = stack_.back();
  stack_.pop_back();
  return top;
}

PickleItems Unpickler::popToMark() {
  if (marks_.empty()) refusePickle("the pickle closes a group that it did not open");
  const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  PickleItems items(begin, stack_.end());
  stack_.erase(begin, stack_.end());
  marks_.pop_back();
  return items;
}

void Unpickler::appendItems(const PickleItems& items) {
  auto* list = stack_.empty() ? nullptr : std::get_if<PickleSequence>(&stack_.back()->data);
  if (list == nullptr || list->isTuple) refusePickle("the pickle appends to what is no list");
  list->items.insert(list->items.end(), items.begin(), items.end());
}

void Unpickler::setItems(const PickleItems& items) {
  auto* dict = stack_.empty() ? nullptr : std::get_if<PickleDict>(&stack_.back()->data);
  if (dict == nullptr || items.size() % 2 != 0) refusePickle("the pickle sets items of what is no dict");
  for (size_t i = 0; i < items.size(); i += 2) dict->items.emplace_back(items[i], items[i + 1]);
}

void Unpickler::readLong() {
  const uint64_t bytes = number(1);
  if (bytes > 8) refusePickle("the pickle holds an integer of more than 64 bits");
  uint64_t value = number(bytes);
  if (bytes > 0 && bytes < 8 && (value >> (8 * bytes - 1) & 1) != 0) value |= ~uint64_t{0} << (8 * bytes);
  push({static_cast<int64_t>(value)});
}

// An ordered dict's attributes (a state dict keeps the versions of its modules there) have no say; nothing else has
// any.
void Unpickler::build() {
  pop();
  if (stack_.empty() || !std::holds_alternative<PickleDict>(stack_.back()->data))
    forbidPickle("the pickle sets the state of what is no dict");
}

void Unpickler::reduce() {
  const PickleSequence& arguments = tupleOf(*pop());
  const PickleValue* callee = pop();
  const auto* global = std::get_if<PickleGlobal>(&callee->data);
  if (global == nullptr) refusePickle("the pickle calls what is no known function");
  push(calledValue(global->name, arguments));
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
      if (marks_.size() >= kValueLimit) refusePickle("the pickle holds too many groups");
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
    if (stack_.empty()) refusePickle("the pickle remembers a value that is not there");
    memo_[key] = stack_.back();
    if (memo_.size() > kValueLimit) refusePickle("the pickle remembers too many values");
  };
  const auto recall = [&](uint64_t key) {
    const auto it = memo_.find(key);
    if (it == memo_.end()) refusePickle("the pickle recalls a value that it did not remember");
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
      if (module.size() + name.size() > 2 * kPickleNameLimit) refusePickle("the pickle holds too long a name");
      push({PickleGlobal{concat(module, ".", name)}});
      return true;
    }
    case kStackGlobal: {
      const PickleSequence parts{{pop(), pop()}, true};  // evaluated left to right: the name, then its module
      push({PickleGlobal{concat(nameAt(parts, 1), ".", nameAt(parts, 0))}});
      return true;
    }
    case kBinPersId:
      push({storageOf(*pop())});
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
      refusePickle(concat("the pickle uses opcode ", static_cast<int>(opcode),
                          ", which plain tensors of pickle protocols 2 to 5 do not need"));
  }
}

const PickleValue& Unpickler::load() {
  while (step(std::to_integer<uint8_t>(take(1).front()))) {
  }
  return *pop();
}

}  // namespace exportdeck::pt2
