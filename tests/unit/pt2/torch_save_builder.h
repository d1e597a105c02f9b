// Makes what torch.save writes, without torch: the pickle of a dict of tensors, and the zip around it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unit/pt2/zip_builder.h"

namespace exportdeck::tests {

// Opcodes of pickle protocol 2, as text that is put together.
namespace pickle {

inline std::string number(uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}
inline std::string text(const std::string& value) {
  return "X" + number(value.size(), 4) + value;
}
inline std::string integer(int64_t value) {
  return std::string("\x8a\x08", 2) + number(static_cast<uint64_t>(value), 8);  // LONG1
}
inline std::string global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}
inline std::string tuple(const std::vector<std::string>& items) {
  std::string out = "(";
  for (const auto& item : items) out += item;
  return out + "t";
}
inline std::string ints(const std::vector<int64_t>& values) {
  std::vector<std::string> items;
  for (const int64_t value : values) items.push_back(integer(value));
  return tuple(items);
}
inline std::string call(const std::string& function, const std::vector<std::string>& arguments) {
  return function + tuple(arguments) + "R";
}
inline std::string put(int key) {
  return "q" + number(static_cast<uint64_t>(key), 1);
}
inline std::string get(int key) {
  return "h" + number(static_cast<uint64_t>(key), 1);
}
inline std::string whole(const std::string& value) {
  return "\x80\x02" + value + ".";
}
inline std::string dict(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string out = "}(";
  for (const auto& [key, value] : items) out += text(key) + value;
  return out + "u";
}
inline std::string orderedDict() {
  return call(global("collections", "OrderedDict"), {});
}

struct Tensor {
  std::vector<int64_t> sizes, strides;
  int64_t count = 0;  // elements of the storage
  std::string key = "0";
  int64_t offset = 0;
  std::string storage = "FloatStorage";
};
inline std::string storage(const Tensor& t) {
  return tuple({text("storage"), global("torch", t.storage), text(t.key), text("cpu"), integer(t.count)}) + "Q";
}
inline std::string tensor(const Tensor& t) {
  return call(global("torch._utils", "_rebuild_tensor_v2"),
              {storage(t), integer(t.offset), ints(t.sizes), ints(t.strides), "\x89", orderedDict()});
}
inline std::string parameter(const std::string& tensor) {
  return call(global("torch._utils", "_rebuild_parameter"), {tensor, "\x88", orderedDict()});
}

}  // namespace pickle

struct TorchSaveBuilder {
  std::string pickled = pickle::whole("}");
  std::vector<std::pair<std::string, std::string>> storages;  // key, bytes
  std::string order = "little";

  std::string zip() const {
    ZipBuilder builder;
    builder.add("archive/data.pkl", pickled);
    builder.add("archive/byteorder", order);
    for (const auto& [key, bytes] : storages) builder.add("archive/data/" + key, bytes);
    builder.add("archive/version", "3\n");
    return builder.finish();
  }
};

}  // namespace exportdeck::tests
