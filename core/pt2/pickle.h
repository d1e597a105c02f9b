// Reading Python pickles as data: a few opcodes that build plain values, and no code that could run. What a pickle can
// make this reader allocate is bounded by a small multiple of the pickle's own length.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "ir/type.h"

namespace exportdeck::pt2 {

// What a pickle of `torch.save` builds. Containers refer to values that the Unpickler owns; they may be shared or even
// contain themselves, so walks over them must bound their depth and length.
struct PickleValue;
using PickleItems = std::vector<PickleValue*>;

struct PickleSequence {  // tuple or list
  PickleItems items;
  bool isTuple = false;
};
struct PickleDict {
  std::vector<std::pair<PickleValue*, PickleValue*>> items;
};
struct PickleGlobal {
  std::string name;  // "torch._utils._rebuild_tensor_v2"
};
struct PickleStorage {
  ir::DType dtype = ir::DType::Float32;  // UInt8 where the storage has no type of its own
  std::string key;                       // its record is `data/KEY`
  int64_t count = 0;                     // of elements
};
struct PickleTensor {
  PickleStorage storage;
  ir::DType dtype = ir::DType::Float32;
  int64_t offset = 0;  // in elements
  ir::Sizes sizes, strides;
  bool isParameter = false;
};

struct PickleValue {
  std::variant<std::monostate, bool, int64_t, double, std::string, PickleSequence, PickleDict, PickleGlobal,
               PickleStorage, PickleTensor>
      data;
};

// A pickle that is sound but builds something other than plain values and tensors.
class PickleForbidden : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Unpickler {
 public:
  explicit Unpickler(std::span<const std::byte> pickle) : rest_(pickle) {}
  // The value built. Throws PickleForbidden, or std::runtime_error that says what is damaged. It lives as long as
  // the Unpickler.
  const PickleValue& load();

 private:
  std::span<const std::byte> take(uint64_t count);
  uint64_t number(size_t bytes);  // little-endian
  std::string_view line();
  PickleValue* make(PickleValue value);
  void push(PickleValue value) { pushShared(make(std::move(value))); }
  void pushShared(PickleValue* value);
  PickleValue* pop();
  PickleItems popToMark();

  bool step(uint8_t opcode);  // false: the pickle ends
  bool stepNumber(uint8_t opcode);
  bool stepContainer(uint8_t opcode);
  bool stepMemo(uint8_t opcode);
  void setItems(const PickleItems& items);
  void appendItems(const PickleItems& items);
  void build();
  void readLong();
  void reduce();

  std::span<const std::byte> rest_;
  std::deque<PickleValue> values_;
  PickleItems stack_;
  std::vector<size_t> marks_;  // heights of the stack
  std::unordered_map<uint64_t, PickleValue*> memo_;
};

}  // namespace exportdeck::pt2
