#include "backends/xnnpack/demand.h"

#include <algorithm>

#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

Demands::Demands(const ir::Graph& body) {
  for (const ir::Argument& output : body.outputs()) {
    const auto* value = std::get<ir::Value*>(output);
    add(value, {orderOutside(value->type())});
  }
  for (auto node = body.nodes().rbegin(); node != body.nodes().rend(); ++node) {
    const Rule* rule = findRule((*node)->op());
    const std::vector<Wish>& wished = of((*node)->output());
    // Held by value: a new entry may move the one that is looked at.
    const Wish result = wished.empty() ? Wish{plainOrder((*node)->output()->type().rank())} : wished.front();
    for (const ir::Value* operand : (*node)->operands()) {
      if (operand->isConstant()) continue;
      const bool chooses = rule != nullptr && rule->wishes != nullptr;
      add(operand, chooses ? rule->wishes(**node, *operand, result) : Wish{plainOrder(operand->type().rank())});
    }
  }
}

const std::vector<Wish>& Demands::of(const ir::Value* value) const {
  static const std::vector<Wish> none;
  const auto found = demands_.find(value);
  return found == demands_.end() ? none : found->second.wishes;
}

void Demands::add(const ir::Value* value, Wish wish) {
  Counted& known = demands_[value];
  const auto same =
      static_cast<size_t>(std::find(known.wishes.begin(), known.wishes.end(), wish) - known.wishes.begin());
  if (same == known.wishes.size()) {
    known.wishes.push_back(std::move(wish));
    known.counts.push_back(0);
  }
  size_t place = same;
  ++known.counts[place];
  for (; place > 0 && known.counts[place] > known.counts[place - 1]; --place) {
    std::swap(known.counts[place], known.counts[place - 1]);
    std::swap(known.wishes[place], known.wishes[place - 1]);
  }
}

Wish wishesChannelsLast(const ir::Node&, const ir::Value& operand, const Wish&) {
  return {channelsLastOrder(operand.type().rank())};
}

Wish wishesSame(const ir::Node& node, const ir::Value& operand, const Wish& result) {
  const size_t rank = operand.type().rank();
  return rank == node.output()->type().rank() ? result : Wish{plainOrder(rank)};
}

}  // namespace exportdeck::backends::xnnpack
