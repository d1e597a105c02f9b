#include "base/text.h"
#include "cli/format.h"
#include "cli/profile_actions.h"
#include "cli/profile_report.h"
#include "options/profile_name.h"
#include "services/profile_store.h"

namespace exportdeck::cli {

namespace {

class ProfileNew : public Verb {
 public:
  const char* name() const override { return "new"; }
  const char* summary() const override { return "Make a profile, among your own or in a file"; }
  void declare(CLI::App& app) override {
    app.add_option("NAME", name_, "The profile's name")->required();
    app.add_option("--backend", backend_, "The backend (xnnpack)")->type_name("ID");
    app.add_option("--set", settings_, "Set an export option; see: exportdeck options BACKEND")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    app.add_option("--set-runtime", runtimeSettings_, "Set an option for the program's loader")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    app.add_option("-o,--output", output_, "Write this file; else it is kept among your profiles")
        ->type_name("PROFILE.json");
    app.add_flag("--force", force_, "Replace an existing one");
  }

  // Also for a backend that is not available here: the profile may be for another machine.
  Outcome run(Invocation&) override {
    options::requireProfileName(name_);
    const auto& catalogue = options::Catalogue::builtIn();
    const options::BackendEntry* entry = catalogue.find(backend_);
    if (entry == nullptr) entry = &catalogue.require(backend_, "native");
    options::Profile profile{name_, entry->id, options::OptionSet(entry->exportOptions),
                             options::OptionSet(entry->runtimeOptions)};
    for (const std::string& setting : settings_) profile.exportOptions.setText(setting);
    for (const std::string& setting : runtimeSettings_) profile.runtimeOptions.setText(setting);
    nlohmann::json report = toJson(profile);
    if (output_.empty()) {
      report["path"] = services::ProfileStore().save(profile, force_).toStdString();
    } else {
      writeProfileFile(profile, output_, force_);
      report["path"] = output_;
    }
    return {std::move(report), {}};
  }

  std::string text(const nlohmann::json& report) const override { return concat(textField(report, "path"), "\n"); }

 private:
  std::string name_, backend_ = "xnnpack", output_;
  std::vector<std::string> settings_, runtimeSettings_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Verb> makeProfileNew() {
  return std::make_unique<ProfileNew>();
}

}  // namespace exportdeck::cli
