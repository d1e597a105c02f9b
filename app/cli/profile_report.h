// What the actions on profiles share: profiles and what is wrong with them as JSON and as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "options/profile.h"

namespace exportdeck::cli {

// {"name", "backend", "export_options", "runtime_options"}: what differs from the defaults.
nlohmann::json toJson(const options::Profile& profile);
// [{"key", "reason", "fatal", "given", "taken"}]; the last two are null where there is nothing.
nlohmann::json toJson(const std::vector<options::ProfileProblem>& problems);

// Lines for people of what toJson gave: "  alignment  64" and "  KEY: REASON".
std::string changedText(const nlohmann::json& profile);
std::string problemsText(const nlohmann::json& problems);

// Throws ProfileInvalid where nothing could be read.
void requireReadable(const options::ProfileResult& result);
// Writes to a file that is not there yet, or with `replace` to any. Throws OutputExists, FileUnwritable.
void writeProfileFile(const options::Profile& profile, const std::string& path, bool replace);

}  // namespace exportdeck::cli
