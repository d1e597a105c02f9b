// Operators that only reorder dimensions become permute_copy.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

Results permute(Builder& build, const Node& node) {
  return {build.permute(node.value(0), node.ints(1))};
}

Results transpose(Builder& build, const Node& node) {
  return {build.transpose(node.value(0), node.intArg(1), node.intArg(2))};
}

// The last two dimensions change places.
Results transposeMatrix(Builder& build, const Node& node) {
  Value* x = node.value(0);
  return {rankOf(x) < 2 ? x : build.transpose(x, -2, -1)};
}

Results reverseDimensions(Builder& build, const Node& node) {
  Sizes order = range(rankOf(node.value(0)));
  std::reverse(order.begin(), order.end());
  return {build.permute(node.value(0), order)};
}

Results moveDimensions(Builder& build, const Node& node) {
  Value* x = node.value(0);
  return {build.permute(x, orderAfterMoves(node.ints(1), node.ints(2), rankOf(x)))};
}

}  // namespace

void registerPermuting(DecompositionRegistry& registry) {
  registry.add({"aten.permute.default"}, permute);
  registry.add({"aten.transpose.int", "aten.transpose_copy.int", "aten.swapaxes.default", "aten.swapdims.default"},
               transpose);
  registry.add({"aten.t.default", "aten.t_copy.default", "aten.mT.default"}, transposeMatrix);
  registry.add({"aten.numpy_T.default"}, reverseDimensions);
  registry.add({"aten.movedim.int", "aten.movedim.intlist", "aten.moveaxis.int", "aten.moveaxis.intlist"},
               moveDimensions);
}

}  // namespace exportdeck::passes::decompositions
