#include <algorithm>

#include "cli/profile_actions.h"

namespace exportdeck::cli {

namespace {

class ProfileVerb : public Verb {
 public:
  ProfileVerb() {
    actions_.push_back(makeProfileList());
    actions_.push_back(makeProfileShow());
    actions_.push_back(makeProfileCheck());
    actions_.push_back(makeProfileNew());
    actions_.push_back(makeProfileDiff());
    actions_.push_back(makeProfileExport());
    actions_.push_back(makeProfileImport());
  }

  const char* name() const override { return "profile"; }
  const char* summary() const override { return "List, show, check, make, compare, export and import profiles"; }

  void declare(CLI::App& app) override {
    app.require_subcommand(1);
    for (const auto& action : actions_) {
      CLI::App* sub = app.add_subcommand(action->name(), action->summary());
      sub->fallthrough();  // so that --json may stand at the end
      action->declare(*sub);
    }
    app_ = &app;
  }

  Outcome run(Invocation& invocation) override {
    const auto chosen =
        std::ranges::find_if(actions_, [&](const auto& action) { return app_->got_subcommand(action->name()); });
    check(chosen != actions_.end(), "an action on profiles was parsed that does not exist");
    chosen_ = chosen->get();
    Outcome outcome = chosen_->run(invocation);
    outcome.report["action"] = chosen_->name();
    return outcome;
  }

  std::string text(const nlohmann::json& report) const override { return chosen_->text(report); }

 private:
  std::vector<std::unique_ptr<Verb>> actions_;
  const CLI::App* app_ = nullptr;
  Verb* chosen_ = nullptr;
};

}  // namespace

std::unique_ptr<Verb> makeProfileVerb() {
  return std::make_unique<ProfileVerb>();
}

}  // namespace exportdeck::cli
