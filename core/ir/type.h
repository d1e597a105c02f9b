// Types of the values in a graph.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/symbolic.h"

namespace exportdeck::ir {

enum class DType : uint8_t {
  Bool,
  UInt8,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt16,
  UInt32,
  UInt64,
  Float16,
  BFloat16,
  Float32,
  Float64,
  Complex32,
  Complex64,
  Complex128,
  Float8E4M3FN,
  Float8E5M2,
  Float8E4M3FNUZ,
  Float8E5M2FNUZ,
  Float8E8M0FNU,
};

struct DTypeInfo {
  DType dtype;
  const char* name;   // short, as the text dump writes it: "f32", "i64", "bool"
  const char* torch;  // PyTorch's name: "float32"
  uint8_t size;       // bytes an element
};
const DTypeInfo& info(DType dtype);
std::optional<DType> dtypeNamed(std::string_view shortOrTorchName);
inline uint64_t sizeOf(DType dtype) {
  return info(dtype).size;
}
bool isFloating(DType dtype);  // real floating types
bool isComplex(DType dtype);
bool isIntegral(DType dtype);  // without bool
// PyTorch's promotion of two dtypes that both belong to dimensioned tensors.
DType promote(DType a, DType b);

using Sizes = std::vector<int64_t>;
// Sizes of which some may be known only at run time. Where numbers are asked of them, Code::ShapeUnsupported is thrown
// for one that is symbolic.
class Shape : public std::vector<SymInt> {
 public:
  using std::vector<SymInt>::vector;
  Shape(const Sizes& sizes) : std::vector<SymInt>(sizes.begin(), sizes.end()) {}  // NOLINT(google-explicit-constructor)
  operator Sizes() const;                                                         // NOLINT(google-explicit-constructor)
  bool isStatic() const;
  std::string text() const;  // "1,3,s0"
};

struct TensorType {
  DType dtype = DType::Float32;
  Shape shape;
  // Strides in elements where the archive recorded other than row-major ones (an input in channels-last, say); else
  // empty. A statement about the user's side only: every value inside the graph is computed as a logical, row-major
  // tensor.
  Sizes strides;

  TensorType() = default;
  TensorType(DType type, Shape sizes) : dtype(type), shape(std::move(sizes)) {}
  TensorType(DType type, std::initializer_list<SymInt> sizes) : dtype(type), shape(sizes) {}

  size_t rank() const { return shape.size(); }
  bool isStatic() const;
  // These throw Code::ShapeUnsupported when a size that they need is symbolic.
  Sizes sizes() const;
  int64_t size(int64_t dim) const;  // negative counts from the end
  int64_t elements() const;         // product of the sizes
  uint64_t bytes() const { return static_cast<uint64_t>(elements()) * sizeOf(dtype); }
  bool isEmpty() const;                 // a size is 0
  const SymInt& dim(int64_t at) const;  // as size(), symbolic or not
  SymInt count() const;                 // as elements(), symbolic or not
  // The largest size that each dimension may have; nothing where one has no bound.
  std::optional<Sizes> bounds() const;
  std::string text() const;  // "f32[1,3,s0]"
  bool operator==(const TensorType& other) const { return dtype == other.dtype && shape == other.shape; }
};

// Python indexing: -1 is the last of `rank` dimensions. Throws Code::GraphInvalid when out of range. Rank 0 counts
// as 1.
int64_t wrapDim(int64_t dim, size_t rank);
Sizes rowMajorStrides(const Sizes& sizes);

}  // namespace exportdeck::ir
