// Building nodes inside passes, with result types inferred for the operators that passes emit.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace exportdeck::passes {

// Inserts nodes before a given one; they inherit its origin, so diagnostics keep pointing at the user's line.
// Arguments are given in schema order; trailing ones that have defaults may be left out.
class Builder {
 public:
  Builder(ir::Graph& graph, ir::Node& before);

  ir::Graph& graph() { return graph_; }
  // The result type is given by the caller.
  ir::Value* node(std::string_view op, std::vector<ir::Argument> args, ir::TensorType type);
  std::vector<ir::Value*> nodeMulti(std::string_view op, std::vector<ir::Argument> args, std::vector<ir::TensorType> types);

  // Shorthands whose type is inferred. Element-wise ones broadcast and promote as PyTorch does.
  ir::Value* unary(std::string_view op, ir::Value* x);                        // "aten.exp.default"
  ir::Value* binary(std::string_view op, ir::Value* a, ir::Value* b);         // "aten.mul.Tensor"; alpha left at its default
  ir::Value* view(ir::Value* x, ir::Sizes sizes);                             // aten.view_copy.default; no node when equal
  ir::Value* permute(ir::Value* x, ir::Sizes order);                          // aten.permute_copy.default; no node for identity
  ir::Value* expand(ir::Value* x, ir::Sizes sizes);                           // aten.expand_copy.default; no node when equal
  ir::Value* slice(ir::Value* x, int64_t dim, int64_t start, int64_t end, int64_t step = 1);
  ir::Value* select(ir::Value* x, int64_t dim, int64_t index);
  ir::Value* cat(const std::vector<ir::Value*>& parts, int64_t dim);
  ir::Value* cast(ir::Value* x, ir::DType dtype);                             // aten._to_copy.default; no node when equal
  ir::Value* mean(ir::Value* x, ir::Sizes dims, bool keepdim);
  ir::Value* sum(ir::Value* x, ir::Sizes dims, bool keepdim);
  ir::Value* bmm(ir::Value* a, ir::Value* b);
  ir::Value* softmax(ir::Value* x, int64_t dim);                              // aten._softmax.default
  ir::Value* full(ir::Sizes sizes, double value, ir::DType dtype);            // a constant of one repeated value
  // A 0-dim constant; equal ones of one graph are shared.
  ir::Value* scalar(double value, ir::DType dtype);
  ir::Value* scalar(int64_t value, ir::DType dtype);
  ir::Value* constant(std::string name, ir::TensorType type, Bytes bytes);
  template <typename T>
  ir::Value* constantOf(std::string name, ir::DType dtype, ir::Sizes sizes, std::span<const T> values);

 private:
  ir::Graph& graph_;
  ir::Node& before_;
};

ir::Sizes broadcastSizes(const ir::Sizes& a, const ir::Sizes& b);  // throws Code::GraphInvalid where they do not fit

}  // namespace exportdeck::passes
