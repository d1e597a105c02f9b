#include "base/text.h"
#include "cli/format.h"
#include "cli/profile_actions.h"
#include "services/profile_store.h"

namespace exportdeck::cli {

namespace {

class ProfileList : public Verb {
 public:
  const char* name() const override { return "list"; }
  const char* summary() const override { return "The profiles by name: your own and the built-in ones"; }
  void declare(CLI::App&) override {}

  Outcome run(Invocation&) override {
    const services::ProfileStore store;
    nlohmann::json list = nlohmann::json::array();
    for (const auto& item : store.list()) {
      const options::ProfileResult result = store.read(item.path.isEmpty() ? item.name : item.path);
      list.push_back({{"name", item.name.toStdString()},
                      {"built_in", item.builtIn()},
                      {"path", item.builtIn() ? nlohmann::json() : nlohmann::json(item.path.toStdString())},
                      {"backend", result.profile.backend},
                      {"problems", result.problems.size()}});
    }
    return {{{"profiles", std::move(list)}, {"folder", store.folder().toStdString()}}, {}};
  }

  std::string text(const nlohmann::json& report) const override {
    std::vector<std::vector<std::string>> rows;
    for (const auto& profile : report["profiles"]) {
      const auto problems = profile["problems"].get<uint64_t>();
      rows.push_back({textField(profile, "name"), textField(profile, "backend"),
                      profile["built_in"].get<bool>() ? "built in" : textField(profile, "path"),
                      problems == 0 ? "" : concat(plural(problems, "problem"), ", see: exportdeck profile check")});
    }
    return table(rows, 0);
  }
};

}  // namespace

std::unique_ptr<Verb> makeProfileList() {
  return std::make_unique<ProfileList>();
}

}  // namespace exportdeck::cli
