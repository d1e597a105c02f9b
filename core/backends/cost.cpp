#include "backends/cost.h"

#include <array>
#include <optional>
#include <string_view>

namespace exportdeck::backends {

namespace {

// For which operand and from which of its dimensions on the product of sizes gives the length of the sum for one
// result.
struct SumLength {
  std::string_view op;
  size_t operand;
  size_t firstDim;
};
constexpr std::array<SumLength, 6> kSums = {{
    {"exportdeck.dynamic_linear.default", 1, 1},
    {"aten.convolution.default", 1, 1},
    {"aten.linear.default", 1, 1},
    {"aten.mm.default", 0, 1},
    {"aten.addmm.default", 1, 1},
    {"aten.bmm.default", 0, 2},
}};

// Of sizes that are known only at run time the largest counts; nothing where one has no bound.
std::optional<ir::Sizes> sizesOf(const ir::Value* value) {
  return value->type().bounds();
}

uint64_t productFrom(const ir::Sizes& sizes, size_t firstDim) {
  uint64_t product = 1;
  for (size_t dim = firstDim; dim < sizes.size(); ++dim) product *= static_cast<uint64_t>(sizes[dim]);
  return product;
}

}  // namespace

uint64_t multiplyAdds(const ir::Node& node) {
  for (const SumLength& sum : kSums) {
    if (!node.is(sum.op)) continue;
    const auto operand = sizesOf(node.value(sum.operand)), result = sizesOf(node.output());
    if (!operand || !result) return 0;
    // A transposed convolution spreads each input over outputs/group results.
    if (node.is("aten.convolution.default") && node.boolArg(6)) {
      const auto input = sizesOf(node.value(0));
      return input ? productFrom(*input, 0) * productFrom(*operand, 1) : 0;
    }
    return productFrom(*result, 0) * productFrom(*operand, sum.firstDim);
  }
  return 0;
}

uint64_t resultBytes(const ir::Node& node) {
  uint64_t bytes = 0;
  for (const ir::Value* output : node.outputs()) {
    if (!output->isTensor()) continue;
    if (const auto sizes = sizesOf(output)) bytes += productFrom(*sizes, 0) * ir::sizeOf(output->type().dtype);
  }
  return bytes;
}

}  // namespace exportdeck::backends
