#include <algorithm>

#include "base/text.h"
#include "options/export_record.h"
#include "options/profile.h"
#include "options/profile_name.h"

namespace exportdeck::options {

namespace {

constexpr std::string_view kFallback = "xnnpack";  // the backend of a profile whose own is not known

class Reader {
 public:
  Reader(const Catalogue& catalogue, ProfileResult& result) : catalogue_(catalogue), result_(result) {}

  void read(const nlohmann::json& json) {
    if (!json.is_object()) return fatal("", "the file holds no JSON object");
    if (!readVersion(json)) return;
    readName(json);
    const BackendEntry& entry = readBackend(json);
    result_.profile.exportOptions = OptionSet(entry.exportOptions);
    result_.profile.runtimeOptions = OptionSet(entry.runtimeOptions);
    readOptions(json, "export_options", result_.profile.exportOptions);
    readRuntimeOptions(json, entry);
    for (const auto& [key, value] : json.items()) {
      if (!isKnown(key)) problem(key, concat("there is no such field", near(key)), value);
    }
  }

  void fatal(std::string key, std::string reason) {
    result_.problems.push_back({std::move(key), std::move(reason), true, {}, {}});
  }

 private:
  static const std::vector<std::string>& knownKeys() {
    static const std::vector<std::string> keys = {"backend", "export_options", "exportdeck_profile", "name",
                                                  "runtime_options"};
    return keys;
  }
  static bool isKnown(const std::string& key) { return std::ranges::find(knownKeys(), key) != knownKeys().end(); }
  static std::string near(const std::string& key) {
    const std::string match = nearestMatch(key, knownKeys());
    return match.empty() ? std::string() : concat("; the nearest is ", match);
  }
  void problem(std::string key, std::string reason, const nlohmann::json& given = nlohmann::json::value_t::discarded,
               std::string taken = {}) {
    std::string words;
    if (!given.is_discarded()) words = given.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    result_.problems.push_back({std::move(key), std::move(reason), false, std::move(words), std::move(taken)});
  }

  bool readVersion(const nlohmann::json& json) {
    const auto version = json.find("exportdeck_profile");
    if (version == json.end() || !version->is_number_integer()) {
      fatal("exportdeck_profile", "the profile's version is missing or no whole number, so this is no profile");
      return false;
    }
    if (*version > Profile::kVersion) {
      problem("exportdeck_profile",
              concat("the profile has version ", version->dump(), ", written by a newer ExportDeck; this one reads ",
                     Profile::kVersion),
              *version, concat(Profile::kVersion));
      return true;
    }
    if (*version < 1) {
      fatal("exportdeck_profile", concat("there is no profile version ", version->dump()));
      return false;
    }
    return true;
  }

  void readName(const nlohmann::json& json) {
    const auto name = json.find("name");
    if (name == json.end()) return problem("name", "is missing");
    if (!name->is_string()) return problem("name", "is no text", *name);
    const auto& words = name->get_ref<const std::string&>();
    const std::string reason = whyNoProfileName(words);
    result_.profile.name = reason.empty() ? words : nearestProfileName(words);
    const std::string& taken = result_.profile.name;
    if (!reason.empty())
      problem("name", concat("it cannot be a name: ", reason), *name,
              taken.empty() ? std::string() : nlohmann::json(taken).dump());
  }

  const BackendEntry& readBackend(const nlohmann::json& json) {
    const auto backend = json.find("backend");
    const BackendEntry* fallback = catalogue_.find(kFallback);
    check(fallback != nullptr, "the catalogue lacks the backend that profiles fall back to");
    const BackendEntry* entry = fallback;
    if (backend == json.end()) {
      problem("backend", "is missing", nlohmann::json::value_t::discarded, fallback->id);
    } else if (!backend->is_string()) {
      problem("backend", "is no text", *backend, fallback->id);
    } else {
      const auto& id = backend->get_ref<const std::string&>();
      entry = catalogue_.find(id);
      if (entry == nullptr) entry = &nearestBackend(id, *backend, *fallback);
    }
    result_.profile.backend = entry->id;
    return *entry;
  }

