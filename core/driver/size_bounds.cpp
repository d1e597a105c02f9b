#include "driver/size_bounds.h"

#include <algorithm>

#include "base/text.h"

namespace exportdeck::driver {

namespace {

constexpr const char* kBoundOption = "bound";

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

// What is no tensor takes no room; a size without a bound gives no sum.
class ByteSum {
 public:
  void add(std::optional<int64_t> bytes) {
    if (bytes && sum_) *sum_ += *bytes;
    if (!bytes) sum_.reset();
  }
  nlohmann::json json() const { return orNull(sum_); }

 private:
  std::optional<int64_t> sum_ = 0;
};

std::optional<int64_t> bytesAtBound(const ir::Value& value) {
  if (!value.isTensor()) return 0;
  const std::optional<int64_t> count = value.type().count().upper();
  if (!count) return {};
  return *count * static_cast<int64_t>(sizeOf(value.type().dtype));
}

}  // namespace

pt2::SizeBounds sizeBounds(const options::OptionSet& options) {
  pt2::SizeBounds bounds;
  if (!options.find(kBoundOption)) return bounds;
  for (const std::string& item : options.list(kBoundOption)) {
    const size_t equals = item.find('=');
    bounds[item.substr(0, equals)] = std::stoll(item.substr(equals + 1));
  }
  return bounds;
}

pt2::SizeBounds parseBounds(const std::vector<std::string>& words) {
  options::OptionSpec spec;
  spec.key = kBoundOption;
  spec.type = options::OptionType::List;
  spec.sizes = true;
  spec.fallback = std::vector<std::string>{};
  options::OptionSet set({spec});
  set.set(kBoundOption, words);
  return sizeBounds(set);
}

nlohmann::json bytesAtBounds(const ir::Graph& graph) {
  ByteSum inputs, outputs;
  for (const ir::GraphInput& input : graph.inputs())
    if (input.value) inputs.add(bytesAtBound(*input.value));
  for (const ir::Argument& output : graph.outputs())
    if (const auto* value = std::get_if<ir::Value*>(&output); value && *value) outputs.add(bytesAtBound(**value));
  nlohmann::json largest;
  int64_t most = 0;
  for (const auto& node : graph.nodes()) {
    for (const ir::Value* result : node->outputs()) {
      if (!result) continue;
      const std::optional<int64_t> bytes = bytesAtBound(*result);
      if (bytes && *bytes > most) largest = {{"value", result->name()}, {"bytes", most = *bytes}};
    }
  }
  return {{"inputs", inputs.json()}, {"outputs", outputs.json()}, {"largest", std::move(largest)}};
}

pt2::SizeBounds boundsIn(const std::string& source, const pt2::SizeBounds& bounds, const Context& context) {
  if (bounds.empty()) return {};
  const auto known = ir::symbolsOf(*pt2::readProgram(source, context).graph);
  pt2::SizeBounds own;
  for (const auto& [symbol, bound] : bounds) {
    if (known.contains(symbol)) own.emplace(symbol, bound);
  }
  return own;
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
