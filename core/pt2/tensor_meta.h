// Types of tensors and sizes, as the archive's JSON states them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ir/type.h"
#include "pt2/json.h"

namespace exportdeck::pt2 {

// Bounds of the symbolic sizes: `range_constraints`.
class RangeConstraints {
 public:
  RangeConstraints() = default;
  explicit RangeConstraints(json::Object constraints);
  // Sets the largest value that a symbol may have: the archive's bound, or a smaller one. Throws Code::OptionInvalid
  // for a symbol that the archive does not have, or for a bound outside the archive's.
  void limit(const std::string& symbol, int64_t upper);
  // Sets the largest value of a symbol that has none, where it follows from the program.
  void assume(const std::string& symbol, int64_t upper);
  // {"as_int": n} or {"as_expr": {"expr_str": sympy srepr}}. Symbols carry their bounds.
  ir::SymInt symInt(json::Element element, std::string_view what) const;
  ir::SymInt symbol(const std::string& name) const;

 private:
  struct Bounds {
    std::optional<int64_t> lower, upper;
  };
  std::unordered_map<std::string, Bounds> bounds_;
};

// Numbers of the archive's ScalarType enum, which are not those of the .pte. Throws DtypeUnsupported for others.
ir::DType dtypeOf(json::Element element, std::string_view what);

// A TensorMeta. `type.strides` is set where they are static and differ from row-major ones.
// Throws DtypeUnsupported, ShapeUnsupported (sparse layouts), GraphInvalid.
struct TensorMeta {
  ir::TensorType type;
  ir::Shape strides;
  ir::SymInt storageOffset;
};
TensorMeta readTensorMeta(json::Element element, const RangeConstraints& constraints, std::string_view what);

}  // namespace exportdeck::pt2
