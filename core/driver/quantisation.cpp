#include "driver/quantisation.h"

#include <algorithm>
#include <array>
#include <map>

namespace exportdeck::driver {

namespace {

constexpr const char *kLinear = "quantize", *kEmbedding = "quantize_embeddings";

// The choices of resources/backends/common.json.
constexpr std::array<std::pair<std::string_view, passes::Quantisation::Linear>, 5> kLinears = {{
    {"none", passes::Quantisation::Linear::Keep},
    {"fp16_weights", passes::Quantisation::Linear::Half},
    {"int8_weights", passes::Quantisation::Linear::Int8},
    {"int8_dynamic", passes::Quantisation::Linear::DynamicInt8},
    {"int4_dynamic", passes::Quantisation::Linear::DynamicInt4},
}};
constexpr std::array<std::pair<std::string_view, passes::Quantisation::Embedding>, 4> kEmbeddings = {{
    {"none", passes::Quantisation::Embedding::Keep},
    {"fp16", passes::Quantisation::Embedding::Half},
    {"int8", passes::Quantisation::Embedding::Int8},
    {"int4", passes::Quantisation::Embedding::Int4},
}};

template <typename Table>
auto meaningOf(const Table& table, const std::string& word) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.first == word; });
  check(found != table.end(), "the catalogue names a way to quantise that does not exist");
  return found->second;
}

}  // namespace

std::optional<passes::Quantisation> quantisationOf(const options::OptionSet& options) {
  passes::Quantisation out;
  out.linear = meaningOf(kLinears, options.string(kLinear));
  out.embedding = meaningOf(kEmbeddings, options.string(kEmbedding));
  out.group = options.integer("quantize_group");
  out.only = options.list("quantize_only");
  out.except = options.list("quantize_except");
  const bool keepsAll =
      out.linear == passes::Quantisation::Linear::Keep && out.embedding == passes::Quantisation::Embedding::Keep;
  return keepsAll ? std::nullopt : std::optional(std::move(out));
}

options::OptionSet withoutQuantisation(options::OptionSet options) {
  for (const char* key : {kLinear, kEmbedding}) options.reset(key);
  return options;
}

nlohmann::json quantisationToJson(const std::vector<passes::QuantisedWeight>& weights) {
  nlohmann::json list = nlohmann::json::array();
  std::map<std::string, std::pair<uint64_t, uint64_t>> bytes;  // by weight; of two forms the larger
  uint64_t quantised = 0, before = 0, after = 0;
  for (const passes::QuantisedWeight& entry : weights) {
    nlohmann::json row = {{"weight", entry.weight},
                          {"module", entry.module},
                          {"op", entry.op},
                          {"form", entry.form.empty() ? nlohmann::json() : nlohmann::json(entry.form)},
                          {"bytes_before", entry.bytesBefore},
                          {"bytes_after", entry.bytesAfter}};
    if (!entry.reason.empty()) row["reason"] = entry.reason;
    list.push_back(std::move(row));
    quantised += entry.form.empty() ? 0 : 1;
    auto& known = bytes[entry.weight];
    known = {entry.bytesBefore, std::max(known.second, entry.bytesAfter)};
  }
  for (const auto& [weight, sizes] : bytes) {
    before += sizes.first;
    after += sizes.second;
  }
  return {{"weights", std::move(list)},
          {"quantised", quantised},
          {"kept", weights.size() - quantised},
          {"bytes_before", before},
          {"bytes_after", after}};
}

}  // namespace exportdeck::driver
