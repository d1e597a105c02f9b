#include "pt2/reader.h"

#include "base/diagnostic.h"
#include "base/text.h"
#include "pt2/graph_reader.h"
#include "pt2/layout.h"
#include "pt2/recorded_shapes.h"

namespace exportdeck::pt2 {

namespace {

// torch 2.5 writes 7.3, which differs from 8 in how None is written alone; 2.6 to 2.13 write 8.x.
bool isKnownSchema(int64_t major, int64_t minor) {
  return (major == 7 && minor == 3) || (major == 8 && minor >= 0 && minor <= 1'000'000);
}

void readVersions(const Archive& archive, json::Object root, ExportedProgram& program) {
  if (const auto torch = json::find(root, "torch_version"))
    program.torchVersion = json::string(*torch, "torch_version");
  const json::Object version = json::object(json::at(root, "schema_version"), "schema_version");
  const int64_t major = json::integer(json::at(version, "major"), "schema_version");
  const int64_t minor = json::integer(json::at(version, "minor"), "schema_version");
  if (!isKnownSchema(major, minor)) {
    const std::string writer = program.torchVersion.empty() ? "" : concat(", written by torch ", program.torchVersion);
    throw ExportError(Code::ArchiveFormat,
                      concat(archive.path(), " has schema version ", major, ".", minor, writer,
                             "; only versions 7.3 and 8.x are known"),
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

// Bytes that the tensors of the graph's inputs need, the user's among them. Only what a deflated part may hold depends
// on it, so that sizes that cannot be told count nothing.
uint64_t declaredBytes(json::Object graphModule) {
  const json::Object graph = json::object(json::at(graphModule, "graph"), "graph");
  const json::Object tensors = json::object(json::at(graph, "tensor_values"), "tensor_values");
  uint64_t total = 0;
  for (const json::Element input : json::array(json::at(graph, "inputs"), "inputs")) {
    const auto [tag, item] = json::tagged(input, "an input");
    if (tag != "as_tensor") continue;
    const auto meta = json::find(tensors, json::nameOf(item, "an input"));
    if (!meta) continue;
    const ir::TensorType type = readTensorMeta(*meta, {}, "an input").type;
    if (!type.isStatic() || __builtin_add_overflow(total, type.bytes(), &total)) continue;
  }
  return total;
}

}  // namespace

ExportedProgram readProgram(const std::string& path, const Context& context, const SizeBounds& bounds) {
  const auto archive = Archive::open(path);
  const Layout layout = findLayout(*archive);
  context.throwIfStopped();
  const json::Document document(*archive, layout.program);
  const json::Object root = document.root();
  ExportedProgram program;
  readVersions(*archive, root, program);
  context.throwIfStopped();

  const json::Object graphModule = json::object(json::at(root, "graph_module"), "graph_module");
  const auto ranges = json::find(root, "range_constraints");
  RangeConstraints constraints =
      ranges ? RangeConstraints(json::object(*ranges, "range_constraints")) : RangeConstraints();
  for (const auto& [symbol, upper] : bounds) constraints.limit(symbol, upper);
  Weights weights(archive, layout, layout.isPickled ? declaredBytes(graphModule) : 0);
  program.graph = std::make_unique<ir::Graph>();
  GraphReader reader(graphModule, weights, constraints, *program.graph);
  reader.readInputs();
  reader.readNodes(context);
  reader.readOutputs(context);
  correctRecordedShapes(*program.graph, program.torchVersion, context);
  program.graph->containers = readContainers(graphModule);
  program.operatorCounts = reader.operatorCounts();
  program.parameterCount = weights.parameterCount();
  program.parameterBytes = weights.parameterBytes();
  return program;
}

}  // namespace exportdeck::pt2
