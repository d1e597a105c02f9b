// Progress of an export: named stages, each started, advanced and finished, and log lines between.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace exportdeck {

enum class LogLevel { Debug, Info, Warning, Error };

class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void stageStarted(std::string_view stage) = 0;
  // `done` of `total` units (bytes, nodes); `total` 0 where it is not known.
  virtual void stageAdvanced(std::string_view stage, uint64_t done, uint64_t total) = 0;
  virtual void stageFinished(std::string_view stage, double seconds) = 0;
  virtual void log(LogLevel level, std::string_view text) = 0;
};

// Does nothing: for callers who do not watch.
ProgressSink& silentProgress();

// What every long-running step receives: where to report, and when to stop.
struct Context {
  ProgressSink& progress;
  std::stop_token stop;

  // Throws ExportError(Code::Cancelled) when a stop was requested.
  void throwIfStopped() const;
};

// Reports started on construction and finished on destruction unless an exception is passing.
class Stage {
 public:
  Stage(const Context& context, std::string_view name);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  void advance(uint64_t done, uint64_t total) const;
  double seconds() const;

 private:
  const Context& context_;
  std::string name_;
  std::chrono::steady_clock::time_point started_;
  int exceptions_;
};

}  // namespace exportdeck
