#include "cli/verification.h"

#include <chrono>
#include <filesystem>

#include "base/text.h"
#include "cli/guarded.h"
#include "cli/input_values.h"

namespace exportdeck::cli {

namespace {

using Clock = std::chrono::steady_clock;
// Quantised programs are near what the case expects, not equal: below this they compute something else.
constexpr const char* kSnrOfQuantised = "10";

void requireCaseFolder(const std::string& how) {
  std::error_code ignored;
  if (std::filesystem::is_directory(how, ignored)) return;
  std::vector<std::string> fixes{"give none, run, or the path of a case folder"};
  if (const std::string near = nearestMatch(how, {"none", "run"}); !near.empty())
    fixes.insert(fixes.begin(), concat("use --verify ", near));
  throw ExportError(Code::FileNotFound, concat("The case folder ", how, " is not there"), std::move(fixes));
}

// The wish to look at the rejected program is close at hand.
ExportError withRejectedHint(Diagnostic diagnostic) {
  if (codeInfo(diagnostic.code).exit == ExitCode::CheckedAndWrong) {
    diagnostic.fixes.push_back("keep the rejected program with --keep-rejected and look at it with exportdeck inspect");
  }
  return ExportError(std::move(diagnostic));
}

nlohmann::json checkInChild(const std::vector<std::string>& words, std::stop_token stop, const std::string& kind) {
  const auto started = Clock::now();
  Outcome outcome;
  try {
    outcome = runGuarded(words, stop);
  } catch (const ExportError& error) {
    throw withRejectedHint(error.diagnostic());
  }
  if (outcome.error) throw withRejectedHint(*outcome.error);
  const nlohmann::json& found = outcome.report;
  nlohmann::json report = {{"kind", kind},
                           {"match", nullptr},
                           {"inputs", kind},
                           {"seconds", std::chrono::duration<double>(Clock::now() - started).count()}};
  for (const char* key : {"inputs", "match", "max_abs_error", "snr_db", "calls", "planned_bytes", "backends"}) {
    if (found.contains(key)) report[key] = found[key];
  }
  return report;
}

}  // namespace

Verification makeVerification(const std::string& how, const std::string& first, std::stop_token stop) {
  if (how == "none") return {};
  const bool isCase = how != "run";
  if (isCase) requireCaseFolder(how);
  return [how, first, isCase, stop](const driver::Unpublished& written) {
    const driver::MethodSource& method = written.method;
    std::vector<std::string> words;
    const bool compares = isCase && method.name == first;
    if (compares) {
      words = {"verify", written.program, how};
      if (written.isQuantised) words.insert(words.end(), {"--atol", "1e30", "--snr", kSnrOfQuantised});
    } else {
      const std::string limit = concat(indexLimit(*written.exported.graph));
      words = {"run", written.program, "--samples", method.path, "--index-limit", limit};
    }
    words.insert(words.end(), {"--method", method.name});
    if (!written.data.empty()) words.insert(words.end(), {"--data", written.data});
    return checkInChild(words, stop, compares ? "case" : "run");
  };
}

Difference makeComparison(std::stop_token stop) {
  return [stop](const driver::Unpublished& quantised, const std::string& floats) {
    const auto started = Clock::now();
    std::vector<std::string> words{"difference",
                                   quantised.program,
                                   floats,
                                   "--samples",
                                   quantised.method.path,
                                   "--index-limit",
                                   concat(indexLimit(*quantised.exported.graph)),
                                   "--method",
                                   quantised.method.name};
    if (!quantised.data.empty()) words.insert(words.end(), {"--data", quantised.data});
    Outcome outcome = runGuarded(words, stop);
    if (outcome.error) throw ExportError(*outcome.error);
    outcome.report["seconds"] = std::chrono::duration<double>(Clock::now() - started).count();
    return outcome.report;
  };
}

}  // namespace exportdeck::cli