  const BackendEntry& nearestBackend(const std::string& id, const nlohmann::json& given, const BackendEntry& fallback) {
    std::vector<std::string> ids;
    for (const BackendEntry& known : catalogue_.entries()) ids.push_back(known.id);
    const std::string match = nearestMatch(id, ids);
    const BackendEntry& entry = match.empty() ? fallback : *catalogue_.find(match);
    problem("backend", concat("there is no backend \"", id, "\"", match.empty() ? "" : "; the nearest is ", match),
            given, entry.id);
    return entry;
  }

  void readOptions(const nlohmann::json& parent, const std::string& field, OptionSet& set,
                   const std::string& prefix = {}) {
    const auto options = parent.find(field);
    if (options == parent.end()) return;
    const std::string path = concat(prefix, field);
    if (!options->is_object()) return problem(path, "is no object", *options);
    for (const auto& [key, value] : options->items()) {
      const OptionSpec* spec = set.find(key);
      try {
        set.set(key, spec != nullptr ? valueFromJson(*spec, value) : OptionValue());
      } catch (const ExportError& error) {
        const Diagnostic& why = error.diagnostic();
        const bool unknown = why.code == Code::OptionUnknown && why.fixes.size() > 1;
        problem(concat(path, ".", key), unknown ? concat(why.message, "; ", why.fixes.front()) : why.message, value,
                spec != nullptr ? valueToJson(spec->fallback).dump() : std::string());
      }
    }
  }

  void readRuntimeOptions(const nlohmann::json& json, const BackendEntry& entry) {
    const auto options = json.find("runtime_options");
    if (options == json.end()) return;
    if (!options->is_object()) return problem("runtime_options", "is no object", *options);
    for (const auto& [name, value] : options->items()) {
      const BackendEntry* named = catalogue_.findRuntimeName(name);
      if (named == nullptr) {
        problem(concat("runtime_options.", name), "no backend has this runtime name", value);
      } else if (named->id != entry.id && named->runtimeId != entry.runtimeId) {
        problem(concat("runtime_options.", name), concat("belongs to the backend ", named->id, ", not to ", entry.id),
                value);
      } else {
        readOptions(*options, name, result_.profile.runtimeOptions, "runtime_options.");
      }
    }
  }

  const Catalogue& catalogue_;
  ProfileResult& result_;
};

}  // namespace

ProfileResult readProfile(std::string_view text, const Catalogue& catalogue) {
  ProfileResult result;
  Reader reader(catalogue, result);
  try {
    reader.read(nlohmann::json::parse(text));
  } catch (const nlohmann::json::parse_error& error) {
    const std::string_view before = text.substr(0, std::min(error.byte > 0 ? error.byte - 1 : 0, text.size()));
    reader.fatal("", concat("the file is no JSON: line ", std::ranges::count(before, '\n') + 1, " cannot be read"));
  }
  return result;
}

Profile loadProfile(std::string_view text, const Catalogue& catalogue) {
  ProfileResult result = readProfile(text, catalogue);
  if (result.problems.empty()) return std::move(result.profile);
  const ProfileProblem& first = result.problems.front();
  std::string message = concat("The profile cannot be used: ", first.key, first.key.empty() ? "" : ": ", first.reason);
  if (result.problems.size() > 1) message += concat(" (and ", result.problems.size() - 1, " more)");
  Diagnostic diagnostic{Code::ProfileInvalid, Severity::Error, std::move(message), {}, {}, {}};
  diagnostic.fixes.push_back(first.fatal ? "choose another profile" : concat("correct or remove ", first.key));
  throw ExportError(std::move(diagnostic));
}

std::string writeProfile(const Profile& profile) {
  nlohmann::json json = {{"exportdeck_profile", Profile::kVersion},
                         {"name", profile.name},
                         {"backend", profile.backend},
                         {"export_options", profile.exportOptions.changedToJson()}};
  const nlohmann::json runtime = profile.runtimeOptions.changedToJson();
  if (!runtime.empty()) json["runtime_options"] = runtimeOptionsToJson(profile, runtime);
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace exportdeck::options
