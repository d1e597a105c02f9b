// What a verb of the command line is. Each has one file: verb_NAME.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "cli/console.h"

namespace exportdeck::cli {

// What every verb is called with.
struct Invocation {
  Console& console;
  std::stop_token stop;                               // requested by SIGINT, SIGTERM, SIGHUP or a closed stderr
  std::vector<std::string> words;                     // the call itself, from "exportdeck" on
  bool json = false;                                  // one object on stdout
  std::vector<Diagnostic>& diagnostics;               // what the verb warned of, for the report of a failure
  std::function<void(const Diagnostic&)>& showError;  // how the error that ends the work is told: a line on stderr
};

// What a verb found. The report is what --json prints; text() makes the human form of it.
struct Outcome {
  nlohmann::json report = nlohmann::json::object();
  std::optional<Diagnostic> error;  // set where the work was done and found something wrong: decides the exit code
};

class Verb {
 public:
  virtual ~Verb() = default;
  virtual const char* name() const = 0;
  virtual const char* summary() const = 0;
  virtual bool isInternal() const { return false; }  // called by the program itself, and shown nowhere
  virtual void declare(CLI::App& app) = 0;           // binds words to members
  virtual Outcome run(Invocation& invocation) = 0;   // throws ExportError
  virtual std::string text(const nlohmann::json& report) const = 0;
};

// All verbs, in the order of the help.
std::vector<std::unique_ptr<Verb>> allVerbs();
std::unique_ptr<Verb> makeExportVerb();
std::unique_ptr<Verb> makeBackendsVerb();
std::unique_ptr<Verb> makeOptionsVerb();
std::unique_ptr<Verb> makeProfileVerb();
std::unique_ptr<Verb> makeInspectVerb();
std::unique_ptr<Verb> makeRunVerb();
std::unique_ptr<Verb> makeVerifyVerb();
std::unique_ptr<Verb> makeDifferenceVerb();

}  // namespace exportdeck::cli
