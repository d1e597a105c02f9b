// Internal to this layer: errors about one option, and what its texts may hold.
#pragma once

#include <string>
#include <string_view>

#include "options/option_set.h"

namespace exportdeck::options {

std::string inQuotes(std::string_view text);
bool isUtf8(std::string_view text);
// A limit as people write it: 100000, not 1e+05.
std::string numberText(double number);

// Throws OptionInvalid: Option "alignment" expects a power of two from 16 to 4096, but REASON.
[[noreturn]] void refuseValue(const OptionSpec& spec, const std::string& reason, const std::string& nearest = {});
// The valid choice or number nearest to what was given, or "": for "set alignment=16".
std::string nearestValue(const OptionSpec& spec, const OptionValue& value);
// Throws OptionInvalid where whyInvalid() has a reason.
void requireValid(const OptionSpec& spec, const OptionValue& value);

}  // namespace exportdeck::options
