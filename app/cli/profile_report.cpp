#include "cli/profile_report.h"

#include <filesystem>

#include "base/text.h"
#include "cli/format.h"
#include "services/profile_store.h"

namespace exportdeck::cli {

using nlohmann::json;

json toJson(const options::Profile& profile) {
  return {{"name", profile.name},
          {"backend", profile.backend},
          {"export_options", profile.exportOptions.changedToJson()},
          {"runtime_options", profile.runtimeOptions.changedToJson()}};
}

json toJson(const std::vector<options::ProfileProblem>& problems) {
  const auto valueOf = [](const std::string& text) { return text.empty() ? json() : json(text); };
  json list = json::array();
  for (const options::ProfileProblem& problem : problems) {
    list.push_back({{"key", problem.key},
                    {"reason", problem.reason},
                    {"fatal", problem.fatal},
                    {"given", valueOf(problem.given)},
                    {"taken", valueOf(problem.taken)}});
  }
  return list;
}

std::string changedText(const json& profile) {
  std::vector<std::vector<std::string>> rows;
  for (const char* field : {"export_options", "runtime_options"}) {
    for (const auto& [key, value] : profile[field].items()) {
      rows.push_back(
          {key, value.is_string() ? value.get<std::string>() : value.dump(), field[0] == 'r' ? "loader" : ""});
    }
  }
  return rows.empty() ? "  all options have their defaults\n" : table(rows, 2);
}

std::string problemsText(const json& problems) {
  std::string out;
  for (const json& problem : problems) {
    const std::string key = textField(problem, "key");
    out += concat("  ", key, key.empty() ? "" : ": ", textField(problem, "reason"));
    if (problem["taken"].is_string()) out += concat("; taken is ", textField(problem, "taken"));
    out += "\n";
  }
  return out;
}

void requireReadable(const options::ProfileResult& result) {
  if (!result.isFatal()) return;
  const options::ProfileProblem& problem = result.problems.back();
  throw ExportError(
      Code::ProfileInvalid,
      concat("The profile cannot be read: ", problem.key, problem.key.empty() ? "" : ": ", problem.reason),
      {"choose another file"});
}

void writeProfileFile(const options::Profile& profile, const std::string& path, bool replace) {
  std::error_code ignored;
  if (!replace && std::filesystem::exists(path, ignored)) {
    throw ExportError(Code::OutputExists, concat("The file ", path, " exists"),
                      {"give --force to replace it", "choose another name"});
  }
  services::ProfileStore::saveTo(profile, QString::fromStdString(path));
}

}  // namespace exportdeck::cli
