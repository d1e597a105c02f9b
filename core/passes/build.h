// Building nodes inside passes, with result types inferred for the operators that passes emit.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/graph.h"
#include "passes/constant_math.h"

namespace exportdeck::passes {

// Small constants of one graph that a pass made, by content, so that equal ones are made once.
// Valid as long as no unused constant of the graph is erased.
using ConstantPool = std::unordered_map<std::string, ir::Value*>;

// Constants of at most this many bytes take the place of operators that would fill them at run time.
inline constexpr uint64_t kLargestFilledConstant = 1u << 20;

// Inserts nodes before a given one; they inherit its origin, so diagnostics keep pointing at the user's line.
// Arguments are given in schema order; trailing ones that have defaults may be left out.
// Views, casts and permutations of constants become constants themselves, computed when they are written.
class Builder {
 public:
  Builder(ir::Graph& graph, ir::Node& before, ConstantPool& pool) : graph_(graph), before_(before), pool_(pool) {}

  ir::Graph& graph() { return graph_; }
  // The result type is given by the caller.
  ir::Value* node(std::string_view op, std::vector<ir::Argument> args, ir::TensorType type);
  std::vector<ir::Value*> nodeMulti(std::string_view op, std::vector<ir::Argument> args,
                                    std::vector<ir::TensorType> types);

  // --- element-wise; shapes broadcast, dtypes promote as PyTorch does. Numbers become constants of the other operand's
  // dtype.
  ir::Value* unary(std::string_view op, ir::Value* x);                 // same type as x: "aten.exp.default"
  ir::Value* binary(std::string_view op, ir::Value* a, ir::Value* b);  // "aten.mul.Tensor"; alpha left at its default
  ir::Value* binary(std::string_view op, ir::Value* a, double b);
  ir::Value* compare(std::string_view op, ir::Value* a, const ir::Argument& b);  // bool result: "aten.gt.Scalar"
  ir::Value* add(ir::Value* a, ir::Value* b) { return binary("aten.add.Tensor", a, b); }
  ir::Value* sub(ir::Value* a, ir::Value* b) { return binary("aten.sub.Tensor", a, b); }
  ir::Value* mul(ir::Value* a, ir::Value* b) { return binary("aten.mul.Tensor", a, b); }
  ir::Value* div(ir::Value* a, ir::Value* b) { return binary("aten.div.Tensor", a, b); }
  ir::Value* add(ir::Value* a, double b) { return binary("aten.add.Tensor", a, b); }
  ir::Value* mul(ir::Value* a, double b) { return binary("aten.mul.Tensor", a, b); }
  ir::Value* where(ir::Value* condition, ir::Value* a, ir::Value* b);  // a and b of one dtype
  ir::Value* logicalNot(ir::Value* x);
  ir::Value* clamp(ir::Value* x, std::optional<double> low, std::optional<double> high);  // x floating

  // --- shape
  ir::Value* view(ir::Value* x, const ir::Shape& sizes);     // aten.view_copy.default; no node when equal
  ir::Value* permute(ir::Value* x, ir::Sizes order);         // aten.permute_copy.default; no node for identity
  ir::Value* transpose(ir::Value* x, int64_t a, int64_t b);  // a permute
  ir::Value* expand(ir::Value* x, const ir::Shape& sizes);   // aten.expand_copy.default; no node when equal
  ir::Value* slice(ir::Value* x, int64_t dim, const ir::SymInt& start, const ir::SymInt& end, int64_t step = 1);
  ir::Value* select(ir::Value* x, int64_t dim, const ir::SymInt& index);
  ir::Value* cat(const std::vector<ir::Value*>& parts, int64_t dim);
  ir::Value* unsqueeze(ir::Value* x, int64_t dim);  // a view
  ir::Value* squeeze(ir::Value* x, int64_t dim);    // a view; the size must be 1

  // --- types, reductions, products
  ir::Value* cast(ir::Value* x, ir::DType dtype);  // aten._to_copy.default; no node when equal
  ir::Value* mean(ir::Value* x, const ir::Sizes& dims, bool keepdim) {
    return reduce("aten.mean.dim", x, dims, keepdim);
  }
  ir::Value* sum(ir::Value* x, const ir::Sizes& dims, bool keepdim) {
    return reduce("aten.sum.dim_IntList", x, dims, keepdim);
  }
  ir::Value* amax(ir::Value* x, const ir::Sizes& dims, bool keepdim) {
    return reduce("aten.amax.default", x, dims, keepdim);
  }
  // For operators of the form (x, dims, keepdim); the result has x's dtype.
  ir::Value* reduce(std::string_view op, ir::Value* x, const ir::Sizes& dims, bool keepdim);
  ir::Value* bmm(ir::Value* a, ir::Value* b);
  ir::Value* mm(ir::Value* a, ir::Value* b);
  ir::Value* linear(ir::Value* x, ir::Value* weight, ir::Value* bias);  // bias may be null
  ir::Value* softmax(ir::Value* x, int64_t dim);                        // aten._softmax.default

  // --- constants
  // A constant of one repeated value, or the `full` operator where that would be large.
  ir::Value* full(const ir::Shape& sizes, const Number& value, ir::DType dtype);
  ir::Value* scalar(const Number& value, ir::DType dtype);         // 0-dim
  ir::Value* sizeTensor(const ir::SymInt& size, ir::DType dtype);  // 0-dim, of a number that may be a symbol
  ir::Value* constant(std::string name, ir::TensorType type, Bytes bytes);
  ir::Value* constant(ir::ConstantPtr constant) { return graph_.addConstant(std::move(constant)); }

 private:
  ir::Value* strided(ir::Value* x, const ir::Sizes& sizes, const ir::Sizes& strides, int64_t offset,
                     std::string_view what);

  ir::Graph& graph_;
  ir::Node& before_;
  ConstantPool& pool_;
};

// Throws Code::GraphInvalid where they do not fit. A symbolic size is not 1.
ir::Shape broadcastSizes(const ir::Shape& a, const ir::Shape& b);
ir::Shape sizesOf(const ir::Value* value);
// Throws ShapeUnsupported, with the node's origin, where a size of an operand or a result is not known at export.
void requireFixedSizes(const ir::Node& node);
ir::DType dtypeOf(const ir::Value* value);
size_t rankOf(const ir::Value* value);
ir::SymInt product(std::span<const ir::SymInt> sizes);
// The permutation in which the dimensions `from` go to the places `to` and the others keep their order around them.
ir::Sizes orderAfterMoves(const ir::Sizes& from, const ir::Sizes& to, size_t rank);

ir::IntList intList(const ir::Shape& sizes);
// The numeric value of an argument that is a Python number; nothing for tensors and the rest.
std::optional<Number> numberOf(const ir::Argument& argument);
double asDouble(const Number& number);
ir::Argument asArgument(const Number& number);

}  // namespace exportdeck::passes
