// ExecutionPlan.values: every tensor, number and list that instructions refer to by index.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/graph.h"
#include "program_generated.h"
#include "pte/scalar_type.h"
#include "pte/segments.h"
#include "pte/storage.h"
#include "pte/writer.h"

namespace exportdeck::pte {

class ValueTable {
 public:
  ValueTable(flatbuffers::FlatBufferBuilder& builder, const Storage& storage, const Segments& segments,
             const MemoryPlan& plan);

  // Equal ones share one entry.
  int null();
  int integer(int64_t number);
  int boolean(bool value);
  int number(double number);
  int text(const std::string& text);
  // Elements of a list of ints are indices of entries; of the other two the values themselves.
  int intList(const std::vector<int64_t>& entries);
  int doubleList(const std::vector<double>& items);
  int boolList(const std::vector<bool>& items);
  // Elements are indices of entries that are there already; -1 stands for None in an optional list.
  int tensorList(const std::vector<int>& entries);
  int optionalTensorList(const std::vector<int>& entries);
  // The entry of a graph's value, made when it is first asked for.
  int of(const ir::Value* value);
  // An entry of its own that shares nothing: fixed inputs.
  int fresh(const ir::Argument& constant);
  // What stands for a tensor that a kernel demands and the call leaves out: no elements, uint8.
  int emptyTensor();

  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<executorch_flatbuffer::EValue>>> finish();

 private:
  template <typename Table>
  int append(executorch_flatbuffer::KernelTypes type, flatbuffers::Offset<Table> table);
  template <typename Key, typename Make>
  int shared(const Key& key, const Make& make);
  int makeTensor(const ir::Value* value);
  flatbuffers::Offset<flatbuffers::Vector<int32_t>> sizesOf(const std::vector<int32_t>& sizes);
  flatbuffers::Offset<flatbuffers::Vector<uint8_t>> plainOrder(size_t rank);

  flatbuffers::FlatBufferBuilder& builder_;
  const Storage& storage_;
  const Segments& segments_;
  struct Place {
    uint32_t memory;
    uint64_t offset;
  };
  std::unordered_map<const ir::Value*, Place> places_;
  std::vector<flatbuffers::Offset<executorch_flatbuffer::EValue>> entries_;
  std::unordered_map<const ir::Value*, int> ofValue_;
  std::unordered_map<std::string, int> shared_;
  // Tensors of one shape share their lists: the runtime copies those that it changes.
  std::map<std::vector<int32_t>, flatbuffers::Offset<flatbuffers::Vector<int32_t>>> sizes_;
  std::map<size_t, flatbuffers::Offset<flatbuffers::Vector<uint8_t>>> dimOrders_;  // by rank
};

}  // namespace exportdeck::pte
