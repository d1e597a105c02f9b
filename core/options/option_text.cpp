#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "options/option_set.h"
#include "options/words.h"

namespace exportdeck::options {

namespace {

constexpr std::array<std::pair<std::string_view, bool>, 6> kBools = {
    {{"true", true}, {"false", false}, {"on", true}, {"off", false}, {"yes", true}, {"no", false}}};

bool parseBool(const OptionSpec& spec, std::string_view text) {
  std::vector<std::string> words;
  for (const auto& [word, value] : kBools) {
    if (word == text) return value;
    words.emplace_back(word);
  }
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  refuseValue(spec, concat(inQuotes(text), " is neither"), nearestMatch(lower, words));
}

int64_t parseInt(const OptionSpec& spec, std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) refuseValue(spec, concat(inQuotes(text), " does not fit into 64 bits"));
  if (error != std::errc() || end != text.data() + text.size())
    refuseValue(spec, concat(inQuotes(text), " is not a whole number"));
  return value;
}

double parseFloat(const OptionSpec& spec, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    refuseValue(spec, concat(inQuotes(text), " does not fit into a 64-bit float"));
  if (error != std::errc() || end != text.data() + text.size())
    refuseValue(spec, concat(inQuotes(text), " is not a number"));
  return value;
}

// "a, b" -> {"a", "b"}; "" -> {}; "\," is a comma inside an item.
std::vector<std::string> parseList(std::string_view text) {
  std::vector<std::string> items;
  if (trim(text).empty()) return items;
  std::string item;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      item += text[++i];
    } else if (text[i] == ',') {
      items.emplace_back(trim(std::exchange(item, {})));
    } else {
      item += text[i];
    }
  }
  items.emplace_back(trim(item));
  return items;
}

std::string formatList(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) {
    if (!out.empty()) out += ',';
    for (const char c : item) {
      if (c == ',' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

}  // namespace

OptionValue parseValue(const OptionSpec& spec, std::string_view text) {
  OptionValue value;
  switch (spec.type) {
    case OptionType::Bool:
      value = parseBool(spec, trim(text));
      break;
    case OptionType::Int:
      value = parseInt(spec, trim(text));
      break;
    case OptionType::Float:
      value = parseFloat(spec, trim(text));
      break;
    case OptionType::String:
      value = std::string(text);
      break;
    case OptionType::Enum:
      value = std::string(trim(text));
      break;
    case OptionType::List:
      value = parseList(text);
      break;
  }
  requireValid(spec, value);
  return value;
}

std::string formatValue(const OptionValue& value) {
  struct Format {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(int64_t v) const { return concat(v); }
    std::string operator()(double v) const { return concat(v); }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const std::vector<std::string>& v) const { return formatList(v); }
  };
  return std::visit(Format{}, value);
}

}  // namespace exportdeck::options
