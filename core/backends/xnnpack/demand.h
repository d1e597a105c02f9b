// In which memory orders the operators of a partition would like to read each value.
#pragma once

#include <unordered_map>
#include <vector>

#include "backends/xnnpack/layout.h"

namespace exportdeck::backends::xnnpack {

// Any of these orders serves a reader without a transpose.
using Wish = std::vector<Order>;

// What readers wish is known before a value is made, by one walk from the outputs back: an operator that runs in any
// order passes on what is wished of its result.
class Demands {
 public:
  // The outputs of `body` are wished in the plain order.
  explicit Demands(const ir::Graph& body);

  // Distinct, the most frequent first. Empty where nothing reads the value.
  const std::vector<Wish>& of(const ir::Value* value) const;

 private:
  struct Counted {
    std::vector<Wish> wishes;
    std::vector<int> counts;
  };
  void add(const ir::Value* value, Wish wish);

  std::unordered_map<const ir::Value*, Counted> demands_;
};

// For Rule::wishes.
Wish wishesChannelsLast(const ir::Node& node, const ir::Value& operand, const Wish& result);
// What is wished of the result, for operands of its rank; the plain order for others.
Wish wishesSame(const ir::Node& node, const ir::Value& operand, const Wish& result);

}  // namespace exportdeck::backends::xnnpack
