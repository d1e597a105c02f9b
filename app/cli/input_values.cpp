#include "cli/input_values.h"

#include <algorithm>

#include "pt2/archive.h"
#include "pt2/reader.h"

namespace exportdeck::cli {

namespace {

using runtime::HostValue;

// Operators that index their first argument, without overload, and where the dimension stands: a position among the
// arguments, or one of the two below.
constexpr int kFirstDimension = -1, kAnyDimension = -2;
constexpr std::pair<std::string_view, int> kIndexed[] = {
    {"aten.embedding", kFirstDimension},
    {"aten.embedding_bag", kFirstDimension},
    {"aten.index_select", 1},
    {"aten.gather", 1},
    {"aten.scatter", 1},
    {"aten.scatter_add", 1},
    {"aten.index", kAnyDimension},
    {"aten.index_put", kAnyDimension},
    {"aten.index_copy", 1},
    {"aten.index_add", 1},
    {"aten.index_fill", 1},
};

std::string_view withoutOverload(std::string_view op) {
  return op.substr(0, op.rfind('.'));
}

int64_t leastSize(const ir::Node& node, int where) {
  if (!node.hasValue(0) || !node.value(0)->isTensor()) return kFreeIndexLimit;
  const ir::TensorType& table = node.value(0)->type();
  const int64_t dimension = where < 0 ? 0 : ir::wrapDim(node.intArg(static_cast<size_t>(where)), table.rank());
  int64_t least = kFreeIndexLimit;
  for (size_t i = 0; i < table.rank(); ++i) {
    const bool chosen = where == kAnyDimension || dimension == static_cast<int64_t>(i);
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
  int64_t least = kFreeIndexLimit;
  for (const auto& node : graph.nodes()) {
    const std::string_view op = withoutOverload(node->op());
    const auto found = std::ranges::find(kIndexed, op, [](const auto& indexed) { return indexed.first; });
    if (found != std::end(kIndexed)) least = std::min(least, leastSize(*node, found->second));
  }
  return std::max<int64_t>(least, 1);
}

std::optional<std::vector<HostValue>> sampleInputs(const std::string& archive,
                                                   const std::vector<runtime::SlotInfo>& slots) {
  const pt2::SampleInputs samples = pt2::readSampleInputs(*pt2::Archive::open(archive));
  if (samples.tensors.size() != slots.size()) return std::nullopt;
  std::vector<HostValue> values;
  for (size_t i = 0; i < slots.size(); ++i) {
    std::optional<HostValue> value =
        samples.tensors[i] ? hostTensor(*samples.tensors[i]) : hostScalar(samples.fixed[i]);
    if (!value || !fits(*value, slots[i])) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return values;
}

}  // namespace exportdeck::cli
