// The catalogue of backends: resources/backends/ID.json, built into the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/option_set.h"

namespace exportdeck::options {

// One backend. The JSON format (version 1) is described in resources/backends/README.md.
struct BackendEntry {
  std::string id;                    // lower case: "xnnpack"
  std::string title;                 // "XNNPACK (CPU)"
  std::string summary;               // one sentence
  std::string runtimeId;             // in the .pte: "XnnpackBackend"; empty where it makes no delegate
  std::vector<std::string> aliases;  // names used in the wild where a runtime id is meant: "XNNPACK"
  std::string engine;                // "native" or "python"
  std::vector<std::string> targets;  // where its programs run: "linux", "android"…
  std::vector<std::string> hosts;    // where it can export; empty: anywhere
  std::vector<std::string> needs;    // what has to be installed, one item a line
  std::vector<OptionSpec> exportOptions;
  std::vector<OptionSpec> runtimeOptions;
};

struct Availability {
  bool available = false;
  std::string reason;  // where not: one clause, "it is lowered by the Python engine, which this version does not have"
  std::string remedy;  // what would help
};

class Catalogue {
 public:
  // The built-in entries, sorted by id. Options common to all native backends come first in each.
  static const Catalogue& builtIn();
  // Throws CatalogueInvalid naming the entry and field.
  static BackendEntry parseEntry(const nlohmann::json& json);
  explicit Catalogue(std::vector<BackendEntry> entries) : entries_(std::move(entries)) {}

  const std::vector<BackendEntry>& entries() const { return entries_; }
  const BackendEntry* find(std::string_view id) const;
  // An id or an alias, where a runtime name is meant.
  const BackendEntry* findRuntimeName(std::string_view name) const;
  // Throws the three different refusals: BackendUnknown, BackendUnavailable, BackendWrongEngine (see the messages in the issue).
  const BackendEntry& require(std::string_view id, std::string_view engine) const;
  Availability availability(const BackendEntry& entry) const;

 private:
  std::vector<BackendEntry> entries_;
};

}  // namespace exportdeck::options
