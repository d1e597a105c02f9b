// The record beside a program, OUT.export.json: what an export was asked for, read back to do it again.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "options/profile.h"

namespace exportdeck::options {

// The record's field "request": what the call said beside backend and options. Paths are absolute.
struct ExportWish {
  std::string source, output;
  std::string method = "forward";                                   // what the source becomes
  std::vector<std::pair<std::string, std::string>> furtherMethods;  // names and sources
  std::string verify = "none";                                      // "none", "run" or a case folder
  bool keepRejected = false;
};
nlohmann::json toJson(const ExportWish& wish);

struct ExportRecord {
  ExportWish wish;
  Profile profile;  // backend and all options; named after the profile that was used, or ""
  std::string sourceHash, outputHash;
  std::vector<std::string> furtherHashes;  // of the further methods' sources
  std::string version;                     // of the ExportDeck that wrote it
};

// Whether a text gives itself out as a record, so that it is not refused as a bad profile.
bool isExportRecord(std::string_view text);
// All or nothing: what it holds has to be valid here, since something else would not be the same export. Throws
// ProfileInvalid naming the first field that is not.
ExportRecord readExportRecord(std::string_view text, const Catalogue& catalogue);

// Options for the program's loader as records and profiles hold them: {"XnnpackBackend": VALUES}.
nlohmann::json runtimeOptionsToJson(const Profile& profile, const nlohmann::json& values);

}  // namespace exportdeck::options
