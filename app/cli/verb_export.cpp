#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>

#include "base/sink.h"
#include "base/text.h"
#include "cli/progress_output.h"
#include "cli/report_text.h"
#include "cli/verb.h"
#include "cli/verification.h"
#include "driver/export.h"
#include "options/export_record.h"
#include "runtime/evaluate.h"
#include "services/profile_store.h"

namespace exportdeck::cli {

namespace {

constexpr const char* kEngine = "native";
constexpr const char* kDefaultBackend = "xnnpack";
constexpr const char* kRuntimeOption = "runtime_profile";

class ExportVerb : public Verb {
 public:
  const char* name() const override { return "export"; }
  const char* summary() const override {
    return "Turn an exported PyTorch program (.pt2) into an ExecuTorch program (.pte)";
  }

  void declare(CLI::App& app) override {
    app.add_option("SOURCE.pt2", source_,
                   "What torch.export.save wrote, the method forward; with --from the recorded one");
    app.add_option("--method", methods_, "Add a method: several programs with weights in common in one file")
        ->type_name("NAME=FILE.pt2")
        ->allow_extra_args(false);
    app.add_option("-o,--output", output_, "The program to write; with --from the recorded one")->type_name("OUT.pte");
    app.add_option("--from", from_, "Repeat an export with everything that is recorded beside its program")
        ->type_name("OUT.export.json");
    app.add_option("--backend", backend_, "The backend to delegate to (xnnpack); see: exportdeck backends")
        ->type_name("ID");
    app.add_option("--profile", profile_, "Take backend and options from a profile")->type_name("FILE|NAME");
    app.add_option("--set", settings_, "Set an option; see: exportdeck options BACKEND")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    app.add_option("--set-runtime", runtimeSettings_, "Record an option for the program's loader; the file is the same")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    app.add_option(
           "--runtime-profile", runtimeProfile_,
           "The kernels that the runtime has (quantized): portable, optimized with the optimized library, "
           "quantized with the quantized one too, or a file with an operator a line, as of a selective build; a "
           "program that needs another is refused")
        ->type_name("NAME|FILE");
    app.add_option("--bound", bounds_, "How large a size that changes between calls may become")
        ->type_name("SYMBOL=NUMBER")
        ->allow_extra_args(false);
    app.add_flag("--external-constants", externalConstants_,
                 "Write weights to OUT.ptd beside the program; the same as --set external_constants=true");
    app.add_option("--verify", verify_,
                   "Check the program before it gets its name: none, run, or a case folder to compare with")
        ->type_name("none|run|CASE_DIR");
    app.add_option("--progress", progress_, "Progress on stderr; text on a terminal, else none")
        ->check(CLI::IsMember({"text", "json", "none"}))
        ->type_name("text|json|none");
    app.add_option("--dump-ir", dumpDirectory_, "Write the graph after each pass into this folder")->type_name("DIR");
    app.add_flag("--keep-rejected", keepRejected_, "Keep a program that failed its check as OUT.rejected");
    app.add_flag("--force", force_, "Replace an existing output");
  }

  Outcome run(Invocation& invocation) override {
    const std::shared_ptr<ProgressOutput> progress = makeProgress(progressKind(invocation), invocation.console);
    if (progress_ == "json")
      invocation.showError = [progress](const Diagnostic& error) { progress->diagnostic(error); };
    ShownDiagnostics diagnostics(*progress);
    try {
      const driver::ExportRequest request = makeRequest(invocation, diagnostics);
      progress->plan(driver::stageNames(request));
      const driver::ExportReport report = driver::exportProgram(request, diagnostics, {*progress, invocation.stop});
      return {driver::toJson(report), {}};
    } catch (...) {
      invocation.diagnostics = diagnostics.all();
      throw;
    }
  }

  std::string text(const nlohmann::json& report) const override { return exportReportText(report); }

 private:
  ProgressKind progressKind(const Invocation& invocation) const {
    if (progress_ == "json") return ProgressKind::Json;
    if (progress_ == "text") return ProgressKind::Text;
    return progress_.empty() && invocation.console.stderrIsTerminal() ? ProgressKind::Text : ProgressKind::None;
  }

  driver::ExportRequest makeRequest(const Invocation& invocation, DiagnosticSink& diagnostics) const {
    std::optional<options::ExportRecord> record;
    if (!from_.empty()) record = options::readExportRecord(readTextFile(from_), options::Catalogue::builtIn());
    const options::ExportWish wish = makeWish(record);
    const options::Profile chosen = makeChoice(record);
    driver::ExportRequest request;
    request.backend = chosen.backend;
    request.options = chosen.exportOptions;
    request.runtime = ops::RuntimeProfile::find(chosen.exportOptions.string(kRuntimeOption));
    request.method = {wish.method, source_.empty() ? wish.source : source_, {}};
    for (const auto& [name, path] : wish.furtherMethods) request.furtherMethods.push_back({name, path, {}});
    request.output = output_.empty() ? wish.output : output_;
    request.replace = force_;
    request.keepRejected = wish.keepRejected;
    request.dumpDirectory = dumpDirectory_;
    request.verify = makeVerification(wish.verify, wish.method, invocation.stop);
    request.compare = makeComparison(invocation.stop);
    request.evaluate = runtime::evaluate;
    request.recorded = {{"profile", chosen.name.empty() ? nlohmann::json() : nlohmann::json(chosen.name)},
                        {"command_line", invocation.words},
                        {"request", toJson(wish)}};
    if (!chosen.runtimeOptions.specs().empty()) {
      request.recorded["runtime_options"] = runtimeOptionsToJson(chosen, chosen.runtimeOptions.resolvedToJson());
    }
    for (const Diagnostic& note : chosen.exportOptions.notes()) diagnostics.report(note);
    for (const Diagnostic& note : chosen.runtimeOptions.notes()) diagnostics.report(note);
    // What is asked for beside the record makes another export of it.
    const bool repeats = source_.empty() && methods_.empty() && settings_.empty() && bounds_.empty() &&
                         runtimeProfile_.empty() && !externalConstants_;
    if (record && repeats) {
      request.method.expectedHash = record->sourceHash;
      for (size_t i = 0; i < request.furtherMethods.size(); ++i)
        request.furtherMethods[i].expectedHash = record->furtherHashes[i];
      request.expectedOutputHash = record->outputHash;
    }
    return request;
  }

