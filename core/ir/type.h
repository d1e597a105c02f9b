// Types of the values in a graph.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// A symbolic size as the archive states it; a static size has none.
struct SymExpr {
  std::string text;  // "s77", or the source expression where it is compound
  std::optional<int64_t> lower, upper;
};

// A size: a number, or a symbol with bounds.
class SymInt {
 public:
  SymInt(int64_t value = 0) : value_(value) {}  // NOLINT(google-explicit-constructor): sizes are mostly numbers
  explicit SymInt(std::shared_ptr<const SymExpr> expr) : expr_(std::move(expr)) {}
  bool isStatic() const { return !expr_; }
  int64_t value() const;  // throws Code::Fault when symbolic
  const SymExpr* expr() const { return expr_.get(); }
  std::string text() const;
  bool operator==(const SymInt& other) const;

 private:
  int64_t value_ = 0;
  std::shared_ptr<const SymExpr> expr_;
};

using Sizes = std::vector<int64_t>;

struct TensorType {
  DType dtype = DType::Float32;
  std::vector<SymInt> shape;
  // Strides in elements where the archive recorded other than row-major ones (an input in channels-last, say); else
  // empty. A statement about the user's side only: every value inside the graph is computed as a logical, row-major
  // tensor.
  Sizes strides;

  TensorType() = default;
  TensorType(DType type, const Sizes& sizes) : dtype(type), shape(sizes.begin(), sizes.end()) {}

  size_t rank() const { return shape.size(); }
  bool isStatic() const;
  Sizes sizes() const;              // throws Code::Fault when symbolic
  int64_t size(int64_t dim) const;  // negative counts from the end
  int64_t elements() const;         // product of the sizes; throws when symbolic
  uint64_t bytes() const { return static_cast<uint64_t>(elements()) * sizeOf(dtype); }
  std::string text() const;  // "f32[1,3,s0]"
  bool operator==(const TensorType& other) const { return dtype == other.dtype && shape == other.shape; }
};

// Python indexing: -1 is the last of `rank` dimensions. Throws Code::GraphInvalid when out of range. Rank 0 counts
// as 1.
int64_t wrapDim(int64_t dim, size_t rank);
Sizes rowMajorStrides(const Sizes& sizes);

}  // namespace exportdeck::ir
