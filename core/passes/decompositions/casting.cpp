// Every way to ask for another dtype becomes _to_copy; asking for the same one is nothing.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

Results cast(Builder& build, const Node& node) {
  return {build.cast(node.value(0), resultDType(node))};
}

// The copy itself has no other meaning in a graph of values.
Results toCopy(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (dtypeOf(x) != resultDType(node) && !x->isConstant()) return {};
  return {build.cast(x, resultDType(node))};
}

Results same(Builder&, const Node& node) {
  return {node.value(0)};
}

// The functional form of copy_: the source in the sizes and dtype of the target.
Results copy(Builder& build, const Node& node) {
  return {build.expand(build.cast(node.value(1), resultDType(node)), resultSizes(node))};
}

}  // namespace

void registerCasting(DecompositionRegistry& registry) {
  registry.add({"aten.to.dtype", "aten.to.dtype_layout", "aten.to.device", "aten.to.other", "aten.to.prim_Device",
                "aten.to.prim_dtype", "aten.type_as.default"},
               cast);
  registry.add({"aten._to_copy.default"}, toCopy);
  registry.add({"aten.clone.default", "aten.contiguous.default", "aten.alias.default", "aten.detach.default",
                "aten.lift_fresh_copy.default", "aten.lift_fresh.default", "aten.lift.default", "aten.positive.default",
                "aten.alias_copy.default", "aten.detach_copy.default"},
               same);
  registry.add({"aten.copy.default"}, copy);
}

}  // namespace exportdeck::passes::decompositions
