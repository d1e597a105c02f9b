// In which order a value's dimensions lie in memory.
#pragma once

#include <optional>

#include "ir/graph.h"

namespace exportdeck::backends::xnnpack {

// Dimension i in memory, from the outermost, is dimension order[i] of the value.
using Order = ir::Sizes;

Order plainOrder(size_t rank);
// XNNPACK's spatial operators want channels last, PyTorch's logical order has them second: [0,2,1] or [0,2,3,1]. Rank 3
// or 4.
Order channelsLastOrder(size_t rank);
bool isPlain(const Order& order);
// Of an input or output of a partition.
Order orderOutside(const ir::TensorType& type);

ir::Shape reordered(const ir::Shape& sizes, const Order& order);
// Where dimension `dim` of the value lies in memory.
size_t placeOf(int64_t dim, const Order& order);
// The transpose that turns memory in the order `from` into the order `to`.
ir::Sizes transposeBetween(const Order& from, const Order& to);

// Whether both orders hold the same sequence of elements: they differ only in where dimensions of size 1 lie.
bool sameSequence(const ir::Shape& sizes, const Order& a, const Order& b);

// The same memory seen as the result of a permutation (dimension j of the result is dimension permutation[j]), and
// back.
Order throughPermutation(const Order& order, const ir::Sizes& permutation);
Order backThroughPermutation(const Order& order, const ir::Sizes& permutation);
// The same memory seen as a value of the sizes `to`: possible where dimensions that are joined or split lie side by
// side.
std::optional<Order> throughReshape(const Order& order, const ir::Shape& from, const ir::Shape& to);
// Without one of the dimensions (those behind it are renumbered), or with it innermost.
Order withoutDimension(const Order& order, int64_t dim);
Order withLast(const Order& order, int64_t dim);

}  // namespace exportdeck::backends::xnnpack
