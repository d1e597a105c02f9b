// Typed options: what an option may hold, and a set of chosen values.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/diagnostic.h"

namespace exportdeck::options {

enum class OptionType : uint8_t { Bool, Int, Float, String, Enum, List };
const char* typeName(OptionType type);  // "bool", "int", "float", "string", "enum", "list"

using OptionValue = std::variant<bool, int64_t, double, std::string, std::vector<std::string>>;

// What a text names, where it names a file.
enum class FileRole : uint8_t { None, Read, Write };

// A fact about an option beside others: where all conditions hold and the option differs from its default, `note` says
// what to expect. The value is valid all the same.
struct OptionRule {
  struct Condition {
    std::string key;  // of another option in the same list
    OptionValue value;
    bool equal = true;  // the other option has this value, or has not
  };
  std::vector<Condition> when;
  std::string note;  // a sentence
};

// One option of a backend; read from the catalogue (resources/backends/ID.json).
struct OptionSpec {
  std::string key;
  OptionType type = OptionType::String;
  OptionValue fallback;  // the default
  // Int, Float: both included. String: the longest allowed is `maximum` bytes. Whole numbers within ±2^53 for an Int.
  std::optional<double> minimum, maximum;
  bool powerOfTwo = false;         // Int
  bool sizes = false;              // List: its items are SYMBOL=NUMBER, each symbol once, the numbers at least 1
  FileRole file = FileRole::None;  // String
  // Enum: the allowed values; List: the allowed items, free where empty; String with a file: names that need no file.
  std::vector<std::string> choices;
  std::vector<std::string> labels;  // texts for the choices, same order; may be empty
  std::string title;                // short human name
  std::string meaning;              // one or two sentences
  std::string source;               // where the fact comes from
  std::vector<OptionRule> rules;
};

// What is allowed, to complete "expects …": "a power of two from 16 to 4096", "one of a, b, c".
std::string allowedValues(const OptionSpec& spec);
// The reason why `value` does not fit, or "" where it does: one clause, "24 is not a power of two".
std::string whyInvalid(const OptionSpec& spec, const OptionValue& value);
// Reads the words of a command line or a table cell; throws OptionInvalid naming key, expectation and the nearest
// choice.
OptionValue parseValue(const OptionSpec& spec, std::string_view text);
// What parseValue reads back. A list joins with ','; a comma or backslash inside an item has a backslash before it.
std::string formatValue(const OptionValue& value);
// JSON forms: strict about kinds (a bool is not an int, 1.0 is no whole number; a whole number is a float). Throws
// OptionInvalid.
OptionValue valueFromJson(const OptionSpec& spec, const nlohmann::json& json);
nlohmann::json valueToJson(const OptionValue& value);
// One option as `exportdeck options --json` prints it; fields that do not apply are absent.
nlohmann::json toJson(const OptionSpec& spec);

// Values for a list of specs; unset ones have their default.
class OptionSet {
 public:
  OptionSet() = default;
  explicit OptionSet(std::vector<OptionSpec> specs) : specs_(std::move(specs)) {}

  const std::vector<OptionSpec>& specs() const { return specs_; }
  const OptionSpec* find(std::string_view key) const;
  // Throws OptionUnknown (with the nearest key) or OptionInvalid.
  void set(std::string_view key, OptionValue value);
  void setText(std::string_view keyEqualsValue);  // "key=value"
  void reset(std::string_view key);
  bool isSet(std::string_view key) const { return values_.contains(std::string(key)); }
  const OptionValue& value(std::string_view key) const;  // throws Fault for an unknown key

  bool boolean(std::string_view key) const;
  int64_t integer(std::string_view key) const;
  double number(std::string_view key) const;
  std::string string(std::string_view key) const;  // String and Enum
  std::vector<std::string> list(std::string_view key) const;

  // The notes of the rules that hold for this option, joined; "" where none does.
  std::string noteOn(const OptionSpec& spec) const;
  // A warning for each option with a note.
  std::vector<Diagnostic> notes() const;

  nlohmann::json changedToJson() const;   // only what differs from the default
  nlohmann::json resolvedToJson() const;  // every option

 private:
  std::vector<OptionSpec> specs_;
  std::map<std::string, OptionValue> values_;
};

}  // namespace exportdeck::options
