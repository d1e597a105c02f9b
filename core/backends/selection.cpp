#include "backends/selection.h"

#include <algorithm>
#include <array>

namespace exportdeck::backends {

namespace {

// "aten.conv2d.default" -> "conv2d".
std::string_view middlePart(std::string_view op) {
  const size_t first = op.find('.');
  if (first == std::string_view::npos) return op;
  const size_t second = op.find('.', first + 1);
  return op.substr(first + 1, second == std::string_view::npos ? second : second - first - 1);
}

bool names(std::string_view wanted, std::string_view op) {
  return wanted == op || wanted == middlePart(op);
}

}  // namespace

bool boolOption(const options::OptionSet& options, std::string_view key, bool fallback) {
  return options.find(key) ? options.boolean(key) : fallback;
}

int64_t intOption(const options::OptionSet& options, std::string_view key, int64_t fallback) {
  return options.find(key) ? options.integer(key) : fallback;
}

bool isExcluded(const ir::Node& node, const options::OptionSet& options) {
  if (!options.find("exclude_ops")) return false;
  for (const std::string& wanted : options.list("exclude_ops")) {
    if (names(wanted, node.op()) || names(wanted, node.origin().op)) return true;
  }
  return false;
}

std::vector<std::string> exclusionsWithout(const ir::Node& node, const options::OptionSet& options) {
  std::vector<std::string> kept;
  for (const std::string& wanted : options.list("exclude_ops")) {
    if (!names(wanted, node.op()) && !names(wanted, node.origin().op)) kept.push_back(wanted);
  }
  return kept;
}

bool onlyMovesData(const ir::Node& node) {
  static constexpr std::array<std::string_view, 20> kMoves = {
      "quantize_per_tensor", "dequantize_per_tensor", "view_copy", "_unsafe_view", "reshape",
      "permute_copy",        "transpose_copy",        "t_copy",    "squeeze_copy", "unsqueeze_copy",
      "slice_copy",          "select_copy",           "clone",     "alias_copy",   "expand_copy",
      "pixel_shuffle",       "pixel_unshuffle",       "view",      "permute",      "upsample_nearest2d"};
  return std::find(kMoves.begin(), kMoves.end(), middlePart(node.op())) != kMoves.end();
}

}  // namespace exportdeck::backends
