#include "cli/console.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck::cli {

namespace {

// 0, or the error that stopped it.
int writeAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

}  // namespace

void Console::out(std::string_view text) {
  if (const int error = writeAll(STDOUT_FILENO, text); error != 0) {
    throw ExportError(Code::FileUnwritable,
                      concat("The result cannot be written to the standard output: ", std::strerror(error)),
                      {"check where the output is sent"});
  }
}

void Console::outJson(const nlohmann::json& object) {
  out(jsonLine(object) + "\n");
}

void Console::message(std::string_view line) {
  const std::lock_guard lock(mutex_);
  writeAll(STDERR_FILENO, std::string(line) + "\n");
}

bool Console::stderrIsTerminal() const {
  return isatty(STDERR_FILENO) != 0;
}

std::string jsonLine(const nlohmann::json& object) {
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace exportdeck::cli
