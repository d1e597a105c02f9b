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
  std::vector<std::string> hosts;    // where it can export, as hostName() writes it; empty: anywhere
  std::vector<std::string> needs;    // what has to be installed, one item a line
  std::vector<OptionSpec> exportOptions;
  std::vector<OptionSpec> runtimeOptions;
  std::string withdrawn;  // why nobody can export to it with this ExecuTorch; empty: somebody can
};

struct Availability {
  bool available = false;
  std::string reason;  // where not: one clause, "it is lowered by the Python engine, which this version does not have"
  std::string remedy;  // what would help
};
// The machine that this program was built for: "linux-x86_64", "linux-aarch64", "macos-arm64", "windows-x86_64"…
std::string hostName();

class Catalogue {
 public:
  // The built-in entries, sorted by id. Options common to all native backends come first in each. Throws
  // CatalogueInvalid.
  static const Catalogue& builtIn();
  // Throws CatalogueInvalid naming the entry and field. "include" is not followed: see builtIn().
  static BackendEntry parseEntry(const nlohmann::json& json);
  // Sorts the entries; throws CatalogueInvalid where an id or an alias stands twice.
  explicit Catalogue(std::vector<BackendEntry> entries);

  const std::vector<BackendEntry>& entries() const { return entries_; }
  const BackendEntry* find(std::string_view id) const;
  // An id, an alias or a runtime id, where a runtime name is meant; of two backends with one runtime id the first.
  const BackendEntry* findRuntimeName(std::string_view name) const;
  // Throws the three different refusals: BackendUnknown, BackendUnavailable, BackendWrongEngine (see the messages in
  // the issue).
  const BackendEntry& require(std::string_view id, std::string_view engine) const;
  Availability availability(const BackendEntry& entry) const;
  std::vector<std::string> availableIds() const;  // sorted

 private:
  std::vector<BackendEntry> entries_;
};

// One backend as `exportdeck backends --json` prints it.
nlohmann::json toJson(const BackendEntry& entry, const Availability& availability);

}  // namespace exportdeck::options
