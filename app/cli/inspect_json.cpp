#include "cli/inspect_json.h"

#include <array>
#include <cctype>
#include <map>
#include <set>
#include <variant>

#include "base/text.h"
#include "driver/size_bounds.h"
#include "ops/runtime_profile.h"
#include "pt2/reader.h"
#include "pte/reader.h"

namespace exportdeck::cli {

namespace {

using nlohmann::json;

json tensorSlot(const ir::TensorType& type) {
  json shape = json::array();
  for (const ir::SymInt& size : type.shape) shape.push_back(size.isStatic() ? json(size.value()) : json(size.text()));
  return {{"kind", "tensor"}, {"dtype", ir::info(type.dtype).torch}, {"shape", std::move(shape)}};
}

json fixedSlot(const ir::Argument& argument) {
  if (const auto* value = std::get_if<bool>(&argument)) return {{"kind", "bool"}, {"value", *value}};
  if (const auto* value = std::get_if<int64_t>(&argument)) return {{"kind", "int"}, {"value", *value}};
  if (const auto* value = std::get_if<double>(&argument)) return {{"kind", "float"}, {"value", *value}};
  if (const auto* value = std::get_if<std::string>(&argument)) return {{"kind", "string"}, {"value", *value}};
  return {{"kind", "none"}};
}

json valueSlot(const ir::Value& value) {
  switch (value.kind()) {
    case ir::ValueKind::Tensor:
      return tensorSlot(value.type());
    case ir::ValueKind::Int:
      return {{"kind", "int"}};
    case ir::ValueKind::Float:
      return {{"kind", "float"}};
    case ir::ValueKind::Bool:
      return {{"kind", "bool"}};
    case ir::ValueKind::None:
      break;
  }
  return {{"kind", "none"}};
}

json inputsOf(const ir::Graph& graph) {
  json list = json::array();
  for (const ir::GraphInput& input : graph.inputs()) {
    json slot = input.value != nullptr ? valueSlot(*input.value) : fixedSlot(input.fixed);
    slot["name"] = input.name;
    list.push_back(std::move(slot));
  }
  return list;
}

json outputsOf(const ir::Graph& graph) {
  json list = json::array();
  for (const ir::Argument& output : graph.outputs()) {
    const auto* value = std::get_if<ir::Value*>(&output);
    json slot = value != nullptr && *value != nullptr ? valueSlot(**value) : fixedSlot(output);
    slot["name"] = value != nullptr && *value != nullptr ? (*value)->name() : "";
    list.push_back(std::move(slot));
  }
  return list;
}

json tensorsToJson(const std::vector<pte::TensorInfo>& tensors) {
  json list = json::array();
  for (const pte::TensorInfo& tensor : tensors) {
    list.push_back({{"kind", "tensor"},
                    {"dtype", tensor.dtype},
                    {"shape", tensor.sizes},
                    {"dim_order", tensor.dimOrder},
                    {"place", tensor.place}});
  }
  return list;
}

json statesToJson(const std::vector<pte::StateInfo>& states) {
  json list = json::array();
  for (const pte::StateInfo& state : states) {
    list.push_back({{"name", state.name},
                    {"kind", "tensor"},
                    {"dtype", state.tensor.dtype},
                    {"shape", state.tensor.sizes},
                    {"bytes", state.bytes},
                    {"begins", state.startsAtZero ? "zeros" : "values"}});
  }
  return list;
}

json methodToJson(const pte::MethodInfo& method) {
  json delegates = json::array();
  for (const pte::DelegateInfo& delegate : method.delegates) {
    delegates.push_back({{"id", delegate.id},
                         {"bytes", delegate.bytes},
                         {"nodes", delegate.nodes},
                         {"multiply_adds", delegate.multiplyAdds}});
  }
  std::map<std::string, uint64_t> calls;
  for (const pte::InstructionInfo& instruction : method.instructions) {
    if (instruction.kind == "kernel") ++calls[instruction.name];
  }
  return {{"name", method.name},
          {"inputs", tensorsToJson(method.inputs)},
          {"outputs", tensorsToJson(method.outputs)},
          {"state", statesToJson(method.states)},
          {"delegates", std::move(delegates)},
          {"operators", method.operators},
          {"kernel_calls", calls},
          {"instructions", method.instructions.size()},
          {"arena_bytes", method.arenaBytes}};
}

// What a runtime must have to load the program. Prim kernels are in every runtime, so a selective build lists the
// others.
json runtimeNeeds(const pte::ProgramInfo& info) {
  std::set<std::string> names, backends;
  for (const pte::MethodInfo& method : info.methods) {
    names.insert(method.operators.begin(), method.operators.end());
    for (const pte::DelegateInfo& delegate : method.delegates) backends.insert(delegate.id);
  }
  json groups = json::object();
  std::vector<std::string> selected;
  for (const std::string& name : names) {
    std::string group = ops::kernelGroup(name);
    if (group.empty()) group = "other";
    groups[group].push_back(name);
    if (group != "prim") selected.push_back(name);
  }
  const std::vector<std::string> all(names.begin(), names.end());
  return {{"backends", backends},
          {"kernels", std::move(groups)},
          {"runtime_profiles", ops::RuntimeProfile::namesWith(all)},
          {"select_ops_list", join(selected, ",")}};
}

}  // namespace

bool looksLikeProgram(const std::string& path) {
  const auto file = InputFile::open(path);
  std::array<std::byte, 8> head{};
  if (file->size() < head.size()) return path.ends_with(".pte");
  file->read(0, head);
  const auto at = [&](size_t i) { return static_cast<unsigned char>(head[i]); };
  if (at(4) == 'E' && at(5) == 'T' && std::isdigit(at(6)) != 0 && std::isdigit(at(7)) != 0) return true;
  return path.ends_with(".pte") && !(at(0) == 'P' && at(1) == 'K');
}

json inspectArchive(const std::string& path, const pt2::SizeBounds& bounds, std::stop_token stop) {
  const pt2::ExportedProgram program = pt2::readProgram(path, {silentProgress(), std::move(stop)}, bounds);
  return {{"kind", "pt2"},
          {"path", path},
          {"bytes", InputFile::open(path)->size()},
          {"torch_version", program.torchVersion},
          {"schema", concat(program.schemaMajor, ".", program.schemaMinor)},
          {"dialect", program.dialect},
          {"inputs", inputsOf(*program.graph)},
          {"outputs", outputsOf(*program.graph)},
          {"symbols", driver::sizesToJson(*program.graph)},
          {"bytes_at_bounds", driver::bytesAtBounds(*program.graph)},
          {"parameters", program.parameterCount},
          {"parameter_bytes", program.parameterBytes},
          {"operators", program.operatorCounts},
          {"nodes", program.graph->nodes().size()}};
}

json inspectProgram(const std::string& path) {
  const pte::ProgramInfo info = pte::readProgramInfo(path);
  json methods = json::array();
  for (const pte::MethodInfo& method : info.methods) methods.push_back(methodToJson(method));
  return {{"kind", "pte"},
          {"path", path},
          {"bytes", info.fileBytes},
          {"methods", std::move(methods)},
          {"runtime", runtimeNeeds(info)},
          {"constants_bytes", info.constantBytes},
          {"named_data", info.namedData},
          {"external", info.external}};
}

}  // namespace exportdeck::cli
