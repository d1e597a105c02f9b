#include "ir/type.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck::ir {

namespace {

// In the order of DType, so that a dtype is its own index.
constexpr DTypeInfo kDTypes[] = {
    {DType::Bool, "bool", "bool", 1},
    {DType::UInt8, "u8", "uint8", 1},
    {DType::Int8, "i8", "int8", 1},
    {DType::Int16, "i16", "int16", 2},
    {DType::Int32, "i32", "int32", 4},
    {DType::Int64, "i64", "int64", 8},
    {DType::UInt16, "u16", "uint16", 2},
    {DType::UInt32, "u32", "uint32", 4},
    {DType::UInt64, "u64", "uint64", 8},
    {DType::Float16, "f16", "float16", 2},
    {DType::BFloat16, "bf16", "bfloat16", 2},
    {DType::Float32, "f32", "float32", 4},
    {DType::Float64, "f64", "float64", 8},
    {DType::Complex32, "c32", "complex32", 4},
    {DType::Complex64, "c64", "complex64", 8},
    {DType::Complex128, "c128", "complex128", 16},
    {DType::Float8E4M3FN, "f8e4m3fn", "float8_e4m3fn", 1},
    {DType::Float8E5M2, "f8e5m2", "float8_e5m2", 1},
    {DType::Float8E4M3FNUZ, "f8e4m3fnuz", "float8_e4m3fnuz", 1},
    {DType::Float8E5M2FNUZ, "f8e5m2fnuz", "float8_e5m2fnuz", 1},
    {DType::Float8E8M0FNU, "f8e8m0fnu", "float8_e8m0fnu", 1},
};

// Rank within a category; PyTorch promotes to the higher category, then to the higher rank.
int category(DType dtype) {
  if (isComplex(dtype)) return 3;
  if (isFloating(dtype)) return 2;
  return dtype == DType::Bool ? 0 : 1;
}

}  // namespace

const DTypeInfo& info(DType dtype) {
  return kDTypes[static_cast<size_t>(dtype)];
}

std::optional<DType> dtypeNamed(std::string_view name) {
  for (const DTypeInfo& entry : kDTypes) {
    if (name == entry.name || name == entry.torch) return entry.dtype;
  }
  return std::nullopt;
}

bool isComplex(DType dtype) {
  return dtype == DType::Complex32 || dtype == DType::Complex64 || dtype == DType::Complex128;
}

bool isFloating(DType dtype) {
  return (dtype >= DType::Float16 && dtype <= DType::Float64) || dtype >= DType::Float8E4M3FN;
}

bool isIntegral(DType dtype) {
  return dtype >= DType::UInt8 && dtype <= DType::UInt64;
}

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (category(a) != category(b)) {
    const DType high = category(a) > category(b) ? a : b;
    const DType low = high == a ? b : a;
    // A complex type must hold the other's precision too.
    if (isComplex(high) && low == DType::Float64) return DType::Complex128;
    return high;
  }
  if (isFloating(a) &&
      ((a == DType::Float16 && b == DType::BFloat16) || (a == DType::BFloat16 && b == DType::Float16))) {
    return DType::Float32;
  }
  if (isIntegral(a)) {
    if (a == DType::UInt8 && b == DType::Int8) return DType::Int16;
    if (a == DType::Int8 && b == DType::UInt8) return DType::Int16;
    if (a == DType::UInt8 || b == DType::UInt8) return a == DType::UInt8 ? b : a;
  }
  return a > b ? a : b;
}

Shape::operator Sizes() const {
  Sizes out;
  out.reserve(size());
  for (const SymInt& number : *this) out.push_back(number.value());
  return out;
}

bool Shape::isStatic() const {
  return std::all_of(begin(), end(), [](const SymInt& number) { return number.isStatic(); });
}

std::string Shape::text() const {
  std::vector<std::string> parts;
  for (const SymInt& number : *this) parts.push_back(number.text());
  return join(parts, ",");
}

bool TensorType::isStatic() const {
  return shape.isStatic();
}

Sizes TensorType::sizes() const {
  return shape;
}

int64_t TensorType::size(int64_t dim) const {
  return shape.at(static_cast<size_t>(wrapDim(dim, rank()))).value();
}

int64_t TensorType::elements() const {
  int64_t count = 1;
  for (const SymInt& size : shape) {
    if (__builtin_mul_overflow(count, size.value(), &count)) {
      throw ExportError(Code::ShapeUnsupported, concat("the tensor ", text(), " has more elements than 64 bits count"));
    }
  }
  return count;
}

bool TensorType::isEmpty() const {
  return std::any_of(shape.begin(), shape.end(), [](const SymInt& size) { return size == 0; });
}

const SymInt& TensorType::dim(int64_t at) const {
  return shape.at(static_cast<size_t>(wrapDim(at, rank())));
}

SymInt TensorType::count() const {
  SymInt product = 1;
  for (const SymInt& size : shape) product *= size;
  return product;
}

std::optional<Sizes> TensorType::bounds() const {
  Sizes out;
  for (const SymInt& size : shape) {
    const std::optional<int64_t> upper = size.upper();
    if (!upper) return std::nullopt;
    out.push_back(*upper);
  }
  return out;
}

std::string TensorType::text() const {
  return concat(info(dtype).name, "[", shape.text(), "]");
}

int64_t wrapDim(int64_t dim, size_t rank) {
  const auto limit = static_cast<int64_t>(std::max<size_t>(rank, 1));
  if (dim < -limit || dim >= limit) {
    throw ExportError(Code::GraphInvalid,
                      concat("dimension ", dim, " is out of range for a tensor of ", rank, " dimensions"));
  }
  return dim < 0 ? dim + limit : dim;
}

Sizes rowMajorStrides(const Sizes& sizes) {
  Sizes strides(sizes.size(), 1);
  for (size_t k = sizes.size(); k-- > 1;) strides[k - 1] = strides[k] * std::max<int64_t>(sizes[k], 1);
  return strides;
}

}  // namespace exportdeck::ir
