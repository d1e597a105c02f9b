// Softmax.
#include <array>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

// Softmax runs along the innermost dimension in memory.
int64_t dimOf(const ir::Node& node) {
  return ir::wrapDim(node.intArg(1), node.output()->type().rank());
}

Verdict judge(const ir::Node& node) {
  if (node.output()->type().rank() == 0) return Verdict::refuse("its operand is a single number without dimensions");
  return Verdict::take();
}

void emit(Lowering& lowering, const ir::Node& node) {
  const ir::Value* x = node.value(0);
  std::vector<Passage> candidates;
  for (const Order& order : lowering.orders(x)) candidates.push_back({withLast(order, dimOf(node)), {}});
  candidates.push_back({withLast(plainOrder(x->type().rank()), dimOf(node)), {}});
  for (Passage& passage : candidates) passage.to = passage.from;
  const Order order = lowering.cheapest(node, x, candidates).from;
  Node made;
  made.kind = NodeKind::Softmax;
  made.inputs = {lowering.value(x, order)};
  made.output = lowering.result(node, order);
  lowering.add(std::move(made));
}

Wish wishes(const ir::Node& node, const ir::Value& operand, const Wish& result) {
  Wish out;
  for (const Order& order : result) {
    if (order.back() == dimOf(node)) out.push_back(order);
  }
  return out.empty() ? Wish{withLast(plainOrder(operand.type().rank()), dimOf(node))} : out;
}

constexpr std::array<Rule, 1> kRules = {
    {{.op = "aten._softmax.default", .judge = judge, .lower = emit, .wishes = wishes}}};

}  // namespace

std::span<const Rule> softmaxRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
