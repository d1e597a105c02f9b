#include "options/option_set.h"

#include <algorithm>

#include "base/text.h"
#include "options/words.h"

namespace exportdeck::options {

namespace {

[[noreturn]] void unknownKey(std::string_view key, const std::vector<OptionSpec>& specs) {
  std::vector<std::string> keys;
  for (const OptionSpec& spec : specs) keys.push_back(spec.key);
  std::sort(keys.begin(), keys.end());
  std::vector<std::string> fixes;
  if (const std::string near = nearestMatch(key, keys); !near.empty()) fixes.push_back(concat("use ", near));
  fixes.push_back("list the options with: exportdeck options BACKEND");
  Diagnostic diagnostic{Code::OptionUnknown, Severity::Error, concat("There is no option \"", key, "\""), {}, {},
                        std::move(fixes)};
  diagnostic.why = keys.empty() ? "the backend has no options" : concat("The options are ", join(keys, ", "));
  throw ExportError(std::move(diagnostic));
}

template <typename Kind>
const Kind& held(const OptionValue& value, std::string_view key) {
  const Kind* kind = std::get_if<Kind>(&value);
  check(kind != nullptr, concat("option ", key, " is read as another type than it has"));
  return *kind;
}

}  // namespace

const OptionSpec* OptionSet::find(std::string_view key) const {
  const auto found = std::ranges::find(specs_, key, &OptionSpec::key);
  return found != specs_.end() ? &*found : nullptr;
}

void OptionSet::set(std::string_view key, OptionValue value) {
  const OptionSpec* spec = find(key);
  if (spec == nullptr) unknownKey(key, specs_);
  requireValid(*spec, value);
  values_[std::string(key)] = std::move(value);
}

void OptionSet::setText(std::string_view keyEqualsValue) {
  const size_t equals = keyEqualsValue.find('=');
  if (equals == std::string_view::npos) {
    throw ExportError(Code::Usage, concat("\"", keyEqualsValue, "\" is not of the form KEY=VALUE"),
                      {concat("write --set ", trim(keyEqualsValue), "=VALUE")});
  }
  const std::string_view key = trim(keyEqualsValue.substr(0, equals));
  const OptionSpec* spec = find(key);
  if (spec == nullptr) unknownKey(key, specs_);
  values_[std::string(key)] = parseValue(*spec, keyEqualsValue.substr(equals + 1));
}

void OptionSet::reset(std::string_view key) {
  values_.erase(std::string(key));
}

const OptionValue& OptionSet::value(std::string_view key) const {
  if (const auto found = values_.find(std::string(key)); found != values_.end()) return found->second;
  const OptionSpec* spec = find(key);
  check(spec != nullptr, concat("option ", key, " is read, but not in the catalogue"));
  return spec->fallback;
}

bool OptionSet::boolean(std::string_view key) const {
  return held<bool>(value(key), key);
}
int64_t OptionSet::integer(std::string_view key) const {
  return held<int64_t>(value(key), key);
}
double OptionSet::number(std::string_view key) const {
  return held<double>(value(key), key);
}
std::string OptionSet::string(std::string_view key) const {
  return held<std::string>(value(key), key);
}
std::vector<std::string> OptionSet::list(std::string_view key) const {
  return held<std::vector<std::string>>(value(key), key);
}

std::string OptionSet::noteOn(const OptionSpec& spec) const {
  std::vector<std::string> notes;
  if (value(spec.key) == spec.fallback) return {};
  for (const OptionRule& rule : spec.rules) {
    const bool holds = std::ranges::all_of(rule.when, [&](const OptionRule::Condition& condition) {
      return (value(condition.key) == condition.value) == condition.equal;
    });
    if (holds) notes.push_back(rule.note);
  }
  return join(notes, " ");
}

std::vector<Diagnostic> OptionSet::notes() const {
  std::vector<Diagnostic> list;
  for (const OptionSpec& spec : specs_) {
    const std::string note = noteOn(spec);
    if (note.empty()) continue;
    std::string message = concat("Option \"", spec.key, "\": ", note);
    if (message.ends_with('.')) message.pop_back();
    list.push_back({Code::OptionIdle, Severity::Warning, std::move(message), {}, {}, {}});
  }
  return list;
}

nlohmann::json OptionSet::changedToJson() const {
  nlohmann::json json = nlohmann::json::object();
  for (const OptionSpec& spec : specs_) {
    if (value(spec.key) != spec.fallback) json[spec.key] = valueToJson(value(spec.key));
  }
  return json;
}

nlohmann::json OptionSet::resolvedToJson() const {
  nlohmann::json json = nlohmann::json::object();
  for (const OptionSpec& spec : specs_) json[spec.key] = valueToJson(value(spec.key));
  return json;
}

}  // namespace exportdeck::options
