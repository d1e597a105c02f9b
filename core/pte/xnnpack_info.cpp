#include "pte/xnnpack_info.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "base/text.h"
#include "schema_generated.h"

namespace exportdeck::pte {

namespace {

constexpr uint64_t kHeaderBytes = 30;

bool holds(const Bytes& bytes, size_t at, std::string_view text) {
  return bytes.size() >= at + text.size() && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

std::string nodeKind(const fb_xnnpack::XNode& node) {
  std::string_view name = fb_xnnpack::EnumNameXNodeUnion(node.xnode_union_type());
  if (name.empty()) return concat("unknown ", static_cast<int>(node.xnode_union_type()));
  if (name.starts_with("XNN")) name.remove_prefix(3);
  return std::string(name);
}

// Shapes of a graph's values by their ids. Sizes saturate: a damaged blob may state any number.
class Shapes {
 public:
  explicit Shapes(const fb_xnnpack::XNNGraph& graph) {
    if (graph.xvalues() == nullptr) return;
    for (const auto* value : *graph.xvalues()) {
      if (value == nullptr) continue;
      const auto* tensor = value->xvalue_union_as_XNNTensorValue();
      const auto* quantised = value->xvalue_union_as_XNNQuantizedTensorValue();
      if (quantised != nullptr) tensor = quantised->tensor_value();
      if (tensor != nullptr) dims_[tensor->id_out()] = tensor->dims();
    }
  }
  uint64_t elements(uint32_t id) const {
    uint64_t product = 1;
    if (const auto* dims = find(id)) {
      for (const uint32_t size : *dims) product = times(product, size);
    }
    return product;
  }
  uint64_t last(uint32_t id) const {
    const auto* dims = find(id);
    return dims == nullptr || dims->size() == 0 ? 1 : dims->Get(dims->size() - 1);
  }
  static uint64_t times(uint64_t a, uint64_t b) {
    uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
  }

 private:
  const flatbuffers::Vector<uint32_t>* find(uint32_t id) const {
    const auto found = dims_.find(id);
    return found == dims_.end() ? nullptr : found->second;
  }
  std::unordered_map<uint32_t, const flatbuffers::Vector<uint32_t>*> dims_;
};

uint64_t windowWork(const fb_xnnpack::_XNNNodeConv& node, uint32_t spread, uint32_t channels, const Shapes& shapes) {
  const uint64_t window = Shapes::times(node.kernel_height(), node.kernel_width());
  return Shapes::times(shapes.elements(spread), Shapes::times(window, channels));
}

uint64_t workOf(const fb_xnnpack::XNode& node, const Shapes& shapes) {
  const auto convolution = [&](const fb_xnnpack::_XNNNodeConv& conv) {
    return windowWork(conv, conv.output_id(), conv.group_input_channels(), shapes);
  };
  if (const auto* conv = node.xnode_union_as_XNNConv2d()) return convolution(*conv);
  if (const auto* conv = node.xnode_union_as_XNNDepthwiseConv2d()) return convolution(*conv);
  if (const auto* conv = node.xnode_union_as_XNNConvTranspose2d()) {
    return windowWork(*conv, conv->input1_id(), conv->group_output_channels(), shapes);
  }
  if (const auto* linear = node.xnode_union_as_XNNFullyConnected()) {
    const uint64_t features = std::max<uint64_t>(shapes.last(linear->output_id()), 1);
    return Shapes::times(shapes.elements(linear->output_id()), shapes.elements(linear->filter_id()) / features);
  }
  if (const auto* product = node.xnode_union_as_XNNBatchMatrixMultiply()) {
    return Shapes::times(shapes.elements(product->output_id()), shapes.last(product->input1_id()));
  }
  return 0;
}

XnnpackInfo problem(std::string what) {
  XnnpackInfo info;
  info.problem = std::move(what);
  return info;
}

}  // namespace

XnnpackInfo describeXnnpackBlob(uint64_t size, const BlobReader& read) {
  const Bytes start = read(0, std::min(size, kHeaderBytes));
  uint64_t offset = 0, length = size;
  if (holds(start, 4, "XH00")) {
    if (start.size() < kHeaderBytes)
      return problem(concat("it ends at byte ", size, ", inside its header of 30 bytes"));
    uint32_t headerOffset = 0, headerLength = 0;
    std::memcpy(&headerOffset, start.data() + 10, sizeof headerOffset);
    std::memcpy(&headerLength, start.data() + 14, sizeof headerLength);
    offset = headerOffset;
    length = headerLength;
    if (offset > size || length > size - offset) {
      return problem(
          concat("its header (byte 10) puts ", length, " bytes at byte ", offset, ", and it ends at byte ", size));
    }
  }
  const Bytes bytes = read(offset, length);
  if (!holds(bytes, 4, "XN01") && !holds(bytes, 4, "XN00")) {
    return problem(concat("the text XN01 or XN00 was expected at its byte ", offset + 4));
  }
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  flatbuffers::Verifier verifier(data, bytes.size(), /*max_depth=*/64,
                                 /*max_tables=*/static_cast<uint32_t>(bytes.size() / 4 + 1));
  if (!verifier.VerifyBuffer<fb_xnnpack::XNNGraph>(nullptr))
    return problem(concat("its FlatBuffer at byte ", offset, " is damaged"));

  XnnpackInfo info;
  const auto& graph = *flatbuffers::GetRoot<fb_xnnpack::XNNGraph>(data);
  const auto* nodes = graph.xnodes();
  if (nodes == nullptr) return problem("it has no list of nodes");
  const Shapes shapes(graph);
  for (const auto* node : *nodes) {
    if (node == nullptr) return problem("a node is missing");
    info.nodes.push_back(nodeKind(*node));
    const uint64_t work = workOf(*node, shapes);
    info.multiplyAdds = info.multiplyAdds > UINT64_MAX - work ? UINT64_MAX : info.multiplyAdds + work;
  }
  if (graph.constant_data() != nullptr) {
    for (const auto* constant : *graph.constant_data()) {
      if (constant != nullptr && constant->named_key() != nullptr && constant->named_key()->size() > 0)
        info.keys.push_back(constant->named_key()->str());
    }
  }
  return info;
}

}  // namespace exportdeck::pte
