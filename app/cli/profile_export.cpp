#include "base/text.h"
#include "cli/format.h"
#include "cli/profile_actions.h"
#include "cli/profile_report.h"
#include "services/profile_store.h"

namespace exportdeck::cli {

namespace {

class ProfileExport : public Verb {
 public:
  const char* name() const override { return "export"; }
  const char* summary() const override { return "Write a profile to a file, to hand it on"; }
  void declare(CLI::App& app) override {
    app.add_option("PROFILE", profile_, "A profile's name or file")->required()->type_name("FILE|NAME");
    app.add_option("-o,--output", output_, "The file to write")->required()->type_name("PROFILE.json");
    app.add_flag("--force", force_, "Replace an existing file");
  }

  Outcome run(Invocation&) override {
    const options::Profile profile = services::ProfileStore().load(QString::fromStdString(profile_));
    writeProfileFile(profile, output_, force_);
    nlohmann::json report = toJson(profile);
    report["path"] = output_;
    return {std::move(report), {}};
  }

  std::string text(const nlohmann::json& report) const override { return concat(textField(report, "path"), "\n"); }

 private:
  std::string profile_, output_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Verb> makeProfileExport() {
  return std::make_unique<ProfileExport>();
}

}  // namespace exportdeck::cli
