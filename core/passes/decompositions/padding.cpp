// Padding: a constant by its kernel, negative amounts by slices, a repeated or mirrored border by the kernels that
// exist.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

// Pads come as (before, after) from the last dimension to the first.
int64_t dimOf(const Value* x, size_t pair) {
  return static_cast<int64_t>(rankOf(x)) - 1 - static_cast<int64_t>(pair);
}

// Cuts where a pad is negative and sets it to 0.
Value* cropped(Builder& build, Value* x, Sizes& pads) {
  for (size_t i = 0; i < pads.size() / 2; ++i) {
    const int64_t dim = dimOf(x, i), before = std::max<int64_t>(-pads[2 * i], 0),
                  after = std::max<int64_t>(-pads[2 * i + 1], 0);
    x = build.slice(x, dim, before, x->type().size(dim) - after);
    pads[2 * i] = std::max<int64_t>(pads[2 * i], 0);
    pads[2 * i + 1] = std::max<int64_t>(pads[2 * i + 1], 0);
  }
  return x;
}

bool allZero(const Sizes& pads) {
  return std::all_of(pads.begin(), pads.end(), [](int64_t pad) { return pad == 0; });
}

Value* padConstant(Builder& build, Value* x, Sizes pads, const ir::Argument& value) {
  x = cropped(build, x, pads);
  if (allZero(pads)) return x;
  Sizes sizes = sizesOf(x);
  for (size_t i = 0; i < pads.size() / 2; ++i) sizes[sizes.size() - 1 - i] += pads[2 * i] + pads[2 * i + 1];
  return build.node("aten.constant_pad_nd.default", {x, intList(pads), value}, {dtypeOf(x), sizes});
}

// The far side of the tensor is put before its near side and the other way round, one dimension after the other.
Value* padCircular(Builder& build, Value* x, const Sizes& pads) {
  for (size_t i = 0; i < pads.size() / 2; ++i) {
    const int64_t dim = dimOf(x, i), size = x->type().size(dim);
    Results parts;
    if (pads[2 * i] > 0) parts.push_back(build.slice(x, dim, size - pads[2 * i], size));
    parts.push_back(x);
    if (pads[2 * i + 1] > 0) parts.push_back(build.slice(x, dim, 0, pads[2 * i + 1]));
    x = build.cat(parts, dim);
  }
  return x;
}

// The kernels want x with one or two dimensions more than are padded.
Value* padByKernel(Builder& build, Value* x, const std::string& kind, const Sizes& pads, const Sizes& result) {
  const std::string op = concat("aten.", kind, "_pad", pads.size() / 2, "d.default");
  return build.node(op, {x, intList(pads)}, {dtypeOf(x), result});
}

// (x, pads, mode, value)
Results pad(Builder& build, const Node& node) {
  Value* x = node.value(0);
  Sizes pads = node.ints(1);
  const std::string mode = node.stringArg(2);
  if (mode == "constant")
    return {padConstant(build, x, pads, node.isNone(3) ? ir::Argument(int64_t{0}) : node.args()[3])};
  if (allZero(pads)) return {x};
  if (std::any_of(pads.begin(), pads.end(), [](int64_t amount) { return amount < 0; })) return {};
  if (mode == "circular") return {padCircular(build, x, pads)};
  if (mode == "reflect") return {padByKernel(build, x, "reflection", pads, resultSizes(node))};
  if (mode == "replicate") return {padByKernel(build, x, "replication", pads, resultSizes(node))};
  return {};
}

// (x, pads, value), where x has negative pads.
Results constantPad(Builder& build, const Node& node) {
  const Sizes pads = node.ints(1);
  const bool plain = std::all_of(pads.begin(), pads.end(), [](int64_t amount) { return amount >= 0; });
  if (plain && !allZero(pads)) return {};
  return {padConstant(build, node.value(0), pads, node.args().at(2))};
}

}  // namespace

void registerPadding(DecompositionRegistry& registry) {
  registry.add({"aten.pad.default"}, pad);
  registry.add({"aten.constant_pad_nd.default"}, constantPad);
}

}  // namespace exportdeck::passes::decompositions
