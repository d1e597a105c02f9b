#include "base/progress.h"

#include <exception>

#include "base/diagnostic.h"

namespace exportdeck {

namespace {

class SilentProgress : public ProgressSink {
 public:
  void stageStarted(std::string_view) override {}
  void stageAdvanced(std::string_view, uint64_t, uint64_t) override {}
  void stageFinished(std::string_view, double) override {}
  void log(LogLevel, std::string_view) override {}
};

}  // namespace

ProgressSink& silentProgress() {
  static SilentProgress sink;
  return sink;
}

void Context::throwIfStopped() const {
  if (stop.stop_requested()) throw ExportError(Code::Cancelled, "the work was cancelled");
}

Stage::Stage(const Context& context, std::string_view name)
    : context_(context),
      name_(name),
      started_(std::chrono::steady_clock::now()),
      exceptions_(std::uncaught_exceptions()) {
  context_.throwIfStopped();
  context_.progress.stageStarted(name_);
}

Stage::~Stage() {
  if (std::uncaught_exceptions() == exceptions_) context_.progress.stageFinished(name_, seconds());
}

void Stage::advance(uint64_t done, uint64_t total) const {
  context_.throwIfStopped();
  context_.progress.stageAdvanced(name_, done, total);
}

double Stage::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

}  // namespace exportdeck
