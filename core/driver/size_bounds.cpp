#include "driver/size_bounds.h"

#include <algorithm>

#include "base/text.h"

namespace exportdeck::driver {

namespace {

nlohmann::json orNull(const std::optional<int64_t>& bound) {
  return bound ? nlohmann::json(*bound) : nlohmann::json();
}

std::vector<std::string> inputsWith(const ir::Graph& graph, const std::string& symbol) {
  std::vector<std::string> places;
  for (const ir::GraphInput& input : graph.inputs()) {
    if (!input.value || !input.value->isTensor()) continue;
    const ir::Shape& shape = input.value->type().shape;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      const std::vector<std::string> symbols = symbolsOf(shape[dim]);
      if (std::find(symbols.begin(), symbols.end(), symbol) != symbols.end())
        places.push_back(concat(input.name, " dim ", dim));
    }
  }
  return places;
}

}  // namespace

pt2::SizeBounds sizeBounds(const options::OptionSet& options) {
  pt2::SizeBounds bounds;
  if (!options.find("bound")) return bounds;
  for (const std::string& item : options.list("bound")) {
    const size_t equals = item.find('=');
    bounds[item.substr(0, equals)] = std::stoll(item.substr(equals + 1));
  }
  return bounds;
}

nlohmann::json sizesToJson(const ir::Graph& graph) {
  nlohmann::json sizes = nlohmann::json::array();
  for (const auto& [name, atom] : symbolsOf(graph)) {
    sizes.push_back({{"symbol", name},
                     {"lower", orNull(atom->lower)},
                     {"upper", orNull(atom->upper)},
                     {"inputs", inputsWith(graph, name)}});
  }
  return sizes;
}

}  // namespace exportdeck::driver
