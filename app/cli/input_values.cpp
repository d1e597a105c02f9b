#include "cli/input_values.h"

#include <algorithm>

#include "pt2/archive.h"
#include "pt2/reader.h"

namespace exportdeck::cli {

namespace {

using runtime::HostValue;

// Which argument of an operator is indexed, and in which dimension; dimension -1: any of them.
struct Indexed {
  const char* op;
  size_t table;
  int dimension;
  int dimensionArgument;  // where the dimension is an argument, its position; else -1
};
constexpr Indexed kIndexed[] = {
    {"aten.embedding.default", 0, 0, -1},    {"aten.embedding_bag.padding_idx", 0, 0, -1},
    {"aten.index_select.default", 0, 0, 1},  {"aten.gather.default", 0, 0, 1},
    {"aten.scatter.src", 0, 0, 1},           {"aten.scatter.value", 0, 0, 1},
    {"aten.scatter_add.default", 0, 0, 1},   {"aten.index.Tensor", 0, -1, -1},
    {"aten.index_put.default", 0, -1, -1},   {"aten.index_copy.default", 0, 0, 1},
    {"aten.index_add.default", 0, 0, 1},
};

int64_t leastSize(const ir::Node& node, const Indexed& indexed) {
  if (!node.hasValue(indexed.table) || !node.value(indexed.table)->isTensor()) return kDefaultIndexLimit;
  const ir::TensorType& table = node.value(indexed.table)->type();
  int64_t least = kDefaultIndexLimit;
  const int64_t dimension =
      indexed.dimensionArgument < 0 ? indexed.dimension : node.intArg(static_cast<size_t>(indexed.dimensionArgument));
  for (size_t i = 0; i < table.rank(); ++i) {
    const bool chosen = indexed.dimension < 0 || ir::wrapDim(dimension, table.rank()) == static_cast<int64_t>(i);
    if (chosen && table.shape[i].isStatic()) least = std::min(least, table.shape[i].value());
  }
  return least;
}

HostValue hostTensor(const ir::Constant& constant) {
  return runtime::HostTensor{ir::info(constant.type.dtype).torch, constant.type.sizes(), constant.data->materialise()};
}

std::optional<HostValue> hostScalar(const ir::Argument& argument) {
  if (std::holds_alternative<ir::None>(argument)) return HostValue(std::monostate());
  if (const auto* value = std::get_if<bool>(&argument)) return HostValue(*value);
  if (const auto* value = std::get_if<int64_t>(&argument)) return HostValue(*value);
  if (const auto* value = std::get_if<double>(&argument)) return HostValue(*value);
  if (const auto* value = std::get_if<std::string>(&argument)) return HostValue(*value);
  return std::nullopt;
}

bool fits(const HostValue& value, const runtime::SlotInfo& slot) {
  const auto* tensor = std::get_if<runtime::HostTensor>(&value);
  if (tensor == nullptr) return slot.kind != "tensor";
  return slot.kind == "tensor" && tensor->dtype == slot.dtype && tensor->sizes.size() == slot.sizes.size();
}

}  // namespace

int64_t indexLimit(const ir::Graph& graph) {
  int64_t least = kDefaultIndexLimit;
  for (const auto& node : graph.nodes()) {
    const auto found = std::ranges::find_if(kIndexed, [&](const Indexed& indexed) { return node->is(indexed.op); });
    if (found != std::end(kIndexed)) least = std::min(least, leastSize(*node, *found));
  }
  return std::max<int64_t>(least, 1);
}

std::optional<std::vector<HostValue>> sampleInputs(const std::string& archive, const std::vector<runtime::SlotInfo>& slots) {
  const pt2::SampleInputs samples = pt2::readSampleInputs(*pt2::Archive::open(archive));
  if (samples.tensors.size() != slots.size()) return std::nullopt;
  std::vector<HostValue> values;
  for (size_t i = 0; i < slots.size(); ++i) {
    std::optional<HostValue> value = samples.tensors[i] ? hostTensor(*samples.tensors[i]) : hostScalar(samples.fixed[i]);
    if (!value || !fits(*value, slots[i])) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return values;
}

}  // namespace exportdeck::cli
