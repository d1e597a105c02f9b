// What the files of this folder share.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/text.h"
#include "ir/graph.h"
#include "passes/build.h"
#include "passes/decomposition.h"

namespace exportdeck::passes::decompositions {

using ir::DType;
using ir::Node;
using ir::Sizes;
using ir::Value;
using Results = std::vector<Value*>;

inline Sizes resultSizes(const Node& node) {
  return sizesOf(node.output());
}
inline DType resultDType(const Node& node) {
  return dtypeOf(node.output());
}
inline bool isFloatResult(const Node& node) {
  return isFloating(resultDType(node));
}

// A list argument with one entry for each of `count` dimensions: a single number stands for all.
inline Sizes spread(Sizes given, size_t count) {
  if (given.size() == 1 && count > 1) given.assign(count, given.front());
  return given;
}

inline Sizes range(size_t count) {
  Sizes out(count);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

}  // namespace exportdeck::passes::decompositions
