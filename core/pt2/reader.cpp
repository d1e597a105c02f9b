#include "pt2/reader.h"

#include "base/diagnostic.h"
#include "base/text.h"
#include "pt2/graph_reader.h"
#include "pt2/layout.h"

namespace exportdeck::pt2 {

namespace {

constexpr int64_t kSchemaMajor = 8;

void readVersions(const Archive& archive, json::Object root, ExportedProgram& program) {
  if (const auto torch = json::find(root, "torch_version"))
    program.torchVersion = json::string(*torch, "torch_version");
  const json::Object version = json::object(json::at(root, "schema_version"), "schema_version");
  const int64_t major = json::integer(json::at(version, "major"), "schema_version");
  const int64_t minor = json::integer(json::at(version, "minor"), "schema_version");
  if (major != kSchemaMajor || minor < 0 || minor > 1'000'000) {
    const std::string writer = program.torchVersion.empty() ? "" : concat(", written by torch ", program.torchVersion);
    throw ExportError(
        Code::ArchiveFormat,
        concat(archive.path(), " has schema version ", major, ".", minor, writer, "; only versions 8.x are known"),
        {"export the model again with torch 2.9 to 2.13"});
  }
  program.schemaMajor = static_cast<int>(major);
  program.schemaMinor = static_cast<int>(minor);
  if (const auto verifiers = json::find(root, "verifiers")) {
    for (const json::Element verifier : json::array(*verifiers, "verifiers")) {
      program.dialect = json::string(verifier, "verifiers");
      break;
    }
  }
}

}  // namespace

ExportedProgram readProgram(const std::string& path, const Context& context) {
  const auto archive = Archive::open(path);
  const std::string name = findProgram(*archive);
  context.throwIfStopped();
  const json::Document document(*archive, concat("models/", name, ".json"));
  const json::Object root = document.root();
  ExportedProgram program;
  readVersions(*archive, root, program);
  context.throwIfStopped();

  const json::Object graphModule = json::object(json::at(root, "graph_module"), "graph_module");
  const auto ranges = json::find(root, "range_constraints");
  const RangeConstraints constraints =
      ranges ? RangeConstraints(json::object(*ranges, "range_constraints")) : RangeConstraints();
  Weights weights(archive, name);
  program.graph = std::make_unique<ir::Graph>();
  GraphReader reader(graphModule, weights, constraints, *program.graph);
  reader.readInputs();
  reader.readNodes(context);
  reader.readOutputs(context);
  program.graph->containers = readContainers(graphModule);
  program.operatorCounts = reader.operatorCounts();
  program.parameterCount = weights.parameterCount();
  program.parameterBytes = weights.parameterBytes();
  return program;
}

}  // namespace exportdeck::pt2
