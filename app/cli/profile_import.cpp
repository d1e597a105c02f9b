#include "base/text.h"
#include "cli/format.h"
#include "cli/profile_actions.h"
#include "cli/profile_report.h"
#include "options/export_record.h"
#include "options/profile_name.h"
#include "services/profile_store.h"

namespace exportdeck::cli {

namespace {

class ProfileImport : public Verb {
 public:
  const char* name() const override { return "import"; }
  const char* summary() const override {
    return "Make a valid profile of a profile that is not, or of an export's record (OUT.export.json)";
  }
  void declare(CLI::App& app) override {
    app.add_option("FILE", file_, "What to read; it is left as it is")->required();
    app.add_option("-o,--output", output_, "The profile to write")->required()->type_name("PROFILE.json");
    naming_ = app.add_option("--name", name_, "The profile's name, in place of its own");
    app.add_flag("--force", force_, "Replace an existing file");
  }

  // Done where something could be kept; what could not is in the report.
  Outcome run(Invocation&) override {
    if (naming_->count() > 0) options::requireProfileName(name_);
    // With its folder, so that it is taken as a file.
    const std::string path = file_.find('/') == std::string::npos ? concat("./", file_) : file_;
    const std::string text = services::ProfileStore().text(QString::fromStdString(path));
    options::ProfileResult result;
    if (options::isExportRecord(text)) {
      result.profile = options::readExportRecord(text, options::Catalogue::builtIn()).profile;
    } else {
      result = options::readProfile(text, options::Catalogue::builtIn());
      requireReadable(result);
    }
    if (!name_.empty()) result.profile.name = name_;
    result.profile.name = options::nearestProfileName(result.profile.name);
    if (result.profile.name.empty()) result.profile.name = "Imported";
    writeProfileFile(result.profile, output_, force_);
    nlohmann::json report = toJson(result.profile);
    report["problems"] = toJson(result.problems);
    report["path"] = output_;
    return {std::move(report), {}};
  }

  std::string text(const nlohmann::json& report) const override {
    std::string out = concat(textField(report, "path"), "\n");
    if (!report["problems"].empty()) out += concat("Left out or replaced\n", problemsText(report["problems"]));
    return out;
  }

 private:
  std::string file_, output_, name_;
  const CLI::Option* naming_ = nullptr;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Verb> makeProfileImport() {
  return std::make_unique<ProfileImport>();
}

}  // namespace exportdeck::cli
