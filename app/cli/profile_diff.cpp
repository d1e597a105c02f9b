#include "base/text.h"
#include "cli/format.h"
#include "cli/profile_actions.h"
#include "options/profile_difference.h"
#include "services/profile_store.h"

namespace exportdeck::cli {

namespace {

class ProfileDiff : public Verb {
 public:
  const char* name() const override { return "diff"; }
  const char* summary() const override { return "What two profiles set differently"; }
  void declare(CLI::App& app) override {
    app.add_option("LEFT", left_, "A profile's name or file")->required()->type_name("FILE|NAME");
    app.add_option("RIGHT", right_, "Another profile's name or file")->required()->type_name("FILE|NAME");
  }

  Outcome run(Invocation&) override {
    const services::ProfileStore store;
    const options::Profile left = store.load(QString::fromStdString(left_));
    const options::Profile right = store.load(QString::fromStdString(right_));
    nlohmann::json rows = nlohmann::json::array();
    for (const options::ProfileRow& row : options::compareProfiles(left, right)) {
      if (row.same()) continue;
      rows.push_back({{"key", row.key},
                      {"left", row.left ? options::valueToJson(*row.left) : nlohmann::json()},
                      {"right", row.right ? options::valueToJson(*row.right) : nlohmann::json()}});
    }
    const bool same = rows.empty();
    return {{{"left", left.name}, {"right", right.name}, {"same", same}, {"differences", std::move(rows)}}, {}};
  }

  std::string text(const nlohmann::json& report) const override {
    if (report["same"].get<bool>()) return "Both set the same.\n";
    const auto shown = [](const nlohmann::json& value) {
      if (value.is_null()) return std::string("no such option");
      return value.is_string() ? value.get<std::string>() : value.dump();
    };
    std::vector<std::vector<std::string>> rows{{"", textField(report, "left"), textField(report, "right")}};
    for (const auto& row : report["differences"])
      rows.push_back({textField(row, "key"), shown(row["left"]), shown(row["right"])});
    return table(rows, 0);
  }

 private:
  std::string left_, right_;
};

}  // namespace

std::unique_ptr<Verb> makeProfileDiff() {
  return std::make_unique<ProfileDiff>();
}

}  // namespace exportdeck::cli
