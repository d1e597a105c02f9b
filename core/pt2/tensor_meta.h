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
  // {"as_int": n} or {"as_expr": {"expr_str": sympy srepr}}. A plain symbol carries its bounds.
  ir::SymInt symInt(json::Element element, std::string_view what) const;

 private:
  struct Bounds {
    std::optional<int64_t> lower, upper;
  };
  std::unordered_map<std::string, Bounds> bounds_;
};

// "Mul(Integer(2), Symbol('s69', positive=True, integer=True))" -> "Mul(2, s69)"; also of "2*s69", as torch 2.5 has it.
std::string plainExpression(std::string_view srepr);

// Numbers of the archive's ScalarType enum, which are not those of the .pte. Throws DtypeUnsupported for others.
ir::DType dtypeOf(json::Element element, std::string_view what);

// A TensorMeta. `type.strides` is set where they are static and differ from row-major ones.
// Throws DtypeUnsupported, ShapeUnsupported (sparse layouts), GraphInvalid.
struct TensorMeta {
  ir::TensorType type;
  std::vector<ir::SymInt> strides;
  ir::SymInt storageOffset;
};
TensorMeta readTensorMeta(json::Element element, const RangeConstraints& constraints, std::string_view what);

}  // namespace exportdeck::pt2
