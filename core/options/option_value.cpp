#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <set>

#include "base/text.h"
#include "options/option_set.h"
#include "options/words.h"

namespace exportdeck::options {

namespace {

constexpr const char* kTypeNames[] = {"bool", "int", "float", "string", "enum", "list"};

std::string rangeText(const OptionSpec& spec) {
  if (spec.minimum && spec.maximum)
    return concat(" from ", numberText(*spec.minimum), " to ", numberText(*spec.maximum));
  if (spec.minimum) return concat(" of at least ", numberText(*spec.minimum));
  if (spec.maximum) return concat(" of at most ", numberText(*spec.maximum));
  return {};
}

std::string outsideRange(const OptionSpec& spec, double value, const std::string& shown) {
  if (spec.minimum && value < *spec.minimum)
    return concat(shown, " is below the least value ", numberText(*spec.minimum));
  if (spec.maximum && value > *spec.maximum)
    return concat(shown, " is above the greatest value ", numberText(*spec.maximum));
  return {};
}

std::string notAChoice(const OptionSpec& spec, const std::string& value) {
  if (std::ranges::find(spec.choices, value) != spec.choices.end()) return {};
  std::string reason = concat(inQuotes(value), " is not among the choices");
  if (const std::string near = nearestMatch(value, spec.choices); !near.empty())
    reason += concat(" (nearest: ", near, ")");
  return reason;
}

// Command lines, JSON and the ExecuTorch runtime's option strings all carry such text unchanged.
std::string badText(const std::string& text) {
  if (!isUtf8(text)) return "the text is not valid UTF-8";
  if (std::ranges::any_of(text, [](char c) { return c == '\0' || c == '\n' || c == '\r'; })) {
    return "the text holds a line break or a zero byte";
  }
  return {};
}

std::string whyBadInt(const OptionSpec& spec, int64_t value) {
  const std::string shown = concat(value);
  if (std::string reason = outsideRange(spec, static_cast<double>(value), shown); !reason.empty()) return reason;
  const bool power = value > 0 && std::has_single_bit(static_cast<uint64_t>(value));
  return spec.powerOfTwo && !power ? concat(shown, " is not a power of two") : std::string();
}

std::string whyBadFloat(const OptionSpec& spec, double value) {
  if (!std::isfinite(value)) return "the value is not a finite number";
  return outsideRange(spec, value, numberText(value));
}

std::string whyBadString(const OptionSpec& spec, const std::string& value) {
  if (std::string reason = badText(value); !reason.empty()) return reason;
  if (spec.maximum && static_cast<double>(value.size()) > *spec.maximum) {
    return concat("the text has ", value.size(), " bytes, at most ", numberText(*spec.maximum), " fit");
  }
  // A word without a folder or an ending is a mistyped name, not a file.
  if (!spec.choices.empty() && value.find_first_of("/.") == std::string::npos) return notAChoice(spec, value);
  return {};
}

// "s0=512"
std::string whyBadSize(const std::string& item) {
  const size_t equals = item.find('=');
  const std::string_view digits = std::string_view(item).substr(std::min(equals, item.size() - 1) + 1);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool isNumber = error == std::errc() && end == digits.data() + digits.size() && number > 0;
  if (equals == 0 || equals == std::string::npos || !isNumber)
    return concat(inQuotes(item), " is not of the form SYMBOL=NUMBER");
  return {};
}

std::string whyBadList(const OptionSpec& spec, const std::vector<std::string>& items) {
  std::set<std::string_view> seen;
  for (const std::string& item : items) {
    if (item.empty()) return "an item is empty";
    if (trim(item).size() != item.size()) return concat(inQuotes(item), " has a blank at an end");
    if (std::string reason = badText(item); !reason.empty()) return reason;
    const std::string_view name = spec.sizes ? std::string_view(item).substr(0, item.find('=')) : item;
    if (spec.sizes) {
      if (std::string reason = whyBadSize(item); !reason.empty()) return reason;
    }
    if (!seen.insert(name).second) return concat(inQuotes(std::string(name)), " stands twice");
    if (spec.choices.empty()) continue;
    if (std::string reason = notAChoice(spec, item); !reason.empty()) return reason;
  }
  return {};
}

}  // namespace

const char* typeName(OptionType type) {
  return kTypeNames[static_cast<size_t>(type)];
}

std::string allowedValues(const OptionSpec& spec) {
  switch (spec.type) {
    case OptionType::Bool:
      return "true or false";
    case OptionType::Int:
      return concat(spec.powerOfTwo ? "a power of two" : "a whole number", rangeText(spec));
    case OptionType::Float:
      return concat("a number", rangeText(spec));
    case OptionType::String:
      if (!spec.choices.empty()) return concat("one of ", join(spec.choices, ", "), " or the path of a file");
      if (!spec.maximum) return spec.file == FileRole::None ? "a text" : "the path of a file";
      return concat(spec.file == FileRole::None ? "a text" : "a path", " of at most ", numberText(*spec.maximum),
                    " bytes");
    case OptionType::Enum:
      return concat("one of ", join(spec.choices, ", "));
    case OptionType::List:
      break;
  }
  if (spec.sizes) return "a list of SYMBOL=NUMBER, separated by commas";
  return spec.choices.empty() ? "a list of words, separated by commas"
                              : concat("a list out of ", join(spec.choices, ", "));
}

std::string whyInvalid(const OptionSpec& spec, const OptionValue& value) {
  switch (spec.type) {
    case OptionType::Bool:
      if (std::holds_alternative<bool>(value)) return {};
      break;
    case OptionType::Int:
      if (const auto* number = std::get_if<int64_t>(&value)) return whyBadInt(spec, *number);
      break;
    case OptionType::Float:
      if (const auto* number = std::get_if<double>(&value)) return whyBadFloat(spec, *number);
      break;
    case OptionType::String:
      if (const auto* text = std::get_if<std::string>(&value)) return whyBadString(spec, *text);
      break;
    case OptionType::Enum:
      if (const auto* text = std::get_if<std::string>(&value)) return notAChoice(spec, *text);
      break;
    case OptionType::List:
      if (const auto* items = std::get_if<std::vector<std::string>>(&value)) return whyBadList(spec, *items);
      break;
  }
  constexpr const char* kKinds[] = {"a bool", "a whole number", "a float", "a text", "a list"};
  return concat("the value is ", kKinds[value.index()]);
}

}  // namespace exportdeck::options
