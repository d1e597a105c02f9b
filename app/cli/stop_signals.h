// Signals that cancel the work: SIGINT, SIGTERM, SIGHUP, and SIGPIPE of whoever read us and is gone.
#pragma once

#include <stop_token>
#include <thread>

namespace exportdeck::cli {

// One at a time. The first signal asks the work to stop; a second one of the same kind ends the process as usual
// (not SIGPIPE: what is written to a closed pipe is lost, and the exit code tells).
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread watcher_;
};

}  // namespace exportdeck::cli
