#include "passes/decomposition.h"

#include <algorithm>

#include "base/text.h"
#include "passes/decompositions/all.h"

namespace exportdeck::passes {

DecompositionRegistry::DecompositionRegistry() {
  decompositions::registerAll(*this);
}

const DecompositionRegistry& DecompositionRegistry::instance() {
  static const DecompositionRegistry registry;
  return registry;
}

void DecompositionRegistry::add(std::initializer_list<std::string_view> ops, Decompose run) {
  for (const std::string_view op : ops) {
    check(table_.emplace(op, run).second, concat("two decompositions are registered for ", op));
  }
}

Decompose DecompositionRegistry::find(std::string_view op) const {
  const auto found = table_.find(op);
  return found == table_.end() ? nullptr : found->second;
}

std::vector<std::string_view> DecompositionRegistry::operators() const {
  std::vector<std::string_view> out;
  for (const auto& [op, run] : table_) out.push_back(op);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace exportdeck::passes
