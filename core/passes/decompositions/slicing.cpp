// Operators that take a part of a tensor, or cut it into parts.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

ir::SymInt bound(const Node& node, size_t argument, int64_t fallback) {
  return node.isNone(argument) ? ir::SymInt(fallback) : node.symArg(argument);
}

Results slice(Builder& build, const Node& node) {
  constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
  return {build.slice(node.value(0), node.intArg(1), bound(node, 2, 0), bound(node, 3, kEnd), node.intArg(4))};
}

Results select(Builder& build, const Node& node) {
  return {build.select(node.value(0), node.intArg(1), node.symArg(2))};
}

Results narrow(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const int64_t dim = node.intArg(1);
  const ir::SymInt given = node.symArg(2);
  const ir::SymInt start = given.upper().value_or(0) < 0 ? given + x->type().dim(dim) : given;
  return {build.slice(x, dim, start, start + node.symArg(3))};
}

Results unbind(Builder& build, const Node& node) {
  Results out;
  for (size_t i = 0; i < node.outputs().size(); ++i) {
    out.push_back(build.select(node.value(0), node.intArg(1), static_cast<int64_t>(i)));
  }
  return out;
}

// The parts lie one behind the other; their sizes stand in the types of the results.
Results cut(Builder& build, const Node& node, int64_t dim) {
  Results out;
  ir::SymInt start = 0;
  for (const Value* part : node.outputs()) {
    const ir::SymInt size = part->type().dim(dim);
    out.push_back(build.slice(node.value(0), dim, start, start + size));
    start += size;
  }
  return out;
}

Results cutAtGivenDim(Builder& build, const Node& node) {
  return cut(build, node, node.intArg(2));
}

// Indices may leave gaps or overlap, so the parts are computed from them.
Results tensorSplitIndices(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const Sizes at = node.ints(1);
  const int64_t dim = node.intArg(2);
  Results out;
  for (size_t i = 0; i <= at.size(); ++i) {
    const ir::SymInt end = i < at.size() ? at[i] : x->type().dim(dim);
    out.push_back(build.slice(x, dim, i == 0 ? ir::SymInt(0) : at[i - 1], end));
  }
  return out;
}

// hsplit, vsplit and dsplit into equal parts.
Results splitFixedDim(Builder& build, const Node& node) {
  const char kind = node.op().at(sizeof("aten.") - 1);
  const int64_t dim = kind == 'v' ? 0 : kind == 'd' ? 2 : rankOf(node.value(0)) == 1 ? 0 : 1;
  return cut(build, node, dim);
}

Results diagonal(Builder& build, const Node& node) {
  const auto rank = rankOf(node.value(0));
  return {
      build.node("aten.diagonal_copy.default",
                 {node.value(0), node.intArg(1), ir::wrapDim(node.intArg(2), rank), ir::wrapDim(node.intArg(3), rank)},
                 node.output()->type())};
}

Results unfold(Builder& build, const Node& node) {
  const int64_t dim = ir::wrapDim(node.intArg(1), rankOf(node.value(0)));
  return {build.node("aten.unfold_copy.default", {node.value(0), dim, node.intArg(2), node.intArg(3)},
                     node.output()->type())};
}

// Strides speak of the memory behind the tensor. It is known only for an input, which is copied in row-major.
Results asStrided(Builder& build, const Node& node) {
  const Value* x = node.value(0);
  if (!x->isInput() || !x->type().strides.empty()) return {};
  return {build.node(
      "aten.as_strided_copy.default",
      {node.value(0), intList(node.ints(1)), intList(node.ints(2)), node.isNone(3) ? int64_t{0} : node.intArg(3)},
      node.output()->type())};
}

}  // namespace

void registerSlicing(DecompositionRegistry& registry) {
  registry.add({"aten.slice.Tensor"}, slice);
  registry.add({"aten.select.int"}, select);
  registry.add({"aten.narrow.default", "aten.narrow_copy.default"}, narrow);
  registry.add({"aten.unbind.int", "aten.unbind_copy.int"}, unbind);
  registry.add({"aten.split.Tensor", "aten.split.sizes", "aten.split_with_sizes.default", "aten.chunk.default",
                "aten.unsafe_chunk.default", "aten.unsafe_split.Tensor", "aten.unsafe_split_with_sizes.default",
                "aten.split_copy.Tensor", "aten.split_with_sizes_copy.default", "aten.tensor_split.sections"},
               cutAtGivenDim);
  registry.add({"aten.hsplit.int", "aten.vsplit.int", "aten.dsplit.int"}, splitFixedDim);
  registry.add({"aten.tensor_split.indices"}, tensorSplitIndices);
  registry.add({"aten.diagonal.default"}, diagonal);
  registry.add({"aten.unfold.default"}, unfold);
  registry.add({"aten.as_strided.default"}, asStrided);
}

}  // namespace exportdeck::passes::decompositions
