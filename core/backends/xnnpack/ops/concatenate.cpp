// Concatenation.
#include <algorithm>
#include <array>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

Verdict judge(const ir::Node& node) {
  if (node.values(0).size() < 2) return Verdict::refuse("it joins fewer than two tensors");
  for (const ir::Value* operand : node.values(0)) {
    if (operand->type().rank() != node.output()->type().rank()) return Verdict::refuse("its operands differ in rank");
  }
  return Verdict::take();
}

void emit(Lowering& lowering, const ir::Node& node) {
  const ir::TensorType& type = node.output()->type();
  const ir::ValueList operands = node.values(0);
  const Order order = lowering.commonOrder(node);
  const auto axis = placeOf(ir::wrapDim(node.intArg(1), type.rank()), order);
  std::vector<ValueId> waiting;
  for (const ir::Value* operand : operands) {
    waiting.push_back(operand->isConstant() ? lowering.broadcastConstant(operand, order, type.dtype)
                                            : lowering.value(operand, order));
  }
  // A node joins five: more are a chain, each link starting with what is joined so far.
  while (waiting.size() > 1) {
    const size_t count = std::min(kMaxJoined, waiting.size());
    Node made;
    made.kind = concatenationOf(count);
    made.params = AxisParam{static_cast<uint32_t>(axis)};
    made.inputs.assign(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
    ir::Shape dims = lowering.tensor(made.inputs[0]).dims;
    for (size_t i = 1; i < count; ++i) dims[axis] += lowering.tensor(made.inputs[i]).dims[axis];
    made.output =
        count == waiting.size() ? lowering.result(node, order) : lowering.addTemporaryLike(made.inputs[0], dims);
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
    waiting.insert(waiting.begin(), made.output);
    lowering.add(std::move(made));
  }
}

bool joinsIntegers(const ir::Node& node, const TensorScale&) {
  const ir::ValueList operands = node.values(0);
  return std::none_of(operands.begin(), operands.end(), [](const ir::Value* operand) { return operand->isConstant(); });
}

constexpr std::array<Rule, 1> kRules = {{movingIntegers(inAnyOrder("aten.cat.default", judge, emit), joinsIntegers)}};

}  // namespace

std::span<const Rule> concatenateRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
