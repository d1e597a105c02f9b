// Operators that change nothing go, views of views become one, and all that nothing reads goes.
#include <numeric>

#include "base/text.h"
#include "passes/build.h"
#include "passes/passes.h"

namespace exportdeck::passes {

namespace {

using ir::Node;
using ir::Value;
using Names = std::unordered_map<std::string_view, int>;

bool sameType(const Node& node) {
  return node.output()->type() == node.value(0)->type();
}

// Checks and notes that the archive holds for PyTorch alone.
bool isAssertion(const Node& node) {
  static const Names names{{"aten._assert_tensor_metadata.default", 0},
                           {"aten._assert_scalar.default", 0},
                           {"aten._assert_async.msg", 0},
                           {"aten.sym_constrain_range.default", 0},
                           {"aten.sym_constrain_range_for_size.default", 0}};
  return names.contains(node.op());
}

// Copies: their result is operand 0 where the dtype stays.
bool isCopy(const Node& node) {
  static const Names names{{"aten.clone.default", 0},      {"aten.contiguous.default", 0},
                           {"aten.alias.default", 0},      {"aten.detach.default", 0},
                           {"aten.detach_.default", 0},    {"aten.lift_fresh_copy.default", 0},
                           {"aten.lift_fresh.default", 0}, {"aten.lift.default", 0},
                           {"aten.positive.default", 0},   {"aten.to.dtype", 0},
                           {"aten.to.dtype_layout", 0},    {"aten.to.device", 0},
                           {"aten.to.other", 0},           {"aten.type_as.default", 0},
                           {"aten._to_copy.default", 0},   {"aten.resolve_conj.default", 0},
                           {"aten.resolve_neg.default", 0}};
  return names.contains(node.op());
}

// In evaluation; functionalise refused the others.
bool isDropout(const Node& node) {
  static const Names names{{"aten.dropout.default", 0},
                           {"aten.feature_dropout.default", 0},
                           {"aten.alpha_dropout.default", 0},
                           {"aten.feature_alpha_dropout.default", 0}};
  return names.contains(node.op()) && (!node.boolArg(2) || node.floatArg(1) == 0);
}

// Operators that give operand 0 where its sizes stay, whatever else they are told.
bool isRegrouping(const Node& node) {
  static const Names names{
      {"aten.view.default", 0},      {"aten.reshape.default", 0},      {"aten.view_copy.default", 0},
      {"aten.expand.default", 0},    {"aten.expand_copy.default", 0},  {"aten.slice.Tensor", 0},
      {"aten.slice_copy.Tensor", 0}, {"aten._unsafe_view.default", 0}, {"aten.flatten.using_ints", 0},
      {"aten.squeeze.dim", 0},       {"aten.squeeze.default", 0},      {"aten.expand_as.default", 0},
      {"aten.view_as.default", 0},   {"aten.reshape_as.default", 0},   {"aten.broadcast_to.default", 0}};
  return names.contains(node.op());
}

bool isIdentityPermutation(const Node& node) {
  if (!node.is("aten.permute.default") && !node.is("aten.permute_copy.default")) return false;
  const ir::Sizes order = node.ints(1);
  for (size_t i = 0; i < order.size(); ++i) {
    if (ir::wrapDim(order[i], order.size()) != static_cast<int64_t>(i)) return false;
  }
  return true;
}

// The value that the node's first result equals, null where it is a new one.
Value* equalOperand(const Node& node) {
  if (node.outputs().size() != 1 || !node.hasValue(0) || !node.value(0)->isTensor() || !node.output()->isTensor())
    return nullptr;
  if (isDropout(node)) return node.value(0);
  if (!sameType(node)) return nullptr;
  return isCopy(node) || isRegrouping(node) || isIdentityPermutation(node) ? node.value(0) : nullptr;
}

const Node* producerOf(const Node& node, std::string_view op) {
  const Node* inner = node.value(0)->producer();
  return inner && inner->is(op) ? inner : nullptr;
}

// A view of a view looks at the first tensor; permutations in a row are one.
bool shortcut(Node& node) {
  if (node.is("aten.view_copy.default")) {
    const Node* inner = producerOf(node, "aten.view_copy.default");
    if (!inner) return false;
    node.setArg(0, inner->value(0));
    return true;
  }
  if (node.is("aten.permute_copy.default")) {
    const Node* inner = producerOf(node, "aten.permute_copy.default");
    if (!inner) return false;
    const ir::Sizes outerOrder = node.ints(1), innerOrder = inner->ints(1);
    ir::IntList order;
    for (const int64_t dim : outerOrder) {
      const int64_t from = innerOrder[static_cast<size_t>(ir::wrapDim(dim, innerOrder.size()))];
      order.emplace_back(ir::wrapDim(from, innerOrder.size()));
    }
    node.setArg(0, inner->value(0));
    node.setArg(1, order);
    return true;
  }
  return false;
}

// Operators of two tensors broadcast by themselves.
bool takesUnexpanded(Node& node) {
  static const Names names{{"aten.add.Tensor", 0}, {"aten.sub.Tensor", 0},      {"aten.mul.Tensor", 0},
                           {"aten.div.Tensor", 0}, {"aten.maximum.default", 0}, {"aten.minimum.default", 0},
                           {"aten.eq.Tensor", 0},  {"aten.ne.Tensor", 0},       {"aten.lt.Tensor", 0},
                           {"aten.le.Tensor", 0},  {"aten.gt.Tensor", 0},       {"aten.ge.Tensor", 0}};
  if (!names.contains(node.op()) || !node.hasValue(0) || !node.hasValue(1)) return false;
  for (const size_t i : {size_t{0}, size_t{1}}) {
    const Node* inner = node.value(i)->producer();
    const Value* other = node.value(1 - i);
    if (!inner || !inner->is("aten.expand_copy.default") || other->type().shape != node.output()->type().shape)
      continue;
    node.setArg(i, inner->value(0));
    return true;
  }
  return false;
}

bool isUnread(const ir::Graph& graph, const Node& node) {
  for (const Value* output : node.outputs()) {
    if (!graph.isUnused(output)) return false;
  }
  return true;
}

}  // namespace

void simplify(ir::Graph& graph, PassContext& context) {
  for (Node* node : graph.nodeList()) {
    context.context.throwIfStopped();
    while (shortcut(*node) || takesUnexpanded(*node)) {
    }
    Value* equal = equalOperand(*node);
    if (equal && !graph.isUnused(node->output())) graph.replaceAllUses(node->output(), equal);
  }
  std::vector<Node*> nodes = graph.nodeList();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (isAssertion(**node) || isUnread(graph, **node)) graph.erase(*node);
  }
  graph.eraseUnusedConstants();
}

}  // namespace exportdeck::passes
