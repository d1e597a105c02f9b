// Reports and diagnostics as JSON; the form is a contract with the window and with scripts.
#include <algorithm>

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

json stateToJson(const MethodReport& method, const pte::WrittenMethod& written) {
  json buffers = json::array();
  for (const pte::WrittenState& state : written.states) {
    buffers.push_back({{"name", state.name},
                       {"dtype", ir::info(state.type.dtype).torch},
                       {"shape", state.type.sizes()},
                       {"bytes", state.type.bytes()},
                       {"begins", state.startsAtZero ? "zeros" : "values"}});
  }
  return {{"buffers", std::move(buffers)}, {"inputs", method.changedInputs}};
}

json sourceToJson(const MethodReport& method) {
  return {{"path", method.source},
          {"bytes", method.sourceBytes},
          {"hash", method.sourceHash},
          {"torch_version", method.torchVersion},
          {"schema", method.schema},
          {"operators", method.operators},
          {"parameters", method.parameterCount},
          {"parameter_bytes", method.parameterBytes}};
}

json planToJson(const pte::WrittenMethod& method) {
  return {{"arena_bytes", method.plan.arenaBytes},
          {"lower_bound", method.plan.lowerBound},
          {"shared_state_bytes", method.plan.sharedBytes},
          {"instructions", method.instructions},
          {"kernels", method.kernels}};
}

// Of each method what the whole program's fields say of the first, or of all together.
json methodsToJson(const ExportReport& report) {
  json methods = json::array();
  for (size_t i = 0; i < report.methods.size(); ++i) {
    const MethodReport& method = report.methods[i];
    const pte::WrittenMethod& written = report.written.methods[i];
    methods.push_back({{"name", method.name},
                       {"source", sourceToJson(method)},
                       {"coverage", toJson(method.coverage)},
                       {"plan", planToJson(written)},
                       {"symbols", method.symbols},
                       {"state", stateToJson(method, written)},
                       {"verification", method.verification},
                       {"quantisation", method.quantisation}});
  }
  return methods;
}

// Methods have an arena each.
json wholePlan(const pte::WriteResult& written) {
  json whole = planToJson(written.methods.front());
  for (size_t i = 1; i < written.methods.size(); ++i) {
    const json plan = planToJson(written.methods[i]);
    for (const char* sum : {"arena_bytes", "lower_bound", "instructions"})
      whole[sum] = whole[sum].get<uint64_t>() + plan[sum].get<uint64_t>();
    whole["shared_state_bytes"] =
        std::max(whole["shared_state_bytes"].get<uint64_t>(), plan["shared_state_bytes"].get<uint64_t>());
  }
  whole["kernels"] = written.kernels();
  return whole;
}

backends::Coverage wholeCoverage(const std::vector<MethodReport>& methods) {
  backends::Coverage whole;
  for (const MethodReport& method : methods) {
    for (backends::NodeCoverage node : method.coverage.nodes) {
      if (node.delegate >= 0) node.delegate += whole.delegates;
      whole.nodes.push_back(std::move(node));
    }
    whole.delegates += method.coverage.delegates;
  }
  return whole;
}

json externalToJson(const ExportReport& report) {
  if (report.external.empty()) return nullptr;
  return {{"path", report.external}, {"bytes", report.written.externalBytes}, {"hash", report.externalHash}};
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
  const MethodReport& first = report.methods.front();
  json out = {
      {"exportdeck", EXPORTDECK_VERSION},
      {"command", "export"},
      {"exit", 0},
      {"source", sourceToJson(first)},
      {"output", {{"path", report.output}, {"bytes", written.totalBytes}, {"hash", report.outputHash}}},
      {"external", externalToJson(report)},
      {"backend", report.backend},
      {"engine", "native"},
      {"runtime_profile", {{"name", report.runtimeProfile}, {"meaning", report.runtimeMeaning}}},
      {"options", report.options.resolvedToJson()},
      {"stages", std::move(stages)},
      {"seconds", report.seconds},
      {"coverage", toJson(wholeCoverage(report.methods))},
      {"plan", wholePlan(written)},
      {"sizes",
       {{"program", written.programBytes},
        {"constants", written.constantBytes},
        {"initial_state", written.initialBytes},
        {"delegates", written.delegateBytes},
        {"named_data", written.namedDataBytes},
        {"total", written.totalBytes},
        {"external", written.externalBytes}}},
      {"symbols", first.symbols},
      {"state", stateToJson(first, written.methods.front())},
      {"verification", first.verification},
      {"quantisation", first.quantisation},
      {"diagnostics", std::move(diagnostics)},
  };
  if (report.methods.size() > 1) out["methods"] = methodsToJson(report);
  out.update(report.recorded.is_object() ? report.recorded : json::object());
  return out;
}

}  // namespace exportdeck::driver
