#include "base/text.h"
#include "cli/format.h"
#include "cli/verb.h"
#include "options/catalogue.h"

namespace exportdeck::cli {

namespace {

nlohmann::json listToJson(const std::vector<options::OptionSpec>& specs) {
  nlohmann::json list = nlohmann::json::array();
  for (const options::OptionSpec& spec : specs) list.push_back(toJson(spec));
  return list;
}

std::string listText(const std::vector<options::OptionSpec>& specs) {
  if (specs.empty()) return "  none\n";
  std::string out;
  for (const options::OptionSpec& spec : specs) {
    const std::string fallback = options::formatValue(spec.fallback);
    out += concat("  ", spec.key, "  ", typeName(spec.type), ", default ", fallback.empty() ? "empty" : fallback,
                  "\n      ", spec.meaning, "\n      Takes ", allowedValues(spec), ".\n");
  }
  return out;
}

class OptionsVerb : public Verb {
 public:
  const char* name() const override { return "options"; }
  const char* summary() const override { return "List a backend's options: type, default, allowed values, meaning"; }
  void declare(CLI::App& app) override { app.add_option("BACKEND", backend_, "The backend's id")->required(); }

  // Also of a backend that is not available here: its options are known all the same.
  Outcome run(Invocation&) override {
    const auto& catalogue = options::Catalogue::builtIn();
    entry_ = catalogue.find(backend_);
    if (entry_ == nullptr) entry_ = &catalogue.require(backend_, "native");
    return {{{"backend", entry_->id},
             {"export_options", listToJson(entry_->exportOptions)},
             {"runtime_options", listToJson(entry_->runtimeOptions)}},
            {}};
  }

  std::string text(const nlohmann::json&) const override {
    std::string out = concat("Export options of ", entry_->id, " (--set KEY=VALUE)\n", listText(entry_->exportOptions));
    if (!entry_->runtimeOptions.empty()) {
      out += concat("\nRuntime options of ", entry_->runtimeId, " (kept in profiles, used when a program is loaded)\n",
                    listText(entry_->runtimeOptions));
    }
    return out;
  }

 private:
  std::string backend_;
  const options::BackendEntry* entry_ = nullptr;
};

}  // namespace

std::unique_ptr<Verb> makeOptionsVerb() {
  return std::make_unique<OptionsVerb>();
}

}  // namespace exportdeck::cli
