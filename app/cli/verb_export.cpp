#include <optional>

#include "base/text.h"
#include "cli/progress_output.h"
#include "cli/report_text.h"
#include "cli/verb.h"
#include "cli/verification.h"
#include "driver/export.h"
#include "options/profile.h"
#include "runtime/evaluate.h"
#include "services/profile_store.h"

namespace exportdeck::cli {

namespace {

constexpr const char* kEngine = "native";
constexpr const char* kDefaultBackend = "xnnpack";

class ExportVerb : public Verb {
 public:
  const char* name() const override { return "export"; }
  const char* summary() const override {
    return "Turn an exported PyTorch program (.pt2) into an ExecuTorch program (.pte)";
  }

  void declare(CLI::App& app) override {
    app.add_option("SOURCE.pt2", source_, "What torch.export.save wrote")->required();
    app.add_option("-o,--output", output_, "The program to write")->required()->type_name("OUT.pte");
    app.add_option("--backend", backend_, "The backend to delegate to (xnnpack); see: exportdeck backends")
        ->type_name("ID");
    app.add_option("--profile", profile_, "Take backend and options from a profile")->type_name("FILE|NAME");
    app.add_option("--set", settings_, "Set an option; see: exportdeck options BACKEND")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    app.add_option(
           "--runtime-profile", runtimeProfile_,
           "The kernels that the runtime has (quantized): portable, optimized with the optimized library, "
           "quantized with the quantized one too, or a file with an operator a line, as of a selective build; a "
           "program that needs another is refused")
        ->type_name("NAME|FILE");
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
      const driver::ExportRequest request = makeRequest(invocation);
      progress->plan(driver::stageNames(static_cast<bool>(request.verify)));
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

  driver::ExportRequest makeRequest(const Invocation& invocation) const {
    std::optional<options::Profile> profile;
    if (!profile_.empty()) profile = services::ProfileStore().load(QString::fromStdString(profile_));
    if (profile && backend_ && *backend_ != profile->backend) {
      throw ExportError(Code::Usage,
                        concat("The profile is for the backend ", profile->backend, ", and --backend says ", *backend_),
                        {"leave one of them out"});
    }
    driver::ExportRequest request;
    request.backend = profile ? profile->backend : backend_.value_or(kDefaultBackend);
    const auto& entry = options::Catalogue::builtIn().require(request.backend, kEngine);
    request.options = profile ? profile->exportOptions : options::OptionSet(entry.exportOptions);
    for (const std::string& setting : settings_) request.options.setText(setting);
    request.source = source_;
    request.output = output_;
    if (!runtimeProfile_.empty()) request.runtime = ops::RuntimeProfile::find(runtimeProfile_);
    request.replace = force_;
    request.keepRejected = keepRejected_;
    request.dumpDirectory = dumpDirectory_;
    request.verify = makeVerification(verify_, source_, invocation.stop);
    request.evaluate = runtime::evaluate;
    request.recorded = {{"profile", profile ? nlohmann::json(profile->name) : nlohmann::json()},
                        {"command_line", invocation.words}};
    return request;
  }

  std::optional<std::string> backend_;
  std::string source_, output_, profile_, runtimeProfile_, progress_, dumpDirectory_;
  std::string verify_ = "none";
  std::vector<std::string> settings_;
  bool keepRejected_ = false, force_ = false;
};

}  // namespace

std::unique_ptr<Verb> makeExportVerb() {
  return std::make_unique<ExportVerb>();
}

}  // namespace exportdeck::cli
