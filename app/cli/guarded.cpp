#include "cli/guarded.h"

#include "services/child_runner.h"
#include "services/progress_event.h"

namespace exportdeck::cli {

Outcome runGuarded(const std::vector<std::string>& words, std::stop_token stop) {
  QStringList arguments;
  for (const std::string& word : words) arguments << QString::fromStdString(word);
  arguments << QString::fromLatin1(kInProcessFlag) << QStringLiteral("--json");
  services::ChildResult child = services::runChild(arguments, {}, std::move(stop));
  Outcome outcome;
  if (child.json.contains("error")) {
    outcome.error = services::diagnosticFromJson(child.json["error"]);
  } else {
    check(child.exitCode == 0, "a child process failed and gave no error");
  }
  for (const char* own : {"exportdeck", "command", "exit", "error", "diagnostics"}) child.json.erase(own);
  outcome.report = std::move(child.json);
  return outcome;
}

}  // namespace exportdeck::cli
