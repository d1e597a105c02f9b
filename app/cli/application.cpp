#include "cli/application.h"

#include <algorithm>
#include <new>
#include <sstream>

#include "base/text.h"
#include "cli/stop_signals.h"
#include "cli/verb.h"
#include "driver/export.h"

namespace exportdeck::cli {

namespace {

constexpr const char* kProgram = "exportdeck";

class Application {
 public:
  Application(int argc, char** argv) : words_(argv, argv + argc), verbs_(allVerbs()) {
    if (!words_.empty()) words_.front() = kProgram;
    // Known before the words are understood, so that a usage error is an object too.
    json_ = std::ranges::find(words_, "--json") != words_.end();
    app_.name(kProgram);
    app_.set_version_flag("--version", concat(kProgram, " ", EXPORTDECK_VERSION), "Print the version");
    app_.require_subcommand(1);
    for (const auto& verb : verbs_) {
      CLI::App* sub = app_.add_subcommand(verb->name(), verb->summary());
      sub->add_flag("--json", json_, "Print one JSON object on stdout");
      verb->declare(*sub);
      if (verb->isInternal()) sub->group("");
    }
  }

  int run() {
    try {
      return guarded();
    } catch (const ExportError& error) {
      return fail(error);
    } catch (const std::bad_alloc&) {
      return fail(ExportError(Code::Fault, "There is not enough memory for this", {"use a machine with more memory"}));
    } catch (const std::exception& error) {
      return fail(ExportError(Code::Fault, concat("A fault of ours: ", error.what()),
                              {"report it with the file that shows it"}));
    }
  }

 private:
  int guarded() {
    checkVerb();
    try {
      std::vector<std::string> reversed(words_.rbegin(), words_.rend());
      if (!reversed.empty()) reversed.pop_back();
      app_.parse(std::move(reversed));
    } catch (const CLI::CallForHelp& help) {
      return printHelp(help);
    } catch (const CLI::CallForVersion& version) {
      console_.out(concat(version.what(), "\n"));
      return 0;
    } catch (const CLI::ParseError& error) {
      throw usage(error.what());
    }
    const auto chosen =
        std::ranges::find_if(verbs_, [&](const auto& verb) { return app_.got_subcommand(verb->name()); });
    check(chosen != verbs_.end(), "a verb was parsed that does not exist");
    return work(**chosen);
  }

  int printHelp(const CLI::CallForHelp& help) {
    std::ostringstream out, ignored;
    app_.exit(help, out, ignored);
    console_.out(out.str());
    return 0;
  }

  // A better answer to a mistyped verb than that an argument was not expected.
  void checkVerb() {
    if (words_.size() < 2) return;
    if (words_[1].starts_with("-")) {
      if (app_.get_option_no_throw(words_[1]) != nullptr) return;
      throw usage(concat("There is no option ", words_[1], "; a verb comes first"));
    }
    std::vector<std::string> names;
    if (std::ranges::any_of(verbs_, [&](const auto& verb) { return verb->isInternal() && verb->name() == words_[1]; }))
      return;
    for (const auto& verb : verbs_) {
      if (!verb->isInternal()) names.emplace_back(verb->name());
    }
    if (std::ranges::find(names, words_[1]) != names.end()) return checkAction();
    const std::string near = nearestMatch(words_[1], names);
    throw ExportError(Code::Usage, concat("There is no verb \"", words_[1], "\"; the verbs are ", join(names, ", ")),
                      {concat("see ", kProgram, near.empty() ? "" : " " + near, " --help")});
  }

  void checkAction() {
    const auto actions = app_.get_subcommand(words_[1])->get_subcommands([](CLI::App*) { return true; });
    if (actions.empty() || words_.size() < 3 || words_[2].starts_with("-")) return;
    std::vector<std::string> names;
    for (const CLI::App* action : actions) names.push_back(action->get_name());
    if (std::ranges::find(names, words_[2]) != names.end()) return;
    const std::string near = nearestMatch(words_[2], names);
    throw ExportError(
        Code::Usage,
        concat("There is no action \"", words_[2], "\" of ", words_[1], "; the actions are ", join(names, ", ")),
        {concat("see ", kProgram, " ", words_[1], near.empty() ? "" : " " + near, " --help")});
  }

  ExportError usage(std::string text) const {
    std::ranges::replace(text, '\n', ' ');
    const bool known = words_.size() > 1 && !words_[1].starts_with("-");
    return ExportError(Code::Usage, std::string(trim(text)),
                       {concat("see ", kProgram, known ? " " + words_[1] : "", " --help")});
  }

  int work(Verb& verb) {
    StopSignals signals;
    Invocation invocation{console_, signals.token(), words_, json_, diagnostics_, showError_};
    command_ = verb.name();
    Outcome outcome = verb.run(invocation);
    const ExitCode exit = outcome.error ? codeInfo(outcome.error->code).exit : ExitCode::Done;
    if (json_) {
      nlohmann::json report = {
          {"exportdeck", EXPORTDECK_VERSION}, {"command", verb.name()}, {"exit", static_cast<int>(exit)}};
      report.update(outcome.report);
      addError(report, outcome.error);
      console_.outJson(report);
    } else {
      console_.out(verb.text(outcome.report));
    }
    if (outcome.error) showError_(*outcome.error);
    return static_cast<int>(exit);
  }

  void addError(nlohmann::json& report, const std::optional<Diagnostic>& error) const {
    if (!report.contains("diagnostics")) {
      report["diagnostics"] = nlohmann::json::array();
      for (const Diagnostic& diagnostic : diagnostics_) report["diagnostics"].push_back(driver::toJson(diagnostic));
    }
    if (!error) return;
    report["error"] = driver::toJson(*error);
    report["diagnostics"].push_back(report["error"]);
  }

  int fail(const ExportError& failure) {
    const Diagnostic& error = failure.diagnostic();
    const int exit = static_cast<int>(failure.exitCode());
    if (json_) {
      nlohmann::json report = {{"exportdeck", EXPORTDECK_VERSION}, {"command", command_}, {"exit", exit}};
      addError(report, error);
      try {
        console_.outJson(report);
      } catch (const ExportError&) {
        // stdout takes nothing; the sentence on stderr still tells what happened.
      }
    }
    showError_(error);
    return exit;
  }

  std::vector<std::string> words_;
  std::vector<std::unique_ptr<Verb>> verbs_;
  Console console_;
  CLI::App app_{"Turns PyTorch programs into ExecuTorch programs."};
  std::string command_;
  std::vector<Diagnostic> diagnostics_;
  std::function<void(const Diagnostic&)> showError_ = [this](const Diagnostic& error) {
    console_.message(error.text());
  };
  bool json_ = false;
};

}  // namespace

std::vector<std::unique_ptr<Verb>> allVerbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(makeExportVerb());
  verbs.push_back(makeBackendsVerb());
  verbs.push_back(makeOptionsVerb());
  verbs.push_back(makeProfileVerb());
  verbs.push_back(makeInspectVerb());
  verbs.push_back(makeRunVerb());
  verbs.push_back(makeVerifyVerb());
  verbs.push_back(makeDifferenceVerb());
  return verbs;
}

int runApplication(int argc, char** argv) {
  return Application(argc, argv).run();
}

}  // namespace exportdeck::cli
