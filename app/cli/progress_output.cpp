#include "cli/progress_output.h"

#include <atomic>
#include <mutex>

#include "base/text.h"
#include "cli/format.h"
#include "driver/export.h"
#include "services/progress_event.h"

namespace exportdeck::cli {

namespace {

using Clock = std::chrono::steady_clock;

// Only what the user must see: warnings.
class QuietProgress : public ProgressOutput {
 public:
  explicit QuietProgress(Console& console) : console_(console) {}
  void plan(const std::vector<std::string>&) override {}
  void stageStarted(std::string_view) override {}
  void stageAdvanced(std::string_view, uint64_t, uint64_t) override {}
  void stageFinished(std::string_view, double) override {}
  void log(LogLevel level, std::string_view text) override {
    if (level >= LogLevel::Warning) console_.message(concat(services::logLevelName(level), ": ", text));
  }
  // Notes are part of the report; the error that ends the work is shown once, at the end.
  void diagnostic(const Diagnostic& diagnostic) override {
    if (diagnostic.severity == Severity::Warning) console_.message(diagnostic.text());
  }

 protected:
  Console& console_;
};

class TextProgress : public QuietProgress {
 public:
  using QuietProgress::QuietProgress;
  void stageFinished(std::string_view stage, double seconds) override {
    console_.message(concat("  ", padded(stage, 12), formatSeconds(seconds)));
  }
  void log(LogLevel level, std::string_view text) override {
    if (level == LogLevel::Info) console_.message(concat("  ", text));
    QuietProgress::log(level, text);
  }
};

class JsonProgress : public ProgressOutput {
 public:
  explicit JsonProgress(Console& console) : console_(console), start_(Clock::now()) {}

  void plan(const std::vector<std::string>& stages) override { event("plan", {{"stages", stages}}); }
  void stageStarted(std::string_view stage) override { event("started", {{"stage", stage}, {"t", now()}}); }
  void stageAdvanced(std::string_view stage, uint64_t done, uint64_t total) override {
    if (!mayAdvance(done == total)) return;
    event("advanced", {{"stage", stage}, {"done", done}, {"total", total}, {"t", now()}});
  }
  void stageFinished(std::string_view stage, double seconds) override {
    event("finished", {{"stage", stage}, {"elapsed", seconds}, {"t", now()}});
  }
  void log(LogLevel level, std::string_view text) override {
    event("log", {{"level", services::logLevelName(level)}, {"text", text}, {"t", now()}});
  }
  void diagnostic(const Diagnostic& diagnostic) override {
    event("diagnostic", {{"diagnostic", driver::toJson(diagnostic)}, {"t", now()}});
  }

 private:
  void event(const char* name, nlohmann::json fields) {
    fields["v"] = services::kProgressVersion;
    fields["event"] = name;
    console_.message(jsonLine(fields));
  }
  double now() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // Twenty lines a second are as many as anybody can see.
  bool mayAdvance(bool last) {
    constexpr double kInterval = 0.05;
    const double t = now();
    double before = lastAdvance_.load();
    if (!last && t - before < kInterval) return false;
    return lastAdvance_.compare_exchange_strong(before, t) || last;
  }

  Console& console_;
  Clock::time_point start_;
  std::atomic<double> lastAdvance_{-1};
};

}  // namespace

std::unique_ptr<ProgressOutput> makeProgress(ProgressKind kind, Console& console) {
  switch (kind) {
    case ProgressKind::Text:
      return std::make_unique<TextProgress>(console);
    case ProgressKind::Json:
      return std::make_unique<JsonProgress>(console);
    case ProgressKind::None:
      break;
  }
  return std::make_unique<QuietProgress>(console);
}

}  // namespace exportdeck::cli
