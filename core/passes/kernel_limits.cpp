#include "passes/kernel_limits.h"

#include <algorithm>

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
  return std::any_of(pads.begin(), pads.end(), [](int64_t pad) { return pad < 0; }) ? "it pads by a negative number" : "";
}

struct KernelLimit {
  std::string_view kernel;
  Limit limit;
};
constexpr KernelLimit kLimits[] = {
    {"aten.convolution.out", convolution},
    {"aten.constant_pad_nd.out", constantPad},
};

}  // namespace

std::string kernelLimit(const ir::Node& call) {
  const auto found = std::find_if(std::begin(kLimits), std::end(kLimits), [&](const KernelLimit& entry) { return call.is(entry.kernel); });
  return found == std::end(kLimits) ? std::string() : found->limit(call);
}

}  // namespace exportdeck::passes
