// Size expressions as torch 2.5 wrote them: "2*s0 - 1".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace exportdeck::pt2 {

// The expression in the form that later releases have: "Add(Mul(2, s0), -1)". Nothing where it is none that is known:
// sums, products, quotients, `//`, `**`, names, integers and calls.
std::optional<std::string> prefixForm(std::string_view infix);

}  // namespace exportdeck::pt2
