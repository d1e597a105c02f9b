#include "runtime/runtime_log.h"

#include <executorch/runtime/platform/platform.h>
#include <executorch/runtime/platform/runtime.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace exportdeck::runtime {

namespace {

constexpr size_t kLineLimit = 64;

// Never destroyed: a thread of the runtime's pool may log while the process ends.
struct Log {
  std::mutex mutex;
  std::vector<std::string> lines;  // the first errors say most; later ones follow from them
};
Log& sharedLog() {
  static Log* const log = new Log;
  return *log;
}

void receive(et_timestamp_t, et_pal_log_level_t level, const char*, const char*, size_t, const char* message,
             size_t length) {
  if (level != kError && level != kFatal) return;
  const std::string line(trim(std::string_view(message, length)));
  Log& log = sharedLog();
  const std::lock_guard lock(log.mutex);
  const bool isNew = std::find(log.lines.begin(), log.lines.end(), line) == log.lines.end();
  if (isNew && log.lines.size() < kLineLimit) log.lines.push_back(line);
  if (level != kFatal) return;
  for (const std::string& earlier : log.lines) std::fprintf(stderr, "runtime: %s\n", earlier.c_str());
}

}  // namespace

void captureRuntimeLog() {
  static const bool registered = [] {
    executorch::runtime::runtime_init();
    return executorch::runtime::register_pal(
        executorch::runtime::PalImpl::create(receive, "core/runtime/runtime_log.cpp"));
  }();
  static_cast<void>(registered);
}

std::vector<std::string> takeRuntimeErrors() {
  Log& log = sharedLog();
  const std::lock_guard lock(log.mutex);
  return std::exchange(log.lines, {});
}

}  // namespace exportdeck::runtime
