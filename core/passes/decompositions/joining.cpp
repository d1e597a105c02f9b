// Operators that put tensors together become concatenations.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

Results stack(Builder& build, const Node& node) {
  const ir::ValueList given = node.values(0);
  const int64_t dim = ir::wrapDim(node.intArg(1), rankOf(node.output()));
  Results parts;
  for (Value* part : given) parts.push_back(build.unsqueeze(build.cast(part, resultDType(node)), dim));
  return {build.cat(parts, dim)};
}

// A part with the sizes [0] joins anything, whatever its rank; parts without elements add nothing.
Results cat(Builder& build, const Node& node) {
  const ir::ValueList given = node.values(0);
  const int64_t dim = ir::wrapDim(node.intArg(1), rankOf(node.output()));
  Results parts;
  bool plain = given.size() > 1;
  for (Value* part : given) {
    const bool empty = part->type().isEmpty();
    plain = plain && !empty && dtypeOf(part) == resultDType(node);
    if (!empty) parts.push_back(part);
  }
  if (plain && dim == node.intArg(1) && node.is("aten.cat.default")) return {};
  if (parts.empty()) return {build.full(resultSizes(node), int64_t{0}, resultDType(node))};
  for (Value*& part : parts) part = build.cast(part, resultDType(node));
  return {build.cat(parts, dim)};
}

// hstack, vstack, dstack and column_stack: raise the rank, then join along a fixed dimension.
Results stackAlong(Builder& build, const Node& node, size_t leastRank, int64_t dim) {
  Results parts;
  for (Value* part : node.values(0)) {
    Sizes sizes = sizesOf(part);
    if (leastRank == 3) {
      if (sizes.size() < 2) sizes.insert(sizes.begin(), 2 - sizes.size(), 1);
      if (sizes.size() < 3) sizes.push_back(1);
    } else if (sizes.size() < leastRank) {
      sizes.insert(sizes.begin(), leastRank - sizes.size(), 1);
    }
    parts.push_back(build.view(build.cast(part, resultDType(node)), sizes));
  }
  return {build.cat(parts, dim)};
}

Results hstack(Builder& build, const Node& node) {
  return stackAlong(build, node, 1, rankOf(node.output()) == 1 ? 0 : 1);
}
Results vstack(Builder& build, const Node& node) {
  return stackAlong(build, node, 2, 0);
}
Results dstack(Builder& build, const Node& node) {
  return stackAlong(build, node, 3, 2);
}

Results columnStack(Builder& build, const Node& node) {
  Results parts;
  for (Value* part : node.values(0)) {
    Sizes sizes = sizesOf(part);
    if (sizes.size() < 2) sizes = {part->type().count(), 1};
    parts.push_back(build.view(build.cast(part, resultDType(node)), sizes));
  }
  return {build.cat(parts, 1)};
}

}  // namespace

void registerJoining(DecompositionRegistry& registry) {
  registry.add({"aten.stack.default"}, stack);
  registry.add({"aten.cat.default", "aten.concat.default", "aten.concatenate.default"}, cat);
  registry.add({"aten.hstack.default"}, hstack);
  registry.add({"aten.vstack.default", "aten.row_stack.default"}, vstack);
  registry.add({"aten.dstack.default"}, dstack);
  registry.add({"aten.column_stack.default"}, columnStack);
}

}  // namespace exportdeck::passes::decompositions
