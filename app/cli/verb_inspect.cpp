#include <array>

#include "base/text.h"
#include "cli/format.h"
#include "cli/inspect_json.h"
#include "cli/verb.h"
#include "driver/size_bounds.h"

namespace exportdeck::cli {

namespace {

using nlohmann::json;

std::string slotRows(const json& slots) {
  std::vector<std::vector<std::string>> rows;
  size_t index = 0;
  for (const json& slot : slots) {
    const std::string name = textField(slot, "name");
    rows.push_back({name.empty() ? concat(index) : name, slotText(slot), textField(slot, "place")});
    ++index;
  }
  return rows.empty() ? "  none\n" : table(rows, 2);
}

// Sizes that change between calls, and what they cost at most; nothing where there are none.
std::string sizesText(const json& report) {
  const json& symbols = report["symbols"];
  if (symbols.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const json& size : symbols) {
    const std::string upper =
        size["upper"].is_null() ? "any, so it needs a bound" : concat(size["upper"].get<int64_t>());
    rows.push_back({textField(size, "symbol"), concat(size.value("lower", int64_t{0}), " to ", upper),
                    join(size["inputs"].get<std::vector<std::string>>(), ", ")});
  }
  const json& bytes = report["bytes_at_bounds"];
  for (const char* what : {"inputs", "outputs"})
    if (!bytes[what].is_null()) rows.push_back({what, concat("up to ", formatBytes(bytes[what].get<uint64_t>()))});
  if (const json& largest = bytes["largest"]; !largest.is_null())
    rows.push_back(
        {"largest", concat("up to ", formatBytes(largest["bytes"].get<uint64_t>())), textField(largest, "value")});
  return concat("\nSizes that change\n", table(rows, 2));
}

std::string archiveText(const json& report) {
  std::vector<std::vector<std::string>> operators;
  for (const auto& [op, count] : report["operators"].items()) operators.push_back({concat(count.get<int>(), " x"), op});
  return concat(textField(report, "path"), "\n",
                table({{"size", formatBytes(report["bytes"].get<uint64_t>())},
                       {"torch", textField(report, "torch_version")},
                       {"schema", textField(report, "schema")},
                       {"dialect", textField(report, "dialect")},
                       {"parameters", formatCount(report["parameters"].get<uint64_t>()),
                        formatBytes(report["parameter_bytes"].get<uint64_t>())},
                       {"nodes", formatCount(report["nodes"].get<uint64_t>())}},
                      2),
                "\nInputs\n", slotRows(report["inputs"]), "\nOutputs\n", slotRows(report["outputs"]), sizesText(report),
                "\nOperators\n", table(operators, 2));
}

std::string stateRows(const json& states) {
  std::vector<std::vector<std::string>> rows;
  for (const json& state : states) {
    const bool zeros = textField(state, "begins") == "zeros";
    rows.push_back({textField(state, "name"), slotText(state), formatBytes(state["bytes"].get<uint64_t>()),
                    zeros ? "begins with zeros" : "begins with values"});
  }
  return table(rows, 2);
}

std::string methodText(const json& method) {
  std::vector<std::string> arenas;
  for (const json& bytes : method["arena_bytes"]) arenas.push_back(formatBytes(bytes.get<uint64_t>()));
  std::string out = concat("\nMethod ", textField(method, "name"), "\n",
                           table({{"instructions", formatCount(method["instructions"].get<uint64_t>())},
                                  {"arena", arenas.empty() ? "none" : join(arenas, ", ")}},
                                 2),
                           "\n  Inputs\n", slotRows(method["inputs"]), "\n  Outputs\n", slotRows(method["outputs"]));
  if (!method["state"].empty()) out += concat("\n  State, kept between calls\n", stateRows(method["state"]));
  std::vector<std::vector<std::string>> delegates, operators;
  for (const json& delegate : method["delegates"]) {
    delegates.push_back({textField(delegate, "id"), formatBytes(delegate["bytes"].get<uint64_t>()),
                         join(delegate["nodes"].get<std::vector<std::string>>(), " ")});
  }
  for (const json& op : method["operators"]) operators.push_back({op.get<std::string>()});
  if (!delegates.empty()) out += concat("\n  Delegates\n", table(delegates, 2));
  if (!operators.empty()) out += concat("\n  Kernels\n", table(operators, 2));
  return out;
}

// What a runtime must have: a row for each group of kernels, and the line that builds one with no others.
std::string runtimeText(const json& runtime) {
  const auto listed = [](const json& names) {
    return names.empty() ? "none" : join(names.get<std::vector<std::string>>(), ", ");
  };
  const json& profiles = runtime["runtime_profiles"];
  std::vector<std::vector<std::string>> rows = {
      {"backends", listed(runtime["backends"])},
      {"profiles", profiles.empty() ? "none has all kernels" : listed(profiles)},
  };
  for (const auto& [group, names] : runtime["kernels"].items())
    rows.push_back({concat(group, " kernels"), listed(names)});
  std::string out = concat("\nThe runtime needs\n", table(rows, 2));
  const std::string selected = textField(runtime, "select_ops_list");
  if (!selected.empty()) out += concat("  EXECUTORCH_SELECT_OPS_LIST=", selected, "\n");
  return out;
}

std::string programText(const json& report) {
  std::string out = concat(textField(report, "path"), "\n",
                           table({{"size", formatBytes(report["bytes"].get<uint64_t>())},
                                  {"constants", formatBytes(report["constants_bytes"].get<uint64_t>())},
                                  {"named data", plural(report["named_data"].size(), "item")},
                                  {"in a .ptd", plural(report["external"].size(), "item")}},
                                 2));
  for (const json& method : report["methods"]) out += methodText(method);
  return out + runtimeText(report["runtime"]);
}

class InspectVerb : public Verb {
 public:
  const char* name() const override { return "inspect"; }
  const char* summary() const override {
    return "Show what is in an exported program (.pt2) or an ExecuTorch program (.pte)";
  }
  void declare(CLI::App& app) override {
    app.add_option("FILE", path_, "A .pt2 or .pte file")->required();
    app.add_option("--bound", bounds_, "How large a size of a .pt2 that changes between calls may become")
        ->type_name("SYMBOL=NUMBER")
        ->allow_extra_args(false);
  }

  Outcome run(Invocation& invocation) override {
    const pt2::SizeBounds bounds = driver::parseBounds(bounds_);
    if (!looksLikeProgram(path_)) return {inspectArchive(path_, bounds, invocation.stop), {}};
    if (!bounds.empty())
      throw ExportError(Code::OptionInvalid, concat(path_, " is a finished program, whose sizes cannot be bounded"),
                        {"Bound the sizes of the .pt2 that it was made from, when it is exported"});
    return {inspectProgram(path_), {}};
  }

  std::string text(const json& report) const override {
    return textField(report, "kind") == "pte" ? programText(report) : archiveText(report);
  }

 private:
  std::string path_;
  std::vector<std::string> bounds_;
};

}  // namespace

std::unique_ptr<Verb> makeInspectVerb() {
  return std::make_unique<InspectVerb>();
}

}  // namespace exportdeck::cli
