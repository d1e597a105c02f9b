#include "passes/kernel_limits.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace exportdeck::passes {

namespace {

using Limit = std::string (*)(const ir::Node& call);

// kernels/portable/cpu/util/kernel_ops_util.cpp, check_convolution_args
std::string convolution(const ir::Node& call) {
  const size_t rank = call.value(0)->type().rank();
  return rank == 3 || rank == 4 ? "" : concat("it convolves ", rank - 2, " spatial dimensions, and the kernel 1 or 2");
}

// kernels/portable/cpu/op_constant_pad_nd.cpp
std::string constantPad(const ir::Node& call) {
  const ir::Sizes pads = call.ints(1);
  return std::any_of(pads.begin(), pads.end(), [](int64_t pad) { return pad < 0; }) ? "it pads by a negative number"
                                                                                    : "";
}

// kernels/portable/cpu/op_cumsum.cpp
std::string cumulativeSum(const ir::Node& call) {
  return call.value(0)->type().rank() == 0 ? "its operand has no dimension" : "";
}

// kernels/optimized/cpu/op_sum.cpp: over no elements it does not end.
std::string reduction(const ir::Node& call) {
  const ir::TensorType& type = call.value(0)->type();
  if (type.isEmpty()) return "its operand has no elements";
  return type.count().lower().value_or(0) < 1 ? "its operand may have no elements" : "";
}

// kernels/portable/cpu/op_cat.cpp leaves out what has no elements, and its sizes with it.
std::string concatenation(const ir::Node& call) {
  const size_t rank = call.output()->type().rank();
  const int64_t joined = rank == 0 ? 0 : ir::wrapDim(call.intArg(1), rank);
  for (int64_t dim = 0; dim < static_cast<int64_t>(rank); ++dim) {
    const ir::SymInt& size = call.output()->type().dim(dim);
    if (dim != joined && !size.isStatic() && size.lower().value_or(0) < 1) return "its operands may have no elements";
  }
  return {};
}

// kernels/portable/cpu/op_clamp.cpp: a bound must be a value of the result's type.
std::string clampBounds(const ir::Node& call) {
  const ir::DType dtype = call.output()->type().dtype;
  if (ir::isFloating(dtype)) return {};
  const int bits = static_cast<int>(8 * ir::sizeOf(dtype));
  const bool isSigned = dtype != ir::DType::UInt8 && dtype != ir::DType::Bool;
  const double highest = std::ldexp(1.0, isSigned ? bits - 1 : bits);
  const double lowest = isSigned ? -highest : 0;
  for (const size_t bound : {size_t{1}, size_t{2}}) {
    if (call.isNone(bound)) continue;
    if (call.floatArg(bound) < lowest || call.floatArg(bound) >= highest)
      return "a bound is no value of its element type";
  }
  return {};
}

// kernels/portable/cpu/op_native_batch_norm.cpp: without training the statistics have no elements.
std::string savedStatistics(const ir::Node& call) {
  const bool empty = call.output(1)->type().isEmpty() && call.output(2)->type().isEmpty();
  return empty ? "" : "its saved statistics are read, and the kernel gives none";
}

struct KernelLimit {
  std::string_view kernel;
  Limit limit;
};
constexpr KernelLimit kLimits[] = {
    {"aten.convolution.out", convolution}, {"aten.constant_pad_nd.out", constantPad},
    {"aten.cumsum.out", cumulativeSum},    {"aten.cat.out", concatenation},
    {"aten.sum.IntList_out", reduction},   {"aten.mean.out", reduction},
    {"aten.clamp.out", clampBounds},       {"aten._native_batch_norm_legit_no_training.out", savedStatistics},
};

}  // namespace

std::string kernelLimit(const ir::Node& call) {
  const auto found = std::find_if(std::begin(kLimits), std::end(kLimits),
                                  [&](const KernelLimit& entry) { return call.is(entry.kernel); });
  return found == std::end(kLimits) ? std::string() : found->limit(call);
}

}  // namespace exportdeck::passes
