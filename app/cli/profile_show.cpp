#include "base/text.h"
#include "cli/format.h"
#include "cli/profile_actions.h"
#include "cli/profile_report.h"
#include "services/profile_store.h"

namespace exportdeck::cli {

namespace {

class ProfileShow : public Verb {
 public:
  const char* name() const override { return "show"; }
  const char* summary() const override { return "What a profile sets, and what cannot be taken from it"; }
  void declare(CLI::App& app) override {
    app.add_option("PROFILE", profile_, "A profile's name or file")->required()->type_name("FILE|NAME");
  }

  Outcome run(Invocation&) override {
    const options::ProfileResult result = services::ProfileStore().read(QString::fromStdString(profile_));
    requireReadable(result);
    nlohmann::json report = toJson(result.profile);
    report["resolved"] = {{"export_options", result.profile.exportOptions.resolvedToJson()},
                          {"runtime_options", result.profile.runtimeOptions.resolvedToJson()}};
    report["problems"] = toJson(result.problems);
    return {std::move(report), {}};
  }

  std::string text(const nlohmann::json& report) const override {
    std::string out = concat(textField(report, "name"), "\n", table({{"backend", textField(report, "backend")}}, 2),
                             changedText(report));
    if (!report["problems"].empty()) out += concat("\nLeft out\n", problemsText(report["problems"]));
    return out;
  }

 private:
  std::string profile_;
};

}  // namespace

std::unique_ptr<Verb> makeProfileShow() {
  return std::make_unique<ProfileShow>();
}

}  // namespace exportdeck::cli
