// Reports and diagnostics as JSON; the form is a contract with the window and with scripts.
#include <map>

#include "base/text.h"
#include "driver/export.h"

namespace exportdeck::driver {

namespace {

using nlohmann::json;

const char* severityName(Severity severity) {
  switch (severity) {
    case Severity::Info: return "info";
    case Severity::Warning: return "warning";
    case Severity::Error: break;
  }
  return "error";
}

json whereToJson(const Origin& where) {
  json out = json::object();
  const auto put = [&](const char* key, const std::string& text) {
    if (!text.empty()) out[key] = text;
  };
  put("node", where.node);
  put("op", where.op);
  put("source_file", where.sourceFile);
  if (where.sourceLine > 0) out["source_line"] = where.sourceLine;
  put("source_text", where.sourceText);
  put("module_path", where.modulePath);
  put("module_type", where.moduleType);
  return out;
}

// Nodes outside the delegates, equal ones (operator, reason, source line) counted in one row.
json notDelegated(const backends::Coverage& coverage) {
  std::map<std::string, json> rows;
  std::vector<std::string> order;
  for (const backends::NodeCoverage& node : coverage.nodes) {
    if (node.delegated) continue;
    const std::string key = concat(node.op, '\n', node.reason, '\n', node.origin ? node.origin->sourceFile : "", '\n',
                                   node.origin ? node.origin->sourceLine : 0);
    auto [row, isNew] = rows.try_emplace(key);
    if (isNew) {
      order.push_back(key);
      row->second = {{"op", node.op}, {"count", 0}, {"reason", node.reason}, {"fix", node.fix},
                     {"where", node.origin ? whereToJson(*node.origin) : json::object()},
                     {"multiply_adds", 0}, {"bytes", 0}};
    }
    row->second["count"] = row->second["count"].get<int>() + 1;
    row->second["multiply_adds"] = row->second["multiply_adds"].get<uint64_t>() + node.multiplyAdds;
    row->second["bytes"] = row->second["bytes"].get<uint64_t>() + node.bytes;
  }
  json out = json::array();
  for (const std::string& key : order) out.push_back(std::move(rows[key]));
  return out;
}

json coverageToJson(const backends::Coverage& coverage) {
  return {{"nodes", coverage.nodes.size()},
          {"delegated", coverage.delegatedNodes()},
          {"delegates", coverage.delegates},
          {"multiply_adds", coverage.multiplyAdds()},
          {"delegated_multiply_adds", coverage.delegatedMultiplyAdds()},
          {"not_delegated", notDelegated(coverage)}};
}

}  // namespace

json toJson(const Diagnostic& diagnostic) {
  return {{"code", codeInfo(diagnostic.code).id}, {"severity", severityName(diagnostic.severity)},
          {"message", diagnostic.message},        {"why", diagnostic.why},
          {"fixes", diagnostic.fixes},            {"occurrences", diagnostic.occurrences},
          {"where", whereToJson(diagnostic.where)}};
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
       {{"path", report.source}, {"bytes", report.sourceBytes}, {"hash", report.sourceHash},
        {"torch_version", report.torchVersion}, {"schema", report.schema}, {"operators", report.operators},
        {"parameters", report.parameterCount}, {"parameter_bytes", report.parameterBytes}}},
      {"output", {{"path", report.output}, {"bytes", written.totalBytes}, {"hash", report.outputHash}}},
      {"backend", report.backend},
      {"engine", "native"},
      {"options", report.options.resolvedToJson()},
      {"stages", std::move(stages)},
      {"seconds", report.seconds},
      {"coverage", coverageToJson(report.coverage)},
      {"plan",
       {{"arena_bytes", written.plan.arenaBytes}, {"lower_bound", written.plan.lowerBound},
        {"instructions", written.instructions}, {"kernels", written.kernels}}},
      {"sizes",
       {{"program", written.programBytes}, {"constants", written.constantBytes}, {"delegates", written.delegateBytes},
        {"named_data", written.namedDataBytes}, {"total", written.totalBytes}}},
      {"verification", report.verification},
      {"diagnostics", std::move(diagnostics)},
  };
  out.update(report.recorded.is_object() ? report.recorded : json::object());
  return out;
}

}  // namespace exportdeck::driver
