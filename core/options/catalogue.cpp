#include "options/catalogue.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/text.h"
#include "options/resources.h"

namespace exportdeck::options {

namespace {

constexpr std::string_view kDefaultBackend = "xnnpack";

nlohmann::json parseResource(const Resource& resource) {
  nlohmann::json json = nlohmann::json::parse(resource.text, nullptr, false);
  if (json.is_discarded()) throw ExportError(Code::CatalogueInvalid, concat(resource.name, " is no JSON"));
  return json;
}

// Puts the options of the files that "include" names before the entry's own.
void resolveIncludes(nlohmann::json& entry, const std::map<std::string, nlohmann::json>& shared) {
  if (!entry.is_object() || !entry.contains("include")) return;
  for (const nlohmann::json& name : entry["include"]) {
    const auto found = name.is_string() ? shared.find(name.get<std::string>()) : shared.end();
    if (found == shared.end()) {
      throw ExportError(Code::CatalogueInvalid,
                        concat("A catalogue entry includes ", name.dump(), ", which is not there"));
    }
    for (const char* field : {"export_options", "runtime_options"}) {
      nlohmann::json options = found->second.value(field, nlohmann::json::array());
      for (const nlohmann::json& own : entry.value(field, nlohmann::json::array())) options.push_back(own);
      entry[field] = std::move(options);
    }
  }
}

std::vector<BackendEntry> readBuiltIn() {
  constexpr std::string_view kFolder = "backends/", kSuffix = ".json";
  std::map<std::string, nlohmann::json> shared;
  std::vector<nlohmann::json> entries;
  for (const Resource& resource : builtInResources()) {
    if (!resource.name.starts_with(kFolder)) continue;
    nlohmann::json json = parseResource(resource);
    if (json.is_object() && json.contains("exportdeck_options")) {
      const std::string_view name =
          resource.name.substr(kFolder.size(), resource.name.size() - kFolder.size() - kSuffix.size());
      shared.emplace(name, std::move(json));
    } else {
      entries.push_back(std::move(json));
    }
  }
  std::vector<BackendEntry> parsed;
  for (nlohmann::json& entry : entries) {
    resolveIncludes(entry, shared);
    parsed.push_back(Catalogue::parseEntry(entry));
  }
  return parsed;
}

std::string lowerCase(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// The id that is surely meant: only the case differs, or it is a name that programs carry.
std::string meantId(const Catalogue& catalogue, std::string_view id) {
  if (const BackendEntry* entry = catalogue.find(lowerCase(id))) return entry->id;
  if (const BackendEntry* entry = catalogue.findRuntimeName(id)) return entry->id;
  for (const BackendEntry& entry : catalogue.entries()) {
    if (!entry.runtimeId.empty() && lowerCase(entry.runtimeId) == lowerCase(id)) return entry.id;
  }
  return {};
}

[[noreturn]] void refuseUnknown(const Catalogue& catalogue, std::string_view id) {
  const std::vector<std::string> supported = catalogue.availableIds();
  std::vector<std::string> known;
  for (const BackendEntry& entry : catalogue.entries()) known.push_back(entry.id);
  Diagnostic diagnostic{Code::BackendUnknown, Severity::Error, {}, {}, {}, {}};
  diagnostic.message = concat("Unsupported backend ", id.empty() ? "\"\"" : id,
                              " for ExecuTorch export: supported are ", join(supported, ", "));
  std::string near = meantId(catalogue, id);
  if (!near.empty()) {
    diagnostic.why = concat("backend ids are lower case: ", near);
  } else if (near = nearestMatch(lowerCase(id), known); !near.empty()) {
    diagnostic.why = concat("the nearest match is ", near);
  }
  if (near != kDefaultBackend && std::ranges::find(supported, near) != supported.end()) {
    diagnostic.fixes.push_back(concat("use ", near));
  }
  diagnostic.fixes.push_back(concat("use ", kDefaultBackend));
  throw ExportError(std::move(diagnostic));
}

// A clause as a sentence of its own.
std::string sentence(std::string clause) {
  if (!clause.empty()) clause[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(clause[0])));
  return clause;
}

// Why no engine can export to it on this machine; empty reason: one can.
Availability whyNotHere(const BackendEntry& entry) {
  if (!entry.withdrawn.empty()) return {false, entry.withdrawn, "use xnnpack"};
  if (!entry.hosts.empty() && std::ranges::find(entry.hosts, hostName()) == entry.hosts.end()) {
    return {false,
            concat("programs for it are made on ", join(entry.hosts, ", "), ", and this machine is ", hostName()),
            concat("export on such a machine, or use ", kDefaultBackend)};
  }
  return {};
}

}  // namespace

std::string hostName() {
#if defined(__APPLE__)
  constexpr const char* kSystem = "macos";
#elif defined(_WIN32)
  constexpr const char* kSystem = "windows";
#else
  constexpr const char* kSystem = "linux";
#endif
#if defined(__aarch64__)
  return concat(kSystem, std::string_view(kSystem) == "macos" ? "-arm64" : "-aarch64");
#else
  return concat(kSystem, "-x86_64");
#endif
}

const Catalogue& Catalogue::builtIn() {
  static const Catalogue catalogue(readBuiltIn());
  return catalogue;
}

Catalogue::Catalogue(std::vector<BackendEntry> entries) : entries_(std::move(entries)) {
  std::ranges::sort(entries_, {}, &BackendEntry::id);
  std::set<std::string_view> names;
  for (const BackendEntry& entry : entries_) {
    for (const std::string& name : entry.aliases) {
      if (!names.insert(name).second)
        throw ExportError(Code::CatalogueInvalid, concat("The alias ", name, " stands twice"));
    }
    if (!names.insert(entry.id).second)
      throw ExportError(Code::CatalogueInvalid, concat("The id ", entry.id, " stands twice"));
  }
}

const BackendEntry* Catalogue::find(std::string_view id) const {
  const auto found = std::ranges::find(entries_, id, &BackendEntry::id);
  return found != entries_.end() ? &*found : nullptr;
}

const BackendEntry* Catalogue::findRuntimeName(std::string_view name) const {
  if (name.empty()) return nullptr;
  if (const BackendEntry* entry = find(name)) return entry;
  const auto found = std::ranges::find_if(entries_, [&](const BackendEntry& entry) {
    return entry.runtimeId == name || std::ranges::find(entry.aliases, name) != entry.aliases.end();
  });
  return found != entries_.end() ? &*found : nullptr;
}

const BackendEntry& Catalogue::require(std::string_view id, std::string_view engine) const {
  const BackendEntry* entry = find(id);
  if (entry == nullptr) refuseUnknown(*this, id);
  if (const Availability here = whyNotHere(*entry); !here.reason.empty()) {
    Diagnostic diagnostic{
        Code::BackendUnavailable, Severity::Error, concat("Backend ", id, " is not available here"), {},
        sentence(here.reason),    {here.remedy}};
    throw ExportError(std::move(diagnostic));
  }
  if (entry->engine != engine) {
    Diagnostic diagnostic{Code::BackendWrongEngine,
                          Severity::Error,
                          concat("Backend ", id, " is known, but the ", engine, " engine does not lower to it"),
                          {},
                          sentence(availability(*entry).reason),
                          {concat("use ", kDefaultBackend)}};
    throw ExportError(std::move(diagnostic));
  }
  return *entry;
}

Availability Catalogue::availability(const BackendEntry& entry) const {
  if (Availability here = whyNotHere(entry); !here.reason.empty()) return here;
  if (entry.engine == "native") return {true, {}, {}};
  return {false, "it is lowered by the Python engine, which this version does not have",
          concat("use ", kDefaultBackend)};
}

std::vector<std::string> Catalogue::availableIds() const {
  std::vector<std::string> ids;
  for (const BackendEntry& entry : entries_) {
    if (availability(entry).available) ids.push_back(entry.id);
  }
  return ids;
}

}  // namespace exportdeck::options
