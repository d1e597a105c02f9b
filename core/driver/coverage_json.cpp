#include "driver/coverage_json.h"

#include <deque>
#include <string>
#include <unordered_map>

#include "base/text.h"

namespace exportdeck::driver {

namespace {

using backends::Coverage;
using backends::NodeCoverage;
using nlohmann::json;

constexpr size_t kModuleLevels = 2;

// Nodes that share a key.
struct Group {
  std::string key;
  const NodeCoverage* first = nullptr;
  uint64_t total = 0, delegated = 0;
  uint64_t multiplyAdds = 0, delegatedMultiplyAdds = 0;
  uint64_t bytes = 0, delegatedBytes = 0;

  void add(const NodeCoverage& node) {
    ++total;
    multiplyAdds += node.multiplyAdds;
    bytes += node.bytes;
    if (!node.delegated) return;
    ++delegated;
    delegatedMultiplyAdds += node.multiplyAdds;
    delegatedBytes += node.bytes;
  }
};

// In the order in which the keys occur.
template <typename Key>
std::deque<Group> grouped(const Coverage& coverage, Key keyOf) {
  std::deque<Group> groups;
  std::unordered_map<std::string, Group*> byKey;
  for (const NodeCoverage& node : coverage.nodes) {
    std::string key = keyOf(node);
    Group*& group = byKey[key];
    if (!group) {
      group = &groups.emplace_back();
      group->key = std::move(key);
      group->first = &node;
    }
    group->add(node);
  }
  return groups;
}

std::string moduleOf(const NodeCoverage& node) {
  return node.origin ? node.origin->modulePath : std::string();
}

std::string topLevels(const std::string& path) {
  size_t end = 0;
  for (size_t level = 0; level < kModuleLevels; ++level) {
    end = path.find('.', level == 0 ? 0 : end + 1);
    if (end == std::string::npos) return path;
  }
  return path.substr(0, end);
}

json operators(const Coverage& coverage) {
  json out = json::array();
  for (const Group& group : grouped(coverage, [](const NodeCoverage& node) { return node.op; })) {
    out.push_back({{"op", group.key},
                   {"total", group.total},
                   {"delegated", group.delegated},
                   {"multiply_adds", group.multiplyAdds},
                   {"bytes", group.bytes}});
  }
  return out;
}

template <typename Key>
json modules(const Coverage& coverage, Key keyOf) {
  json out = json::array();
  for (const Group& group : grouped(coverage, keyOf)) {
    out.push_back({{"module", group.key},
                   {"total", group.total},
                   {"delegated", group.delegated},
                   {"multiply_adds", group.multiplyAdds},
                   {"delegated_multiply_adds", group.delegatedMultiplyAdds},
                   {"bytes", group.bytes}});
  }
  return out;
}

// Equal nodes (operator, reason, source line) are one row.
json notDelegated(const Coverage& coverage) {
  const auto keyOf = [](const NodeCoverage& node) {
    return concat(node.delegated, '\n', node.op, '\n', node.reason, '\n', node.origin ? node.origin->sourceFile : "",
                  '\n', node.origin ? node.origin->sourceLine : 0);
  };
  json out = json::array();
  for (const Group& group : grouped(coverage, keyOf)) {
    if (group.first->delegated) continue;
    out.push_back({{"op", group.first->op},
                   {"count", group.total},
                   {"reason", group.first->reason},
                   {"fix", group.first->fix},
                   {"where", group.first->origin ? toJson(*group.first->origin) : json::object()},
                   {"multiply_adds", group.multiplyAdds},
                   {"bytes", group.bytes}});
  }
  return out;
}

}  // namespace

json toJson(const Origin& where) {
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

json toJson(const Coverage& coverage) {
  Group all;
  for (const NodeCoverage& node : coverage.nodes) all.add(node);
  return {{"nodes", all.total},
          {"delegated", all.delegated},
          {"delegates", coverage.delegates},
          {"multiply_adds", all.multiplyAdds},
          {"delegated_multiply_adds", all.delegatedMultiplyAdds},
          {"bytes", all.bytes},
          {"delegated_bytes", all.delegatedBytes},
          {"by_operator", operators(coverage)},
          {"by_module", modules(coverage, [](const NodeCoverage& node) { return topLevels(moduleOf(node)); })},
          {"by_module_path", modules(coverage, moduleOf)},
          {"not_delegated", notDelegated(coverage)}};
}

}  // namespace exportdeck::driver
