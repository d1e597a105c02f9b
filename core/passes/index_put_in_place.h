// The kernel aten::index_put_, which writes rows into a tensor where it lies.
#pragma once

#include <map>
#include <utility>

#include "ir/graph.h"
#include "ops/runtime_profile.h"
#include "passes/build.h"

namespace exportdeck::passes {

inline constexpr const char* kIndexPut = "aten.index_put.default";

// Turns index_put into index_put_. The kernel takes one index of whole numbers from 0 and values of exactly the sizes
// that they replace, so negative numbers are counted from the end before, and values get a view.
class IndexPutInPlace {
 public:
  // `runtime`: null where every kernel is there.
  explicit IndexPutInPlace(const ops::RuntimeProfile* runtime) : runtime_(runtime) {}

  // Whether the kernel can and it pays: counting from the end takes three small kernels, and a copy of a few bytes
  // less.
  bool takes(const ir::Node& indexPut) const;
  // Nodes that are converted one after the other stand so in the program.
  void convert(ir::Node& indexPut);

 private:
  bool has(std::string_view op) const;
  ir::Value* fromStart(ir::Node& indexPut, ir::Value* index, int64_t size);

  const ops::RuntimeProfile* runtime_;
  ConstantPool pool_;
  std::map<std::pair<ir::Value*, int64_t>, ir::Value*> fromStart_;  // by index and size of the dimension
};

}  // namespace exportdeck::passes
