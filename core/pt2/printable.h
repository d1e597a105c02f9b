// Text from files, made fit for messages and JSON.
#pragma once

#include <string>
#include <string_view>

namespace exportdeck::pt2 {

bool isUtf8(std::string_view text);
// The text with control characters, and all that is not ASCII where it is not UTF-8, replaced by '?'.
std::string printable(std::string_view text);

}  // namespace exportdeck::pt2
