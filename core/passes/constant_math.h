// Constants made from constants: the bytes are computed when they are written, not before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace exportdeck::passes {

// A number as Python knows it: an integer (or bool) keeps all its bits.
using Number = std::variant<int64_t, double>;

// The same data under other sizes; the number of elements must agree.
ir::ConstantPtr reshapedConstant(const ir::ConstantPtr& from, const ir::Sizes& sizes);
// Elements picked by strides (in elements of the dense source): permutation, slice, broadcast.
ir::ConstantPtr stridedConstant(const ir::ConstantPtr& from, const ir::Sizes& sizes, const ir::Sizes& strides,
                                int64_t offset, std::string name);
// Elements converted as PyTorch converts them.
ir::ConstantPtr convertedConstant(const ir::ConstantPtr& from, ir::DType dtype);

// `count` elements of one value; throws DtypeUnsupported for complex dtypes.
Bytes filledBytes(uint64_t count, const Number& value, ir::DType dtype);
// The elements as doubles; throws DtypeUnsupported for complex dtypes.
std::vector<double> readAsDoubles(const ir::Constant& constant);
// Doubles as elements of `dtype`.
Bytes bytesOfDoubles(const std::vector<double>& values, ir::DType dtype);
// The value of a constant with one element, nothing for other values.
std::optional<double> constantNumber(const ir::Value* value);

}  // namespace exportdeck::passes
