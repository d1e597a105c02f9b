// Complex values as pairs of real ones: what the files of this folder share. One file a family, each with one function
// that registers its operators, called from the list in passes/complex/all.cpp.
#pragma once

#include <complex>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "passes/build.h"

namespace exportdeck::passes::complex {

using ir::DType;
using ir::Node;
using ir::Value;

// A real value, or the two parts of a complex one; both of one real dtype and of the same sizes.
struct Parts {
  Value* re = nullptr;
  Value* im = nullptr;  // null: zero everywhere
};
using Results = std::vector<Parts>;

// "complex64" -> "float32"; real dtypes stay.
DType partOf(DType dtype);
ir::TensorType partOf(const ir::TensorType& type);

// The number that an argument holds: a Python number, real or complex. Nothing for the rest.
std::optional<std::complex<double>> complexNumber(const ir::Argument& argument);

// Builds the parts of one node's results.
class Rewriter {
 public:
  // What was made for a graph as a whole: the parts of each complex value, and constants by what they hold.
  struct Memory {
    std::unordered_map<const Value*, Parts> parts;
    std::map<std::string, Value*> constants;
    ConstantPool pool;
  };
  Rewriter(ir::Graph& graph, Node& rewritten, Memory& memory)
      : build(graph, rewritten, memory.pool), node(rewritten), memory_(memory) {}

  Builder build;
  const Node& node;

  // The parts of a value that is read; a real one has no imaginary part.
  Parts of(Value* value);
  // An operand as the parts of `dtype` (real). It may be a number.
  Parts operand(size_t argument, DType dtype);
  Value* zeros(const Value* like) { return build.full(sizesOf(like), int64_t{0}, dtypeOf(like)); }
  Value* imaginary(const Parts& x) { return x.im ? x.im : zeros(x.re); }  // never null
  DType partType(size_t output = 0) const { return partOf(dtypeOf(node.output(output))); }

  Parts add(const Parts& a, const Parts& b);
  Parts sub(const Parts& a, const Parts& b);
  Parts mul(const Parts& a, const Parts& b);
  Parts div(const Parts& a, const Parts& b);
  Parts scaled(const Parts& x, double factor);
  Value* magnitude(const Parts& x);
  // The real operator `apply` on each part.
  template <typename Apply>
  Parts each(const Parts& x, const Apply& apply) {
    return {apply(x.re), x.im ? apply(x.im) : nullptr};
  }

  // A constant that is made once for the graph; `elements` gives its elements.
  template <typename Elements>
  Value* constant(const std::string& name, const ir::TensorType& type, const Elements& elements) {
    Value*& known = memory_.constants[concat(name, ' ', type.text())];
    if (!known) known = build.constant(name, type, bytesOfDoubles(elements(), type.dtype));
    return known;
  }
  // Refuses the node.
  [[noreturn]] void refuse(Code code, std::string message, std::string why, std::vector<std::string> fixes) const;

 private:
  Memory& memory_;
};

// Gives the parts of the node's results. An empty list: this case is not known.
using Rewrite = Results (*)(Rewriter& rewriter);

class Table {
 public:
  static const Table& instance();
  void add(std::initializer_list<std::string_view> ops, Rewrite rewrite);
  Rewrite find(std::string_view op) const;  // null: none

 private:
  Table();
  std::unordered_map<std::string_view, Rewrite> table_;
};

}  // namespace exportdeck::passes::complex
