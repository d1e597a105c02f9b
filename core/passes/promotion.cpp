#include "passes/promotion.h"

#include <optional>

namespace exportdeck::passes {

namespace {

using ir::DType;
using Group = std::optional<DType>;

int kindOf(DType dtype) {
  if (isComplex(dtype)) return 3;
  if (isFloating(dtype)) return 2;
  return dtype == DType::Bool ? 0 : 1;
}

DType complexOf(DType dtype) {
  if (dtype == DType::Float64) return DType::Complex128;
  return dtype == DType::Float16 ? DType::Complex32 : DType::Complex64;
}

void join(Group& group, DType dtype) {
  group = group ? promote(*group, dtype) : dtype;
}

Group combine(Group higher, Group lower) {
  if (!higher || !lower) return higher ? higher : lower;
  if (kindOf(*lower) <= kindOf(*higher)) return higher;
  if (kindOf(*higher) == 2) return complexOf(*higher);
  return promote(*higher, *lower);
}

}  // namespace

ir::DType resultType(std::span<const ir::Argument> operands) {
  Group dimensioned, zeroDim, numbers;
  for (const ir::Argument& operand : operands) {
    if (auto* const* value = std::get_if<ir::Value*>(&operand)) {
      if ((*value)->kind() == ir::ValueKind::Int) join(numbers, DType::Int64);
      if ((*value)->kind() == ir::ValueKind::Float) join(numbers, DType::Float32);
      if ((*value)->kind() == ir::ValueKind::Bool) join(numbers, DType::Bool);
      if ((*value)->isTensor()) join((*value)->type().rank() == 0 ? zeroDim : dimensioned, (*value)->type().dtype);
    } else if (std::holds_alternative<int64_t>(operand)) {
      join(numbers, DType::Int64);
    } else if (std::holds_alternative<double>(operand)) {
      join(numbers, DType::Float32);
    } else if (std::holds_alternative<bool>(operand)) {
      join(numbers, DType::Bool);
    }
  }
  const Group result = combine(dimensioned, combine(zeroDim, numbers));
  check(result.has_value(), "a result type was asked for without operands");
  return *result;
}

}  // namespace exportdeck::passes
