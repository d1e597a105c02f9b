// resources/backends/ID.json -> BackendEntry. The format is described in resources/backends/README.md.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "options/catalogue.h"

namespace exportdeck::options {

namespace {

constexpr int kEntryVersion = 1;

// Reads the fields of one object and refuses those that nobody asked for.
class Fields {
 public:
  Fields(const nlohmann::json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) refuse("", "is no object");
  }

  [[noreturn]] void refuse(std::string_view field, std::string_view reason) const {
    const std::string name = field.empty() ? where_ : concat(where_, ": \"", field, "\"");
    throw ExportError(Code::CatalogueInvalid, concat("Catalogue entry ", name, " ", reason));
  }

  const nlohmann::json* find(const char* field) {
    asked_.insert(field);
    const auto found = json_.find(field);
    return found != json_.end() ? &*found : nullptr;
  }
  const nlohmann::json& require(const char* field) {
    const nlohmann::json* value = find(field);
    if (value == nullptr) refuse(field, "is missing");
    return *value;
  }
  std::string text(const char* field) { return asText(field, require(field)); }
  std::string textOr(const char* field, std::string fallback) {
    const nlohmann::json* value = find(field);
    return value != nullptr ? asText(field, *value) : std::move(fallback);
  }
  std::vector<std::string> texts(const char* field) {
    std::vector<std::string> out;
    const nlohmann::json* value = find(field);
    if (value == nullptr) return out;
    if (!value->is_array()) refuse(field, "is no list");
    for (const nlohmann::json& item : *value) out.push_back(asText(field, item));
    return out;
  }
  bool flag(const char* field) {
    const nlohmann::json* value = find(field);
    if (value != nullptr && !value->is_boolean()) refuse(field, "is neither true nor false");
    return value != nullptr && value->get<bool>();
  }
  std::optional<double> number(const char* field) {
    const nlohmann::json* value = find(field);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number()) refuse(field, "is no number");
    return value->get<double>();
  }
  void refuseUnknown() const {
    for (const auto& [key, value] : json_.items()) {
      if (!asked_.contains(key)) refuse(key, "is no field of this format");
    }
  }

 private:
  std::string asText(const char* field, const nlohmann::json& value) const {
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) refuse(field, "is no text, or an empty one");
    return value.get<std::string>();
  }

  const nlohmann::json& json_;
  std::string where_;
  std::set<std::string> asked_;
};

OptionType parseType(const Fields& fields, const std::string& name) {
  for (const OptionType type :
       {OptionType::Bool, OptionType::Int, OptionType::Float, OptionType::String, OptionType::Enum, OptionType::List}) {
    if (name == typeName(type)) return type;
  }
  fields.refuse("type", "is none of bool, int, float, string, enum, list");
}

void checkLimits(const Fields& fields, const OptionSpec& spec) {
  constexpr double kSafe = 9007199254740992.0;
  const bool ranged = spec.type == OptionType::Int || spec.type == OptionType::Float;
  if (spec.minimum && !ranged) fields.refuse("min", "stands at an option that has no range");
  if (spec.maximum && !ranged && spec.type != OptionType::String)
    fields.refuse("max", "stands at an option that has no range");
  if (spec.powerOfTwo && spec.type != OptionType::Int)
    fields.refuse("power_of_two", "stands at an option that is no int");
  if (spec.minimum && spec.maximum && *spec.minimum > *spec.maximum) fields.refuse("min", "is above \"max\"");
  for (const auto& limit : {spec.minimum, spec.maximum}) {
    if (limit && spec.type != OptionType::Float && (std::abs(*limit) > kSafe || std::trunc(*limit) != *limit)) {
      fields.refuse("min", "or \"max\" is no whole number within 2^53");
    }
  }
}

FileRole parseFile(Fields& fields, const OptionSpec& spec) {
  const std::string role = fields.textOr("file", "none");
  if (role == "none") return FileRole::None;
  if (role != "read" && role != "write") fields.refuse("file", "is neither read nor write");
  if (spec.type != OptionType::String) fields.refuse("file", "stands at an option that is no string");
  return role == "read" ? FileRole::Read : FileRole::Write;
}

void checkChoices(const Fields& fields, const OptionSpec& spec) {
  if (spec.type == OptionType::Enum && spec.choices.empty()) fields.refuse("choices", "is missing or empty");
  const bool isChosen = spec.type == OptionType::Enum || spec.type == OptionType::List || spec.file != FileRole::None;
  if (spec.sizes && (spec.type != OptionType::List || !spec.choices.empty()))
    fields.refuse("sizes", "stands at an option that is no free list");
  if (!spec.choices.empty() && !isChosen) {
    fields.refuse("choices", "stands at an option that is neither enum, list nor file");
  }
  if (std::set<std::string>(spec.choices.begin(), spec.choices.end()).size() != spec.choices.size()) {
    fields.refuse("choices", "names something twice");
  }
  if (!spec.labels.empty() && spec.labels.size() != spec.choices.size())
    fields.refuse("labels", "has not one text a choice");
}

