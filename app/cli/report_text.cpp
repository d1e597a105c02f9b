#include "cli/report_text.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "cli/format.h"
#include "driver/export.h"

namespace exportdeck::cli {

namespace {

using nlohmann::json;
constexpr size_t kShownRows = 8, kShownNames = 4;

uint64_t number(const json& object, const char* key) {
  return object.value(key, uint64_t{0});
}

std::string sizeText(const json& report) {
  std::vector<std::string> parts;
  const json& sizes = report["sizes"];
  for (const auto& [key, label] : {std::pair{"program", "program"},
                                   {"constants", "constants"},
                                   {"initial_state", "initial state"},
                                   {"delegates", "delegates"},
                                   {"named_data", "delegate weights"}}) {
    if (number(sizes, key) > 0) parts.push_back(concat(label, " ", formatBytes(number(sizes, key))));
  }
  return join(parts, ", ");
}

std::string timeText(const json& report) {
  std::vector<std::string> parts;
  for (const json& stage : report["stages"]) {
    parts.push_back(concat(textField(stage, "stage"), " ", formatSeconds(stage.value("seconds", 0.0))));
  }
  return join(parts, ", ");
}

std::vector<std::string> delegatedRow(const json& coverage) {
  const uint64_t nodes = number(coverage, "nodes"), delegated = number(coverage, "delegated");
  if (number(coverage, "delegates") == 0)
    return {"delegated", "nothing", concat("all ", plural(nodes, "node"), " run on the portable kernels")};
  std::string detail = concat(formatCount(delegated), " of ", plural(nodes, "node"), " in ",
                              plural(number(coverage, "delegates"), "delegate"));
  const uint64_t work = number(coverage, "multiply_adds");
  const uint64_t bytes = number(coverage, "bytes");
  if (bytes > 0) detail += concat(", ", formatPercent(number(coverage, "delegated_bytes"), bytes), " of the bytes");
  if (work == 0) return {"delegated", formatPercent(delegated, nodes), detail};
  return {"delegated", formatPercent(number(coverage, "delegated_multiply_adds"), work),
          concat("of the multiply-adds: ", detail)};
}

std::vector<std::string> verifiedRow(const json& verification) {
  if (!verification.is_object()) return {"checked", "no", "--verify run or --verify CASE_DIR checks it"};
  const std::string seconds = formatSeconds(verification.value("seconds", 0.0));
  if (textField(verification, "kind") == "case") {
    return {"checked", "matches",
            concat("the case's outputs, largest error ", formatError(verification["max_abs_error"]), ", in ", seconds)};
  }
  const bool random = textField(verification, "inputs") == "random";
  return {"checked", "runs", concat(random ? "on random inputs" : "on the archive's example inputs", ", in ", seconds)};
}

// Weights as integers or halves, and what that changes in the outputs; no row where none was asked for.
void addQuantisedRow(const json& quantisation, std::vector<std::vector<std::string>>& rows) {
  if (!quantisation.is_object()) return;
  std::string detail =
      concat("weights of linear layers and embeddings: ", formatBytes(number(quantisation, "bytes_before")), " are ",
             formatBytes(number(quantisation, "bytes_after")));
  if (const uint64_t kept = number(quantisation, "kept"); kept > 0) detail += concat("; ", kept, " stay as they are");
  rows.push_back({"quantised", concat(number(quantisation, "quantised")), detail});
  const json error = quantisation.value("error", json());
  if (!error.is_object()) return;
  const json& ratio = error["snr_db"];
  rows.push_back(
      {"error", ratio.is_number() ? concat(std::round(ratio.get<double>() * 10) / 10, " dB") : "none",
       concat("signal to noise, beside the program in floats, on ",
              textField(error, "inputs") == "sample" ? "the archive's example inputs" : "random inputs", "; largest ",
              formatError(error["max_abs_error"]), ", in ", formatSeconds(error.value("seconds", 0.0)))});
}

std::string placeText(const json& where) {
  const std::string file = textField(where, "source_file");
  const std::string place =
      file.empty() ? std::string() : concat(file.substr(file.rfind('/') + 1), ":", where.value("source_line", 0));
  const std::string module = textField(where, "module_path");
  if (place.empty() || module.empty()) return place + module;
  return concat(place, ", ", module);
}

std::vector<std::string> runtimeRow(const json& report) {
  const size_t kernels = report["plan"].value("kernels", json::array()).size();
  return {
      "runtime", textField(report["runtime_profile"], "name"),
      kernels == 0 ? "the program calls no kernel" : concat("has what the program calls: ", plural(kernels, "kernel"))};
}

std::vector<std::string> namesOf(const json& buffers) {
  std::vector<std::string> names;
  for (const json& buffer : buffers) {
    if (names.size() == kShownNames) {
      names.emplace_back("…");
      break;
    }
    names.push_back(textField(buffer, "name"));
  }
  return names;
}

// "s0 up to 512 (x dim 1), s1 up to 8"
std::string largestSizes(const json& symbols) {
  std::vector<std::string> parts;
  for (const json& size : symbols) {
    const auto inputs = size["inputs"].get<std::vector<std::string>>();
    parts.push_back(concat(textField(size, "symbol"), " up to ", number(size, "upper"),
                           inputs.empty() ? std::string() : concat(" (", join(inputs, ", "), ")")));
  }
  return join(parts, ", ");
}

// What outlives a call; no row where nothing does.
void addStateRows(const json& state, std::vector<std::vector<std::string>>& rows) {
  const json& buffers = state["buffers"];
  if (!buffers.empty()) {
    uint64_t bytes = 0, zeros = 0;
    for (const json& buffer : buffers) {
      bytes += number(buffer, "bytes");
      zeros += textField(buffer, "begins") == "zeros" ? 1 : 0;
    }
    const std::string begins = zeros == buffers.size() ? "at first zero"
                               : zeros == 0            ? "at first as in the model"
                                                       : concat("at first as in the model, ", zeros, " of them zero");
    rows.push_back({"state", formatBytes(bytes),
                    concat(plural(buffers.size(), "buffer"), " kept between calls (", join(namesOf(buffers), ", "),
                           "), ", begins)});
  }
  const auto inputs = state["inputs"].get<std::vector<std::string>>();
  if (!inputs.empty())
    rows.push_back({"writes into", plural(inputs.size(), "input"), concat("of its caller: ", join(inputs, ", "))});
}

// The rows with the most work first, then those with the most bytes, then as the program has them.
std::string notDelegatedText(const json& coverage) {
  if (number(coverage, "delegates") == 0) return {};
  std::vector<json> rows = coverage.value("not_delegated", std::vector<json>());
  if (rows.empty()) return {};
  std::ranges::stable_sort(rows, std::greater(), [](const json& row) {
    return std::pair(number(row, "multiply_adds"), number(row, "bytes"));
  });
  std::vector<std::vector<std::string>> cells;
  for (const json& row : rows) {
    if (cells.size() == kShownRows) break;
    cells.push_back({concat(number(row, "count"), " x"), textField(row, "op"), textField(row, "reason"),
                     placeText(row.value("where", json::object()))});
  }
  std::string out = concat("\nNot delegated\n", table(cells, 2));
  if (rows.size() > kShownRows)
    out += concat("  … and ", rows.size() - kShownRows, " more: --json, or the .export.json file\n");
  return out;
}

}  // namespace

std::string exportReportText(const json& report) {
  const std::string output = textField(report["output"], "path");
  const json& plan = report["plan"];
  std::vector<std::vector<std::string>> rows = {
      {"size", formatBytes(number(report["output"], "bytes")), sizeText(report)},
      {"time", formatSeconds(report.value("seconds", 0.0)), timeText(report)},
      delegatedRow(report["coverage"]),
      runtimeRow(report),
      {"arena", formatBytes(number(plan, "arena_bytes")),
       concat("at least ", formatBytes(number(plan, "lower_bound")), " are needed at once")},
      verifiedRow(report["verification"]),
  };
  addQuantisedRow(report.value("quantisation", json()), rows);
  if (const json sizes = report.value("symbols", json::array()); !sizes.empty())
    rows.push_back({"sizes", "change", concat("memory is planned for ", largestSizes(sizes))});
  if (report.contains("state")) addStateRows(report["state"], rows);
  return concat(output, "  (", textField(report, "backend"), ")\n", table(rows, 2),
                notDelegatedText(report["coverage"]), "\nReport: ", driver::sidecarPath(output), "\n");
}

}  // namespace exportdeck::cli
