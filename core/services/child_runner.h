// Runs `exportdeck run`/`verify` in a child process: the ExecuTorch runtime aborts on malformed programs, so loading
// one never happens in a process that must survive.
#pragma once

#include <QStringList>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stop_token>

namespace exportdeck::services {

struct ChildLimits {
  int seconds = 600;                    // wall-clock time, then it is killed
  int cpuSeconds = 3600;                // all threads together (RLIMIT_CPU)
  uint64_t addressBytes = 64ull << 30;  // RLIMIT_AS; not set under AddressSanitizer, which reserves terabytes
};

struct ChildResult {
  nlohmann::json json;  // the object on stdout
  int exitCode = 0;     // of the child
};

// Starts the command-line program with `arguments` and waits. The child dies with this process, and on a stop request
// within 100 ms. Throws RunCrashed (signal's name and the last words on stderr; time or memory limit), Cancelled, Fault
// (not startable).
ChildResult runChild(const QStringList& arguments, const ChildLimits& limits, std::stop_token stop);

}  // namespace exportdeck::services
