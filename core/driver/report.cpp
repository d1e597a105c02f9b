// Reports and diagnostics as JSON; the form is a contract with the window and with scripts.
#include "driver/coverage_json.h"
#include "driver/export.h"

namespace exportdeck::driver {

namespace {

using nlohmann::json;

const char* severityName(Severity severity) {
  switch (severity) {
    case Severity::Info:
      return "info";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      break;
  }
  return "error";
}

json stateToJson(const ExportReport& report) {
  json buffers = json::array();
  for (const pte::WrittenState& state : report.written.states) {
    buffers.push_back({{"name", state.name},
                       {"dtype", ir::info(state.type.dtype).torch},
                       {"shape", state.type.sizes()},
                       {"bytes", state.type.bytes()},
                       {"begins", state.startsAtZero ? "zeros" : "values"}});
  }
  return {{"buffers", std::move(buffers)}, {"inputs", report.changedInputs}};
}

}  // namespace

json toJson(const Diagnostic& diagnostic) {
  return {{"code", codeInfo(diagnostic.code).id},
          {"severity", severityName(diagnostic.severity)},
          {"message", diagnostic.message},
          {"why", diagnostic.why},
          {"fixes", diagnostic.fixes},
          {"occurrences", diagnostic.occurrences},
          {"where", toJson(diagnostic.where)}};
}

json toJson(const ExportReport& report) {
  json stages = json::array();
  for (const StageTime& stage : report.stages) stages.push_back({{"stage", stage.stage}, {"seconds", stage.seconds}});
  json diagnostics = json::array();
  for (const Diagnostic& diagnostic : report.diagnostics) diagnostics.push_back(toJson(diagnostic));
  const pte::WriteResult& written = report.written;
  json out = {
      {"exportdeck", EXPORTDECK_VERSION},
      {"command", "export"},
      {"exit", 0},
      {"source",
       {{"path", report.source},
        {"bytes", report.sourceBytes},
        {"hash", report.sourceHash},
        {"torch_version", report.torchVersion},
        {"schema", report.schema},
        {"operators", report.operators},
        {"parameters", report.parameterCount},
        {"parameter_bytes", report.parameterBytes}}},
      {"output", {{"path", report.output}, {"bytes", written.totalBytes}, {"hash", report.outputHash}}},
      {"backend", report.backend},
      {"engine", "native"},
      {"runtime_profile", {{"name", report.runtimeProfile}, {"meaning", report.runtimeMeaning}}},
      {"options", report.options.resolvedToJson()},
      {"stages", std::move(stages)},
      {"seconds", report.seconds},
      {"coverage", toJson(report.coverage)},
      {"plan",
       {{"arena_bytes", written.plan.arenaBytes},
        {"lower_bound", written.plan.lowerBound},
        {"instructions", written.instructions},
        {"kernels", written.kernels}}},
      {"sizes",
       {{"program", written.programBytes},
        {"constants", written.constantBytes},
        {"initial_state", written.initialBytes},
        {"delegates", written.delegateBytes},
        {"named_data", written.namedDataBytes},
        {"total", written.totalBytes}}},
      {"symbols", report.symbols},
      {"state", stateToJson(report)},
      {"verification", report.verification},
      {"diagnostics", std::move(diagnostics)},
  };
  out.update(report.recorded.is_object() ? report.recorded : json::object());
  return out;
}

}  // namespace exportdeck::driver