  // Paths, the check and what becomes of a rejected program: as called, else as recorded.
  options::ExportWish makeWish(const std::optional<options::ExportRecord>& record) const {
    options::ExportWish wish;
    if (record) wish = record->wish;
    if (!source_.empty() || !methods_.empty()) setMethods(wish);
    if (!output_.empty()) wish.output = absolute(output_);
    std::error_code ignored;
    if (verify_) wish.verify = std::filesystem::is_directory(*verify_, ignored) ? absolute(*verify_) : *verify_;
    wish.keepRejected = wish.keepRejected || keepRejected_;
    if (wish.source.empty()) {
      throw ExportError(Code::Usage, "SOURCE.pt2 or --method is required", {"see exportdeck export --help"});
    }
    if (wish.output.empty()) throw ExportError(Code::Usage, "--output is required", {"see exportdeck export --help"});
    return wish;
  }

  // The source is the method forward; without one the first --method is first.
  void setMethods(options::ExportWish& wish) const {
    wish.furtherMethods.clear();
    for (const std::string& word : methods_) {
      const size_t equals = word.find('=');
      if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
        throw ExportError(Code::Usage, concat("--method expects NAME=FILE.pt2, not ", word),
                          {"name the method before the file: --method decode=decode.pt2"});
      }
      wish.furtherMethods.emplace_back(word.substr(0, equals), absolute(word.substr(equals + 1)));
    }
    if (!source_.empty()) {
      wish.method = options::ExportWish().method;
      wish.source = absolute(source_);
    } else {
      std::tie(wish.method, wish.source) = wish.furtherMethods.front();
      wish.furtherMethods.erase(wish.furtherMethods.begin());
    }
  }

  static std::string absolute(const std::string& path) {
    std::error_code failed;
    const std::string full = std::filesystem::absolute(path, failed).string();
    return failed ? path : full;
  }

  // Backend and options: of the record or the profile, changed by what the call sets.
  options::Profile makeChoice(const std::optional<options::ExportRecord>& record) const {
    if (record && (!profile_.empty() || backend_)) {
      throw ExportError(Code::Usage, "With --from the backend and the options are those of the record",
                        {"leave --profile and --backend out", "leave --from out"});
    }
    options::Profile chosen;
    if (record) {
      chosen = record->profile;
    } else if (!profile_.empty()) {
      chosen = services::ProfileStore().load(QString::fromStdString(profile_));
    }
    if (!profile_.empty() && backend_ && *backend_ != chosen.backend) {
      throw ExportError(Code::Usage,
                        concat("The profile is for the backend ", chosen.backend, ", and --backend says ", *backend_),
                        {"leave one of them out"});
    }
    const bool fresh = !record && profile_.empty();
    if (fresh) chosen.backend = backend_.value_or(kDefaultBackend);
    const auto& entry = options::Catalogue::builtIn().require(chosen.backend, kEngine);
    if (fresh) {
      chosen.exportOptions = options::OptionSet(entry.exportOptions);
      chosen.runtimeOptions = options::OptionSet(entry.runtimeOptions);
    }
    for (const std::string& setting : settings_) chosen.exportOptions.setText(setting);
    for (const std::string& setting : runtimeSettings_) chosen.runtimeOptions.setText(setting);
    if (!runtimeProfile_.empty()) setRuntimeProfile(chosen.exportOptions);
    if (externalConstants_) chosen.exportOptions.setText("external_constants=true");
    if (!bounds_.empty()) chosen.exportOptions.setText(concat("bound=", join(bounds_, ",")));
    return chosen;
  }

  // The flag says the same as the option, and may name a file in this folder without its "./".
  void setRuntimeProfile(options::OptionSet& set) const {
    const std::string name = ops::RuntimeProfile::find(runtimeProfile_).name();
    const auto& names = set.find(kRuntimeOption)->choices;
    const bool isName = std::ranges::find(names, name) != names.end();
    set.set(kRuntimeOption, isName || name.find_first_of("/.") != std::string::npos ? name : "./" + name);
  }

  std::optional<std::string> backend_;
  std::optional<std::string> verify_;
  std::string source_, output_, from_, profile_, runtimeProfile_, progress_, dumpDirectory_;
  std::vector<std::string> settings_, runtimeSettings_, bounds_, methods_;
  bool keepRejected_ = false, force_ = false, externalConstants_ = false;
};

}  // namespace

std::unique_ptr<Verb> makeExportVerb() {
  return std::make_unique<ExportVerb>();
}

}  // namespace exportdeck::cli