OptionSpec parseOption(const nlohmann::json& json, const std::string& where) {
  OptionSpec spec;
  spec.key = Fields(json, where).text("key");
  Fields fields(json, concat(where, " \"", spec.key, "\""));
  fields.find("key");
  spec.type = parseType(fields, fields.text("type"));
  spec.minimum = fields.number("min");
  spec.maximum = fields.number("max");
  spec.powerOfTwo = fields.flag("power_of_two");
  spec.sizes = fields.flag("sizes");
  spec.file = parseFile(fields, spec);
  spec.choices = fields.texts("choices");
  spec.labels = fields.texts("labels");
  spec.title = fields.text("title");
  spec.meaning = fields.text("meaning");
  spec.source = fields.textOr("source", {});
  checkLimits(fields, spec);
  checkChoices(fields, spec);
  const nlohmann::json& fallback = fields.require("default");
  fields.find("rules");  // read when all options of the list are known
  fields.refuseUnknown();
  try {
    spec.fallback = valueFromJson(spec, fallback);
  } catch (const ExportError& error) {
    fields.refuse("default", concat("does not fit: ", error.diagnostic().message));
  }
  return spec;
}

OptionRule::Condition parseCondition(const nlohmann::json& json, const std::string& where,
                                     const std::vector<OptionSpec>& specs) {
  Fields fields(json, where);
  OptionRule::Condition condition;
  condition.key = fields.text("key");
  const auto other = std::ranges::find(specs, condition.key, &OptionSpec::key);
  if (other == specs.end()) fields.refuse("key", "names no option of this list");
  const nlohmann::json* same = fields.find("is");
  const nlohmann::json* different = fields.find("is_not");
  if ((same == nullptr) == (different == nullptr)) fields.refuse("is", "or \"is_not\" has to be there, and not both");
  fields.refuseUnknown();
  condition.equal = same != nullptr;
  try {
    condition.value = valueFromJson(*other, same != nullptr ? *same : *different);
  } catch (const ExportError& error) {
    fields.refuse("is", concat("does not fit: ", error.diagnostic().message));
  }
  return condition;
}

void parseRules(const nlohmann::json& option, OptionSpec& spec, const std::vector<OptionSpec>& specs) {
  const auto list = option.find("rules");
  if (list == option.end()) return;
  const std::string where = concat("the rules of \"", spec.key, "\"");
  if (!list->is_array()) throw ExportError(Code::CatalogueInvalid, concat("Catalogue entry: ", where, " are no list"));
  for (const nlohmann::json& json : *list) {
    Fields fields(json, where);
    OptionRule rule;
    rule.note = fields.text("note");
    const nlohmann::json& when = fields.require("when");
    if (!when.is_array() || when.empty()) fields.refuse("when", "is no list of conditions");
    for (const nlohmann::json& condition : when) rule.when.push_back(parseCondition(condition, where, specs));
    fields.refuseUnknown();
    spec.rules.push_back(std::move(rule));
  }
}

std::vector<OptionSpec> parseOptions(Fields& fields, const char* field, const std::string& id) {
  std::vector<OptionSpec> specs;
  const nlohmann::json* list = fields.find(field);
  if (list == nullptr) return specs;
  if (!list->is_array()) fields.refuse(field, "is no list");
  for (const nlohmann::json& json : *list) {
    OptionSpec spec = parseOption(json, concat(id, ".", field));
    if (std::ranges::find(specs, spec.key, &OptionSpec::key) != specs.end()) {
      fields.refuse(field, concat("has the key \"", spec.key, "\" twice"));
    }
    specs.push_back(std::move(spec));
  }
  for (size_t i = 0; i < specs.size(); ++i) parseRules((*list)[i], specs[i], specs);
  return specs;
}

bool isId(const std::string& id) {
  return std::ranges::all_of(id, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

}  // namespace

BackendEntry Catalogue::parseEntry(const nlohmann::json& json) {
  const auto named = json.is_object() ? json.find("id") : json.end();
  const std::string id =
      json.is_object() && named != json.end() && named->is_string() ? named->get<std::string>() : "(no id)";
  Fields fields(json, id);
  if (fields.require("exportdeck_backend") != kEntryVersion)
    fields.refuse("exportdeck_backend", "is no version that is read here");
  BackendEntry entry;
  entry.id = fields.text("id");
  if (!isId(entry.id)) fields.refuse("id", "has other letters than a-z, 0-9 and -");
  entry.title = fields.text("title");
  entry.summary = fields.text("summary");
  entry.runtimeId = fields.textOr("runtime_id", {});
  entry.aliases = fields.texts("aliases");
  entry.engine = fields.text("engine");
  if (entry.engine != "native" && entry.engine != "python") fields.refuse("engine", "is neither native nor python");
  entry.targets = fields.texts("targets");
  entry.hosts = fields.texts("hosts");
  entry.needs = fields.texts("needs");
  entry.withdrawn = fields.textOr("withdrawn", {});
  fields.texts("include");  // resolved before
  entry.exportOptions = parseOptions(fields, "export_options", id);
  entry.runtimeOptions = parseOptions(fields, "runtime_options", id);
  fields.refuseUnknown();
  return entry;
}

nlohmann::json toJson(const BackendEntry& entry, const Availability& availability) {
  return {{"id", entry.id},
          {"title", entry.title},
          {"summary", entry.summary},
          {"runtime_id", entry.runtimeId},
          {"aliases", entry.aliases},
          {"engine", entry.engine},
          {"available", availability.available},
          {"reason", availability.reason},
          {"remedy", availability.remedy},
          {"targets", entry.targets},
          {"hosts", entry.hosts},
          {"needs", entry.needs}};
}

}  // namespace exportdeck::options
