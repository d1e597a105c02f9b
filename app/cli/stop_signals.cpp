#include "cli/stop_signals.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

#include "base/diagnostic.h"

namespace exportdeck::cli {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
constexpr uint64_t kSignalled = 1;
constexpr uint64_t kDone = 1ull << 32;
int eventDescriptor = -1;

// A handler may do next to nothing: the watcher thread asks the work to stop.
void onSignal(int) {
  const auto ignored = write(eventDescriptor, &kSignalled, sizeof kSignalled);
  static_cast<void>(ignored);
}

}  // namespace

StopSignals::StopSignals() {
  check(eventDescriptor < 0, "the stop signals are watched twice");
  eventDescriptor = eventfd(0, EFD_CLOEXEC);
  check(eventDescriptor >= 0, "no event descriptor for the stop signals");
  watcher_ = std::jthread([source = source_]() mutable {
    uint64_t value = 0;
    while (read(eventDescriptor, &value, sizeof value) < 0) {
    }
    if (value % kDone != 0) source.request_stop();
  });
  struct sigaction action{};
  action.sa_handler = onSignal;
  for (const int signal : kSignals) {
    // After a closed pipe more writes to it may follow before the work has stopped.
    action.sa_flags = signal == SIGPIPE ? SA_RESTART : SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (const int number : kSignals) signal(number, number == SIGPIPE ? SIG_IGN : SIG_DFL);
  const auto ignored = write(eventDescriptor, &kDone, sizeof kDone);
  static_cast<void>(ignored);
  watcher_.join();
  close(eventDescriptor);
  eventDescriptor = -1;
}

}  // namespace exportdeck::cli
