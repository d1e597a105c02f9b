#include "passes/index_put_in_place.h"

#include <algorithm>

#include "ops/schema.h"

namespace exportdeck::passes {

namespace {

constexpr const char* kInPlace = "aten.index_put_.default";

// Below it, copies cost less than the kernels that count negative numbers from the end.
constexpr uint64_t kSmallState = 4096;

// The dimension of the one index that there is.
std::optional<size_t> onlyIndex(const ir::ValueList& indices) {
  const auto isThere = [](const ir::Value* index) { return index != nullptr; };
  if (std::count_if(indices.begin(), indices.end(), isThere) != 1) return std::nullopt;
  return static_cast<size_t>(std::find_if(indices.begin(), indices.end(), isThere) - indices.begin());
}

bool isNeverNegative(const ir::Value* index) {
  if (!index->isConstant()) return false;
  const std::vector<double> numbers = readAsDoubles(*index->constant());
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return number >= 0; });
}

// The sizes of what the index picks.
ir::Sizes pickedSizes(const ir::Value* x, size_t dim, const ir::Value* index) {
  ir::Sizes sizes = x->type().sizes();
  sizes[dim] = index->type().elements();
  return sizes;
}

// Whether values of these sizes stand for `picked` without being repeated.
bool fits(const ir::Sizes& values, const ir::Sizes& picked) {
  if (values.size() > picked.size()) return false;
  const size_t missing = picked.size() - values.size();
  return std::all_of(picked.begin(), picked.begin() + static_cast<std::ptrdiff_t>(missing),
                     [](int64_t size) { return size == 1; }) &&
         std::equal(values.begin(), values.end(), picked.begin() + static_cast<std::ptrdiff_t>(missing));
}

}  // namespace

bool IndexPutInPlace::has(std::string_view op) const {
  const ops::KernelInfo* kernel = ops::kernelFor(op);
  return kernel != nullptr && (runtime_ == nullptr || runtime_->has(*kernel));
}

bool IndexPutInPlace::takes(const ir::Node& indexPut) const {
  const ir::ValueList indices = indexPut.values(1);
  const auto dim = onlyIndex(indices);
  if (!dim || indexPut.boolArg(3) || !has(kInPlace)) return false;
  const ir::Value *x = indexPut.value(0), *index = indices[*dim], *values = indexPut.value(2);
  const ir::DType counted = index->type().dtype;
  if (counted != ir::DType::Int64 && counted != ir::DType::Int32) return false;
  if (!x->type().isStatic() || !index->type().isStatic() || !values->type().isStatic()) return false;
  if (index->type().rank() != 1 || *dim >= x->type().rank() || values->type().dtype != x->type().dtype) return false;
  if (!fits(values->type().sizes(), pickedSizes(x, *dim, index))) return false;
  if (isNeverNegative(index)) return true;
  return x->type().bytes() >= kSmallState && has("aten.lt.Scalar") && has("aten.add.Tensor") && has("aten.where.self");
}

ir::Value* IndexPutInPlace::fromStart(ir::Node& indexPut, ir::Value* index, int64_t size) {
  if (isNeverNegative(index)) return index;
  ir::Value*& counted = fromStart_[{index, size}];
  if (!counted) {
    Builder build(indexPut.graph(), indexPut, pool_);
    ir::Value* isNegative = build.compare("aten.lt.Scalar", index, int64_t{0});
    ir::Value* fromEnd = build.add(index, static_cast<double>(size));
    counted = build.where(isNegative, fromEnd, index);
  }
  return counted;
}

void IndexPutInPlace::convert(ir::Node& indexPut) {
  ir::ValueList indices = indexPut.values(1);
  const size_t dim = onlyIndex(indices).value();
  ir::Value* x = indexPut.value(0);
  const ir::Sizes picked = pickedSizes(x, dim, indices[dim]);
  indices[dim] = fromStart(indexPut, indices[dim], x->type().size(static_cast<int64_t>(dim)));
  ir::Value* values = Builder(indexPut.graph(), indexPut, pool_).view(indexPut.value(2), picked);
  indexPut.setArg(1, indices);
  indexPut.setArg(2, values);
  indexPut.setOp(kInPlace);
}

}  // namespace exportdeck::passes
