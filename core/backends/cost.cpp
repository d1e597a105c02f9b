#include "backends/cost.h"

#include <array>
#include <string_view>

namespace exportdeck::backends {

namespace {

// For which operand and from which of its dimensions on the product of sizes gives the length of the sum for one
// result.
struct SumLength {
  std::string_view op;
  size_t operand;
  int64_t firstDim;
};
constexpr std::array<SumLength, 5> kSums = {{
    {"aten.convolution.default", 1, 1},
    {"aten.linear.default", 1, 1},
    {"aten.mm.default", 0, 1},
    {"aten.addmm.default", 1, 1},
    {"aten.bmm.default", 0, 2},
}};

uint64_t productFrom(const ir::TensorType& type, int64_t firstDim) {
  uint64_t product = 1;
  for (int64_t dim = firstDim; dim < static_cast<int64_t>(type.rank()); ++dim)
    product *= static_cast<uint64_t>(type.size(dim));
  return product;
}

}  // namespace

uint64_t multiplyAdds(const ir::Node& node) {
  for (const SumLength& sum : kSums) {
    if (!node.is(sum.op)) continue;
    const ir::TensorType& operand = node.value(sum.operand)->type();
    const ir::TensorType& result = node.output()->type();
    if (!operand.isStatic() || !result.isStatic()) return 0;
    // A transposed convolution spreads each input over outputs/group results.
    if (node.is("aten.convolution.default") && node.boolArg(6)) {
      const ir::TensorType& input = node.value(0)->type();
      return input.isStatic() ? static_cast<uint64_t>(input.elements()) * productFrom(operand, 1) : 0;
    }
    return static_cast<uint64_t>(result.elements()) * productFrom(operand, sum.firstDim);
  }
  return 0;
}

uint64_t resultBytes(const ir::Node& node) {
  uint64_t bytes = 0;
  for (const ir::Value* output : node.outputs()) {
    if (output->isTensor() && output->type().isStatic()) bytes += output->type().bytes();
  }
  return bytes;
}

}  // namespace exportdeck::backends
