#include "base/text.h"
#include "cli/format.h"
#include "cli/profile_actions.h"
#include "cli/profile_report.h"
#include "driver/export.h"
#include "services/profile_store.h"

namespace exportdeck::cli {

namespace {

class ProfileCheck : public Verb {
 public:
  const char* name() const override { return "check"; }
  const char* summary() const override { return "Whether a profile can be used here as it is, and all that is wrong"; }
  void declare(CLI::App& app) override {
    app.add_option("PROFILE", profile_, "A profile's name or file")->required()->type_name("FILE|NAME");
  }

  Outcome run(Invocation&) override {
    const services::ProfileStore store;
    const QString name = QString::fromStdString(profile_);
    const options::ProfileResult result = store.read(name);
    nlohmann::json notes = nlohmann::json::array();
    for (const options::OptionSet* set : {&result.profile.exportOptions, &result.profile.runtimeOptions}) {
      for (const Diagnostic& note : set->notes()) notes.push_back(driver::toJson(note));
    }
    Outcome outcome{{{"name", result.profile.name},
                     {"backend", result.profile.backend},
                     {"problems", toJson(result.problems)},
                     {"notes", std::move(notes)}},
                    {}};
    try {
      const options::Profile whole = store.load(name);
      options::Catalogue::builtIn().require(whole.backend, "native");
    } catch (const ExportError& error) {
      outcome.error = error.diagnostic();
    }
    outcome.report["usable"] = !outcome.error.has_value();
    return outcome;
  }

  std::string text(const nlohmann::json& report) const override {
    std::string out;
    if (!report["problems"].empty()) out += problemsText(report["problems"]);
    for (const auto& note : report["notes"]) out += concat("  ", textField(note, "message"), "\n");
    if (report["usable"].get<bool>()) out += concat(textField(report, "name"), " can be used as it is\n");
    return out;
  }

 private:
  std::string profile_;
};

}  // namespace

std::unique_ptr<Verb> makeProfileCheck() {
  return std::make_unique<ProfileCheck>();
}

}  // namespace exportdeck::cli
