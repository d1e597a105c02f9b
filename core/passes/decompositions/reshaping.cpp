// Operators that only give other sizes, or repeat along size-1 dimensions: the result's type says it all.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

Results asView(Builder& build, const Node& node) {
  return {build.view(node.value(0), resultSizes(node))};
}

Results asExpand(Builder& build, const Node& node) {
  return {build.expand(node.value(0), resultSizes(node))};
}

// atleast_2d and the like on a list of tensors.
Results asViews(Builder& build, const Node& node) {
  Results out;
  const ir::ValueList parts = node.values(0);
  for (size_t i = 0; i < parts.size(); ++i) out.push_back(build.view(parts[i], sizesOf(node.output(i))));
  return out;
}

Results broadcastTensors(Builder& build, const Node& node) {
  Results out;
  const ir::ValueList parts = node.values(0);
  for (size_t i = 0; i < parts.size(); ++i) out.push_back(build.expand(parts[i], sizesOf(node.output(i))));
  return out;
}

// Vectors become the sides of a grid; with "xy" the first two dimensions change places.
Results meshgrid(Builder& build, const Node& node) {
  const ir::ValueList parts = node.values(0);
  const bool swapped = node.is("aten.meshgrid.indexing") && node.stringArg(1) == "xy" && parts.size() >= 2;
  Results out;
  for (size_t i = 0; i < parts.size(); ++i) {
    Sizes sides(parts.size(), 1);
    sides[swapped && i < 2 ? 1 - i : i] = parts[i]->type().elements();
    out.push_back(build.expand(build.view(parts[i], sides), sizesOf(node.output(i))));
  }
  return out;
}

}  // namespace

void registerReshaping(DecompositionRegistry& registry) {
  registry.add({"aten.view.default",         "aten.reshape.default",
                "aten._unsafe_view.default", "aten._reshape_alias.default",
                "aten.flatten.using_ints",   "aten.unflatten.int",
                "aten.squeeze.default",      "aten.squeeze.dim",
                "aten.squeeze.dims",         "aten.squeeze_copy.default",
                "aten.squeeze_copy.dim",     "aten.squeeze_copy.dims",
                "aten.unsqueeze.default",    "aten.unsqueeze_copy.default",
                "aten.view_as.default",      "aten.reshape_as.default",
                "aten.ravel.default",        "aten.atleast_1d.default",
                "aten.atleast_2d.default",   "aten.atleast_3d.default"},
               asView);
  registry.add({"aten.expand.default", "aten.expand_as.default", "aten.broadcast_to.default"}, asExpand);
  registry.add({"aten.atleast_1d.Sequence", "aten.atleast_2d.Sequence", "aten.atleast_3d.Sequence"}, asViews);
  registry.add({"aten.broadcast_tensors.default"}, broadcastTensors);
  registry.add({"aten.meshgrid.default", "aten.meshgrid.indexing"}, meshgrid);
}

}  // namespace exportdeck::passes::decompositions
