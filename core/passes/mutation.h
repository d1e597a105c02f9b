// What functionalise knows of operators that write or share memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace exportdeck::passes {

// How a result shares memory with operand 0.
enum class Sharing {
  None,     // memory of its own
  Same,     // the operand itself
  View,     // another look at the operand's memory
  Unknown,  // a view or a copy, which only PyTorch knows
};
Sharing sharingOf(const ir::Node& node);

// Whether only the strides of the operand tell if the operator copies it.
bool mayCopy(std::string_view op);

// "aten.add_.Tensor" -> "aten.add.Tensor"; empty where no functional form is known.
std::string functionalForm(std::string_view op);

// Whether the in-place operator changes sizes or strides rather than elements: "aten.squeeze_.dim".
bool changesSizesInPlace(std::string_view op);

// The dtype that the functional form computes before the result is stored in the written tensor's dtype.
ir::DType computedDType(const ir::Node& inPlace);

// Writes back through one view: the nodes that make, from the viewed tensor `base` and the changed result `changed` of
// `view` (output `index`), the tensor that `base` has become. Null where the view cannot be written through.
ir::Value* writeThrough(ir::Graph& graph, const ir::Node& view, size_t index, ir::Value* base, ir::Value* changed,
                        ir::Node* before);

}  // namespace exportdeck::passes
