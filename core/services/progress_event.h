// The lines that `exportdeck … --progress json` writes to stderr, version 1: one JSON object a line.
#pragma once

#include <QString>
#include <QStringList>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <variant>

#include "base/diagnostic.h"
#include "base/progress.h"

namespace exportdeck::services {

// {"v":1,"event":"plan","stages":[…]}: the stages that will run, in order.
struct PlanEvent {
  QStringList stages;
};
// "started", "advanced" (total 0: not known) and "finished" (with the stage's seconds).
struct StageEvent {
  enum class Kind { Started, Advanced, Finished };
  Kind kind = Kind::Started;
  QString stage;
  quint64 done = 0, total = 0;
  double seconds = 0;
};
struct LogEvent {
  LogLevel level = LogLevel::Info;
  QString text;
};
struct DiagnosticEvent {
  Diagnostic diagnostic;
};
using ProgressEvent = std::variant<PlanEvent, StageEvent, LogEvent, DiagnosticEvent>;

inline constexpr int kProgressVersion = 1;

// A line that is no event of this version (a message of a library, say) becomes a LogEvent with its text, so nothing is
// lost; an empty line and an event that is not known are nothing.
std::optional<ProgressEvent> parseProgressLine(std::string_view line);

const char* logLevelName(LogLevel level);  // "debug", "info", "warning", "error"

// Reads what the command line wrote; a missing field is empty, an unknown code is Code::Fault.
Diagnostic diagnosticFromJson(const nlohmann::json& json);

}  // namespace exportdeck::services
