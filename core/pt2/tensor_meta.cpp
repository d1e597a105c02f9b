#include "pt2/tensor_meta.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "base/text.h"
#include "pt2/sympy.h"

namespace exportdeck::pt2 {

namespace {

using ir::DType;

constexpr int64_t kStrided = 7;

struct DTypeNumber {
  int64_t number;
  DType dtype;
};
// torch/_export/serde/schema.py, ScalarType.
constexpr DTypeNumber kDTypeNumbers[] = {
    {1, DType::UInt8},           {2, DType::Int8},
    {3, DType::Int16},           {4, DType::Int32},
    {5, DType::Int64},           {6, DType::Float16},
    {7, DType::Float32},         {8, DType::Float64},
    {9, DType::Complex32},       {10, DType::Complex64},
    {11, DType::Complex128},     {12, DType::Bool},
    {13, DType::BFloat16},       {28, DType::UInt16},
    {29, DType::Float8E4M3FN},   {30, DType::Float8E5M2},
    {31, DType::Float8E4M3FNUZ}, {32, DType::Float8E5M2FNUZ},
    {33, DType::Float8E8M0FNU},  {34, DType::UInt32},
    {35, DType::UInt64},
};

ir::Shape symInts(json::Element element, const RangeConstraints& constraints, std::string_view what) {
  ir::Shape result;
  for (const json::Element item : json::array(element, what)) result.push_back(constraints.symInt(item, what));
  return result;
}

// Whether elements lie as in a row-major tensor: dimensions of size 1 and empty tensors have no say.
bool isRowMajor(const std::vector<ir::SymInt>& shape, const std::vector<ir::SymInt>& strides) {
  int64_t expected = 1;
  bool rowMajor = true;
  for (size_t i = shape.size(); i-- > 0;) {
    const int64_t size = shape[i].value();
    if (size == 0) return true;
    if (size == 1) continue;
    rowMajor = rowMajor && strides[i].value() == expected;
    if (__builtin_mul_overflow(expected, size, &expected)) return false;
  }
  return rowMajor;
}

// No bound is null, or infinite in older archives.
std::optional<int64_t> bound(std::optional<json::Element> element) {
  constexpr std::string_view kWhat = "range_constraints";
  if (!element || (element->is_string() && std::isinf(json::number(*element, kWhat)))) return std::nullopt;
  return json::integer(*element, kWhat);
}

// Shapes come from a file: their element count must be a number before anything multiplies them.
void checkShape(const ir::TensorType& type, std::string_view what) {
  int64_t bytes = static_cast<int64_t>(ir::sizeOf(type.dtype));
  bool overflow = false;
  for (const auto& size : type.shape) {
    if (!size.isStatic()) continue;
    if (size.value() < 0) json::malformed(what, "has a negative size");
    // Zero counts as one, so that the product of every subset of the sizes stays a number.
    overflow = overflow || __builtin_mul_overflow(bytes, std::max<int64_t>(size.value(), 1), &bytes);
  }
  if (overflow) json::malformed(what, "has more elements than a 64-bit size can count");
}

}  // namespace

RangeConstraints::RangeConstraints(json::Object constraints) {
  for (const auto field : constraints) {
    const json::Object range = json::object(field.value, "range_constraints");
    Bounds bounds;
    bounds.lower = bound(json::find(range, "min_val"));
    bounds.upper = bound(json::find(range, "max_val"));
    bounds_.emplace(field.key, bounds);
  }
}

void RangeConstraints::limit(const std::string& symbol, int64_t upper) {
  const auto known = bounds_.find(symbol);
  if (known == bounds_.end()) {
    std::vector<std::string> names;
    for (const auto& [name, bounds] : bounds_) names.push_back(name);
    std::sort(names.begin(), names.end());
    throw ExportError(Code::OptionInvalid, concat("the program has no size ", symbol, " that could be bounded"),
                      {names.empty() ? "All its sizes are fixed: leave the bound out"
                                     : concat("Its sizes that change are ", join(names, ", "))});
  }
  Bounds& bounds = known->second;
  if (upper < bounds.lower.value_or(0) || upper > bounds.upper.value_or(upper)) {
    throw ExportError(
        Code::OptionInvalid,
        concat("the bound ", upper, " of the size ", symbol, " is outside what the program was exported for, ",
               bounds.lower.value_or(0), " to ", bounds.upper ? concat(*bounds.upper) : "any"),
        {"Choose a bound inside, or export the program again with another range in torch.export.Dim"});
  }
  bounds.upper = upper;
}

void RangeConstraints::assume(const std::string& symbol, int64_t upper) {
  Bounds& bounds = bounds_[symbol];
  if (!bounds.upper) bounds.upper = upper;
}

ir::SymInt RangeConstraints::symInt(json::Element element, std::string_view what) const {
  const auto [tag, value] = json::tagged(element, what);
  if (tag == "as_int") return json::integer(value, what);
  if (tag != "as_expr") json::malformed(what, concat("has a size of unknown kind ", tag));
  const std::string_view text = json::string(json::at(json::object(value, what), "expr_str"), what);
  return sizeExpression(text, [this](std::string_view name) { return symbol(std::string(name)); });
}

ir::SymInt RangeConstraints::symbol(const std::string& name) const {
  const auto known = bounds_.find(name);
  // Sizes are never negative, whatever the archive leaves open, and PyTorch traces inputs (s0) that are not empty; a
  // size that depends on data (u0) may be 0.
  const int64_t least = name.starts_with('s') ? 1 : 0;
  if (known == bounds_.end()) return ir::SymInt::symbol(name, least, {});
  return ir::SymInt::symbol(name, std::max(known->second.lower.value_or(least), least), known->second.upper);
}

ir::DType dtypeOf(json::Element element, std::string_view what) {
  const int64_t number = json::integer(element, what);
  const auto found = std::find_if(std::begin(kDTypeNumbers), std::end(kDTypeNumbers),
                                  [&](const auto& entry) { return entry.number == number; });
  if (found == std::end(kDTypeNumbers)) {
    throw ExportError(Code::DtypeUnsupported, concat(what, " has the unknown dtype number ", number),
                      {"convert the tensor to a common dtype such as float32 before exporting"});
  }
  return found->dtype;
}

TensorMeta readTensorMeta(json::Element element, const RangeConstraints& constraints, std::string_view what) {
  const json::Object fields = json::object(element, what);
  if (const auto layout = json::find(fields, "layout"); layout && json::integer(*layout, what) != kStrided) {
    throw ExportError(Code::ShapeUnsupported, concat(what, " is a sparse tensor"),
                      {"convert it with .to_dense() before exporting"});
  }
  TensorMeta meta;
  meta.type.dtype = dtypeOf(json::at(fields, "dtype"), what);
  meta.type.shape = symInts(json::at(fields, "sizes"), constraints, what);
  meta.strides = symInts(json::at(fields, "strides"), constraints, what);
  if (const auto offset = json::find(fields, "storage_offset")) meta.storageOffset = constraints.symInt(*offset, what);
  if (meta.strides.size() != meta.type.rank()) json::malformed(what, "has another number of strides than of sizes");
  checkShape(meta.type, what);
  const auto isStatic = [](const ir::SymInt& size) { return size.isStatic(); };
  if (meta.type.isStatic() && std::all_of(meta.strides.begin(), meta.strides.end(), isStatic) &&
      !isRowMajor(meta.type.shape, meta.strides)) {
    for (const auto& stride : meta.strides) meta.type.strides.push_back(stride.value());
  }
  return meta;
}

}  // namespace exportdeck::pt2
