#include "base/text.h"
#include "options/option_set.h"
#include "options/words.h"

namespace exportdeck::options {

namespace {

std::string kindOf(const nlohmann::json& json) {
  switch (json.type()) {
    case nlohmann::json::value_t::boolean:
      return "a bool";
    case nlohmann::json::value_t::number_integer:
    case nlohmann::json::value_t::number_unsigned:
      return "a whole number";
    case nlohmann::json::value_t::number_float:
      return "a float";
    case nlohmann::json::value_t::string:
      return "a text";
    case nlohmann::json::value_t::array:
      return "a list";
    case nlohmann::json::value_t::object:
      return "an object";
    default:
      return "null";
  }
}

[[noreturn]] void wrongKind(const OptionSpec& spec, const nlohmann::json& json) {
  refuseValue(spec, concat("the value is ", kindOf(json)));
}

int64_t intFrom(const OptionSpec& spec, const nlohmann::json& json) {
  if (!json.is_number_integer()) wrongKind(spec, json);
  if (json.is_number_unsigned() && json.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) {
    refuseValue(spec, concat(json.get<uint64_t>(), " does not fit into 64 bits with a sign"));
  }
  return json.get<int64_t>();
}

std::vector<std::string> listFrom(const OptionSpec& spec, const nlohmann::json& json) {
  if (!json.is_array()) wrongKind(spec, json);
  std::vector<std::string> items;
  for (const nlohmann::json& item : json) {
    if (!item.is_string()) refuseValue(spec, concat("an item is ", kindOf(item)));
    items.push_back(item.get<std::string>());
  }
  return items;
}

// A whole limit is written as 16, not 16.0.
nlohmann::json limitToJson(const OptionSpec& spec, double limit) {
  if (spec.type == OptionType::Float) return limit;
  return static_cast<int64_t>(limit);
}

}  // namespace

OptionValue valueFromJson(const OptionSpec& spec, const nlohmann::json& json) {
  OptionValue value;
  switch (spec.type) {
    case OptionType::Bool:
      if (!json.is_boolean()) wrongKind(spec, json);
      value = json.get<bool>();
      break;
    case OptionType::Int:
      value = intFrom(spec, json);
      break;
    case OptionType::Float:
      if (!json.is_number()) wrongKind(spec, json);
      value = json.get<double>();
      break;
    case OptionType::String:
    case OptionType::Enum:
      if (!json.is_string()) wrongKind(spec, json);
      value = json.get<std::string>();
      break;
    case OptionType::List:
      value = listFrom(spec, json);
      break;
  }
  requireValid(spec, value);
  return value;
}

nlohmann::json valueToJson(const OptionValue& value) {
  return std::visit([](const auto& held) { return nlohmann::json(held); }, value);
}

nlohmann::json toJson(const OptionSpec& spec) {
  nlohmann::json json = {{"key", spec.key},     {"type", typeName(spec.type)}, {"default", valueToJson(spec.fallback)},
                         {"title", spec.title}, {"meaning", spec.meaning},     {"source", spec.source}};
  if (spec.minimum) json["min"] = limitToJson(spec, *spec.minimum);
  if (spec.maximum) json["max"] = limitToJson(spec, *spec.maximum);
  if (spec.powerOfTwo) json["power_of_two"] = true;
  if (spec.sizes) json["sizes"] = true;
  if (!spec.choices.empty()) json["choices"] = spec.choices;
  if (!spec.labels.empty()) json["labels"] = spec.labels;
  if (spec.file != FileRole::None) json["file"] = spec.file == FileRole::Read ? "read" : "write";
  for (const OptionRule& rule : spec.rules) {
    nlohmann::json when = nlohmann::json::array();
    for (const OptionRule::Condition& condition : rule.when) {
      when.push_back({{"key", condition.key}, {condition.equal ? "is" : "is_not", valueToJson(condition.value)}});
    }
    json["rules"].push_back({{"when", std::move(when)}, {"note", rule.note}});
  }
  return json;
}

}  // namespace exportdeck::options
