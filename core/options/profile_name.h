// What may be the name of a profile, wherever one is given: typed in the window, on the command line, or in a file.
#pragma once

#include <string>
#include <string_view>

namespace exportdeck::options {

inline constexpr size_t kLongestProfileName = 80;  // characters

// Why the text (UTF-8) cannot be a profile's name, as half a sentence: "it ends with a space". "" where it can.
std::string whyNoProfileName(std::string_view name);
// Throws Usage with that reason.
void requireProfileName(std::string_view name);
// The name that is left when what is not allowed is taken out, or "".
std::string nearestProfileName(std::string_view name);

}  // namespace exportdeck::options
