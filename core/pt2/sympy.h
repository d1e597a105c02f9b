// Sizes as the archive writes them: sympy expressions in the form of sympy.srepr.
#pragma once

#include <functional>
#include <string_view>

#include "ir/symbolic.h"

namespace exportdeck::pt2 {

// "Mul(Integer(2), Symbol('s69', positive=True, integer=True))" -> 2*s69; also of "2*s69", as torch 2.5 has it. Source
// of the functions: torch/utils/_sympy/functions.py. What is no integer expression of known functions becomes a symbol
// that is named as the text and has no bounds; a text that is no expression at all throws Code::GraphInvalid.
ir::SymInt sizeExpression(std::string_view srepr, const std::function<ir::SymInt(std::string_view name)>& symbol);

}  // namespace exportdeck::pt2
