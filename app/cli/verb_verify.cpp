#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "cli/format.h"
#include "cli/guarded.h"
#include "cli/program_data.h"
#include "cli/verb.h"
#include "runtime/program.h"

namespace exportdeck::cli {

namespace {

// For CLI11: an empty text where the word is a tolerance.
std::string whyNoTolerance(const std::string& word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool number = error == std::errc() && end == word.data() + word.size();
  return number && std::isfinite(value) && value >= 0 ? std::string()
                                                      : concat("expects a number of at least 0, not ", word);
}

class VerifyVerb : public Verb {
 public:
  const char* name() const override { return "verify"; }
  const char* summary() const override { return "Run a program and compare its outputs with those of a case"; }

  void declare(CLI::App& app) override {
    app.add_option("PROGRAM.pte", program_, "The program")->required();
    app.add_option("CASE_DIR", case_, "A case folder: inputs and expected outputs")->required();
    app.add_option("--atol", absolute_, "Absolute tolerance; by element type where it is not given")
        ->check(whyNoTolerance);
    app.add_option("--rtol", relative_, "Relative tolerance; by element type where it is not given")
        ->check(whyNoTolerance);
    app.add_option("--snr", decibels_, "Signal to noise in dB that is enough; by element type where it is not given")
        ->check(whyNoTolerance);
    app.add_option("--method", method_, "The method; forward where the program has several")->type_name("NAME");
    app.add_option("--data", data_, "The program's constants; PROGRAM.ptd where that is there")->type_name("FILE.ptd");
    app.add_flag(kInProcessFlag, inProcess_)->group("");
  }

  Outcome run(Invocation& invocation) override {
    if (inProcess_) return verifyHere();
    std::vector<std::string> words{"verify", program_, case_};
    if (absolute_) words.insert(words.end(), {"--atol", concat(*absolute_)});
    if (relative_) words.insert(words.end(), {"--rtol", concat(*relative_)});
    if (decibels_) words.insert(words.end(), {"--snr", concat(*decibels_)});
    if (!method_.empty()) words.insert(words.end(), {"--method", method_});
    if (!data_.empty()) words.insert(words.end(), {"--data", data_});
    return runGuarded(words, invocation.stop);
  }

  std::string text(const nlohmann::json& report) const override {
    if (!report.contains("match")) return {};
    const bool match = report["match"].get<bool>();
    const auto& ratio = report["snr_db"];
    return concat(match ? "The outputs match.\n" : "The outputs do not match.\n",
                  table({{"largest error", formatError(report["max_abs_error"])},
                         {"signal to noise",
                          ratio.is_number() ? concat(std::round(ratio.get<double>() * 10) / 10, " dB") : "exact"},
                         {"calls", report["calls"].dump()},
                         {"arena", formatBytes(report.value("planned_bytes", uint64_t{0}))},
                         {"backends", join(report.value("backends", std::vector<std::string>()), ", ")}},
                        2));
  }

 private:
  Outcome verifyHere() {
    const runtime::Case expected = runtime::readCase(case_);
    runtime::Tolerance tolerance = expected.tolerance;
    if (absolute_) tolerance.absolute = absolute_;
    if (relative_) tolerance.relative = relative_;
    if (decibels_) tolerance.decibels = decibels_;
    const auto program = runtime::LoadedProgram::load(program_, {method_, programData(program_, data_)});
    runtime::Comparison worst;
    worst.signalToNoiseDb = HUGE_VAL;
    for (size_t i = 0; i < expected.calls.size(); ++i) {
      runtime::Comparison found =
          runtime::compare(program->run(expected.calls[i].inputs), expected.calls[i].outputs, tolerance);
      if (worst.match && !found.match) {
        worst.match = false;
        worst.why = expected.calls.size() > 1 ? concat("call ", i, ": ", found.why) : found.why;
      }
      worst.maxAbsoluteError = std::isnan(found.maxAbsoluteError)
                                   ? found.maxAbsoluteError
                                   : std::max(worst.maxAbsoluteError, found.maxAbsoluteError);
      worst.signalToNoiseDb = std::min(worst.signalToNoiseDb, found.signalToNoiseDb);
    }
    return outcome(worst, expected.calls.size(), *program);
  }

  // An exact match has no finite signal-to-noise ratio: null.
  Outcome outcome(const runtime::Comparison& worst, size_t calls, const runtime::LoadedProgram& program) const {
    Outcome outcome;
    outcome.report = {
        {"match", worst.match},
        {"why", worst.why},
        {"max_abs_error", worst.maxAbsoluteError},
        {"snr_db", std::isfinite(worst.signalToNoiseDb) ? nlohmann::json(worst.signalToNoiseDb) : nlohmann::json()},
        {"calls", calls},
        {"planned_bytes", program.plannedBytes()},
        {"backends", program.backends()}};
    if (!worst.match) {
      Diagnostic mismatch{Code::VerifyMismatch,
                          Severity::Error,
                          concat("The outputs differ from those of the case ", case_),
                          {},
                          worst.why,
                          {"loosen --atol or --rtol if the difference is small enough for the use"}};
      outcome.error = std::move(mismatch);
    }
    return outcome;
  }

  std::string method_, data_, program_, case_;
  std::optional<double> absolute_, relative_, decibels_;
  bool inProcess_ = false;
};

}  // namespace

std::unique_ptr<Verb> makeVerifyVerb() {
  return std::make_unique<VerifyVerb>();
}

}  // namespace exportdeck::cli
