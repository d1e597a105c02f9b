#include "base/text.h"
#include "cli/format.h"
#include "cli/verb.h"
#include "options/catalogue.h"

namespace exportdeck::cli {

namespace {

class BackendsVerb : public Verb {
 public:
  const char* name() const override { return "backends"; }
  const char* summary() const override { return "List the backends, whether they work here, and why not"; }
  void declare(CLI::App&) override {}

  Outcome run(Invocation&) override {
    nlohmann::json list = nlohmann::json::array();
    const auto& catalogue = options::Catalogue::builtIn();
    for (const options::BackendEntry& entry : catalogue.entries())
      list.push_back(toJson(entry, catalogue.availability(entry)));
    return {{{"backends", std::move(list)}}, {}};
  }

  std::string text(const nlohmann::json& report) const override {
    std::vector<std::vector<std::string>> here, absent;
    for (const auto& backend : report["backends"]) {
      std::vector<std::string> row{textField(backend, "id"), textField(backend, "engine"), textField(backend, "title")};
      if (backend["available"].get<bool>()) {
        row.push_back(textField(backend, "summary"));
        here.push_back(std::move(row));
      } else {
        row.push_back(textField(backend, "reason"));
        absent.push_back(std::move(row));
      }
    }
    return concat("Available\n", table(here, 2), "\nKnown, but not available here\n", table(absent, 2));
  }
};

}  // namespace

std::unique_ptr<Verb> makeBackendsVerb() {
  return std::make_unique<BackendsVerb>();
}

}  // namespace exportdeck::cli
