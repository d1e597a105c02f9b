// The two streams: results on stdout, progress and messages on stderr.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>

namespace exportdeck::cli {

class Console {
 public:
  // Writes all of it. Throws FileUnwritable where stdout takes no more (a full disk, a closed pipe).
  void out(std::string_view text);
  void outJson(const nlohmann::json& object);  // one line; text that is not UTF-8 is replaced
  // One line; what stderr does not take is lost. Thread-safe.
  void message(std::string_view line);
  bool stderrIsTerminal() const;

 private:
  std::mutex mutex_;
};

// The object as one line of UTF-8, whatever its texts hold.
std::string jsonLine(const nlohmann::json& object);

}  // namespace exportdeck::cli
