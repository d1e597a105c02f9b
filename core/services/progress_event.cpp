#include "services/progress_event.h"

#include <array>

#include "base/text.h"

namespace exportdeck::services {

namespace {

using nlohmann::json;

constexpr std::array kLevels = {"debug", "info", "warning", "error"};

// Lenient: what is not there, or of another kind, is the fallback.
std::string text(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}
double number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}
quint64 count(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<quint64>() : 0;
}
QString qtext(const json& object, const char* key) {
  return QString::fromStdString(text(object, key));
}

Code codeNamed(const std::string& id) {
  for (int i = 0; i <= static_cast<int>(Code::NodeNotDelegated); ++i) {
    if (id == codeInfo(static_cast<Code>(i)).id) return static_cast<Code>(i);
  }
  return Code::Fault;
}

Origin originFromJson(const json& where) {
  Origin origin;
  origin.node = text(where, "node");
  origin.op = text(where, "op");
  origin.sourceFile = text(where, "source_file");
  origin.sourceLine = static_cast<int>(number(where, "source_line"));
  origin.sourceText = text(where, "source_text");
  origin.modulePath = text(where, "module_path");
  origin.moduleType = text(where, "module_type");
  return origin;
}

std::optional<ProgressEvent> eventFromJson(const json& object) {
  const std::string event = text(object, "event");
  if (event == "plan") {
    PlanEvent plan;
    for (const json& stage : object.value("stages", json::array())) {
      if (stage.is_string()) plan.stages << QString::fromStdString(stage.get<std::string>());
    }
    return plan;
  }
  StageEvent stage{StageEvent::Kind::Started, qtext(object, "stage"), count(object, "done"), count(object, "total"),
                   number(object, "elapsed")};
  if (event == "started") return stage;
  if (event == "advanced") {
    stage.kind = StageEvent::Kind::Advanced;
    return stage;
  }
  if (event == "finished") {
    stage.kind = StageEvent::Kind::Finished;
    return stage;
  }
  if (event == "log") {
    const std::string level = text(object, "level");
    const auto found = std::find(kLevels.begin(), kLevels.end(), level);
    const auto index = found != kLevels.end() ? found - kLevels.begin() : static_cast<ptrdiff_t>(LogLevel::Info);
    return LogEvent{static_cast<LogLevel>(index), qtext(object, "text")};
  }
  if (event == "diagnostic") {
    const auto found = object.find("diagnostic");
    return DiagnosticEvent{diagnosticFromJson(found != object.end() ? *found : json())};
  }
  return std::nullopt;
}

}  // namespace

const char* logLevelName(LogLevel level) {
  return kLevels[static_cast<size_t>(level)];
}

Diagnostic diagnosticFromJson(const json& object) {
  Diagnostic diagnostic;
  if (!object.is_object()) return diagnostic;
  diagnostic.code = codeNamed(text(object, "code"));
  const std::string severity = text(object, "severity");
  diagnostic.severity = severity == "info"      ? Severity::Info
                        : severity == "warning" ? Severity::Warning
                                                : Severity::Error;
  diagnostic.message = text(object, "message");
  diagnostic.why = text(object, "why");
  diagnostic.occurrences = std::max(1, static_cast<int>(number(object, "occurrences")));
  if (const auto fixes = object.find("fixes"); fixes != object.end() && fixes->is_array()) {
    for (const json& fix : *fixes) {
      if (fix.is_string()) diagnostic.fixes.push_back(fix.get<std::string>());
    }
  }
  if (const auto where = object.find("where"); where != object.end() && where->is_object()) {
    diagnostic.where = originFromJson(*where);
  }
  return diagnostic;
}

std::optional<ProgressEvent> parseProgressLine(std::string_view line) {
  line = trim(line);
  if (line.empty()) return std::nullopt;
  const json object = json::parse(line, nullptr, false);
  if (object.is_object() && object.value("v", json()) == kProgressVersion) return eventFromJson(object);
  return LogEvent{LogLevel::Info, QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size()))};
}

}  // namespace exportdeck::services
