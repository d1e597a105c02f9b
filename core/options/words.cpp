#include "options/words.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/text.h"

namespace exportdeck::options {

namespace {

// Length of the sequence that `lead` begins, and the least code point that needs this length; 0: no lead byte.
struct Sequence {
  size_t length = 0;
  uint32_t least = 0;
};
Sequence sequenceOf(unsigned char lead) {
  if (lead < 0x80) return {1, 0};
  if (lead >= 0xC2 && lead < 0xE0) return {2, 0x80};
  if (lead >= 0xE0 && lead < 0xF0) return {3, 0x800};
  if (lead >= 0xF0 && lead < 0xF5) return {4, 0x10000};
  return {};
}

std::string nearestInt(const OptionSpec& spec, int64_t value) {
  constexpr double kSafe = 9007199254740992.0;
  double near = static_cast<double>(value);
  if (spec.minimum) near = std::max(near, *spec.minimum);
  if (spec.maximum) near = std::min(near, *spec.maximum);
  if (!(std::abs(near) <= kSafe)) return {};
  auto number = static_cast<int64_t>(near);
  if (spec.powerOfTwo && number > 0) number = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(number)));
  return whyInvalid(spec, number).empty() ? concat(number) : std::string();
}

}  // namespace

std::string inQuotes(std::string_view text) {
  return concat('"', text, '"');
}

std::string numberText(double number) {
  constexpr double kSafe = 9007199254740992.0;
  return std::abs(number) <= kSafe && std::trunc(number) == number ? concat(static_cast<int64_t>(number))
                                                                   : concat(number);
}

bool isUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const Sequence sequence = sequenceOf(lead);
    if (sequence.length == 0 || sequence.length > text.size() - at) return false;
    uint32_t point = sequence.length == 1 ? lead : lead & (0xFFu >> (sequence.length + 1));
    for (size_t i = 1; i < sequence.length; ++i) {
      const auto next = static_cast<unsigned char>(text[at + i]);
      if ((next & 0xC0) != 0x80) return false;
      point = (point << 6) | (next & 0x3F);
    }
    if (point < sequence.least || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return false;
    at += sequence.length;
  }
  return true;
}

void refuseValue(const OptionSpec& spec, const std::string& reason, const std::string& nearest) {
  std::vector<std::string> fixes;
  if (!nearest.empty()) fixes.push_back(concat("set ", spec.key, "=", nearest));
  fixes.push_back(concat("leave it out: its default is ",
                         formatValue(spec.fallback).empty() ? "empty" : formatValue(spec.fallback)));
  throw ExportError(Code::OptionInvalid,
                    concat("Option \"", spec.key, "\" expects ", allowedValues(spec), ", but ", reason),
                    std::move(fixes));
}

std::string nearestValue(const OptionSpec& spec, const OptionValue& value) {
  if (const auto* number = std::get_if<int64_t>(&value); number != nullptr && spec.type == OptionType::Int) {
    return nearestInt(spec, *number);
  }
  if (const auto* number = std::get_if<double>(&value); number != nullptr && spec.type == OptionType::Float) {
    if (spec.minimum && *number < *spec.minimum) return numberText(*spec.minimum);
    if (spec.maximum && *number > *spec.maximum) return numberText(*spec.maximum);
  }
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && !spec.choices.empty()) {
    return nearestMatch(*text, spec.choices);
  }
  return {};
}

void requireValid(const OptionSpec& spec, const OptionValue& value) {
  if (const std::string reason = whyInvalid(spec, value); !reason.empty())
    refuseValue(spec, reason, nearestValue(spec, value));
}

}  // namespace exportdeck::options
