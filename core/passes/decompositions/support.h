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
using Sizes = ir::Shape;  // some may be symbolic; what needs numbers refuses those
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

// A constant whose elements `elements(sizes)` tells; where a size is known only at run time, that part of the constant
// for the largest sizes. Null where it would be large, or has no largest size.
template <typename Elements>
Value* knownElements(Builder& build, const std::string& name, const ir::TensorType& type, const Elements& elements) {
  const std::optional<ir::Sizes> bounds = type.bounds();
  if (!bounds || isComplex(type.dtype)) return nullptr;
  const ir::TensorType whole(type.dtype, *bounds);
  if (whole.bytes() > kLargestFilledConstant) return nullptr;
  Value* value = build.constant(name, whole, bytesOfDoubles(elements(*bounds), type.dtype));
  for (size_t dim = 0; dim < type.rank(); ++dim)
    value = build.slice(value, static_cast<int64_t>(dim), 0, type.shape[dim]);
  return value;
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
