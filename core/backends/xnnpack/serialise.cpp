#include "backends/xnnpack/serialise.h"

#include <cstring>
#include <map>

#include "backends/xnnpack/serialise_node.h"

namespace exportdeck::backends::xnnpack {

namespace fb = fb_xnnpack;

namespace {

constexpr uint32_t kHeaderSize = 32;  // 30 bytes, padded
constexpr uint32_t kDebugHandle = 65535;
constexpr uint32_t kFlagInput = 1, kFlagOutput = 2;

fb::XNNDatatype datatypeOfIntegers(const TensorValue& value) {
  if (std::holds_alternative<DynamicScale>(value.quantisation)) return fb::XNNDatatype_xnn_datatype_qdint8;
  if (std::holds_alternative<GroupScales>(value.quantisation)) return fb::XNNDatatype_xnn_datatype_qbint4;
  const auto* channels = std::get_if<ChannelScales>(&value.quantisation);
  if (channels && channels->bits == 4) return fb::XNNDatatype_xnn_datatype_qcint4;
  const bool perChannel = channels != nullptr;
  if (value.dtype == ir::DType::Int8)
    return perChannel ? fb::XNNDatatype_xnn_datatype_qcint8 : fb::XNNDatatype_xnn_datatype_qint8;
  check(value.dtype == ir::DType::Int32 && perChannel, "an XNNPACK value has integers of another type");
  return fb::XNNDatatype_xnn_datatype_qcint32;
}

fb::XNNDatatype datatype(const TensorValue& value) {
  if (!std::holds_alternative<std::monostate>(value.quantisation)) return datatypeOfIntegers(value);
  const ir::DType dtype = value.dtype;
  if (dtype == ir::DType::Float32) return fb::XNNDatatype_xnn_datatype_fp32;
  check(dtype == ir::DType::Float16, "a value of the XNNPACK subgraph is neither float32 nor float16");
  return fb::XNNDatatype_xnn_datatype_fp16;
}

class Serialiser {
 public:
  explicit Serialiser(const Subgraph& subgraph) : subgraph_(subgraph) {}

  ir::DelegateBlob run() {
    // Entry 0 stands for "not constant" and is never read.
    constants_.push_back(fb::CreateConstantDataOffset(builder_));
    std::vector<flatbuffers::Offset<fb::XValue>> values;
    for (size_t i = 0; i < subgraph_.values.size(); ++i) values.push_back(value(static_cast<ValueId>(i)));
    std::vector<flatbuffers::Offset<fb::XNode>> nodes;
    for (const Node& node : subgraph_.nodes) nodes.push_back(this->node(node));
    builder_.Finish(fb::CreateXNNGraphDirect(builder_, "0", &nodes, &values,
                                             static_cast<uint32_t>(inputs_.size() + outputs_.size()), &inputs_,
                                             &outputs_, &constants_),
                    fb::XNNGraphIdentifier());
    ir::DelegateBlob blob;
    blob.backendId = "XnnpackBackend";
    blob.processed = withHeader();
    blob.namedData = std::move(namedData_);
    return blob;
  }

 private:
  flatbuffers::Offset<fb::XValue> value(ValueId id) {
    const TensorValue& value = subgraph_.values[id];
    const std::vector<uint32_t> dims = largest(value.dims);
    const uint32_t flags = (value.isInput ? kFlagInput : 0) | (value.isOutput ? kFlagOutput : 0);
    const uint32_t constant = value.data ? constantIndex(*value.data) : 0;
    if (value.isInput) inputs_.push_back(id);
    if (value.isOutput) outputs_.push_back(id);
    const auto tensor = fb::CreateXNNTensorValue(builder_, datatype(value), static_cast<uint32_t>(dims.size()),
                                                 shared(dims), constant, value.externalId, flags, id);
    if (std::holds_alternative<std::monostate>(value.quantisation))
      return fb::CreateXValue(builder_, fb::XValueUnion_XNNTensorValue, tensor.Union());
    const auto [kind, parameters] = quantisation(value.quantisation);
    const auto quantised = fb::CreateXNNQuantizedTensorValue(builder_, tensor, kind, parameters);
    return fb::CreateXValue(builder_, fb::XValueUnion_XNNQuantizedTensorValue, quantised.Union());
  }

  std::pair<fb::XNNQuantParams, flatbuffers::Offset<void>> quantisation(const Quantisation& given) {
    if (const auto* tensor = std::get_if<TensorScale>(&given)) {
      return {fb::XNNQuantParams_PerTensorQuant,
              fb::CreatePerTensorQuant(builder_, tensor->scale, tensor->zeroPoint).Union()};
    }
    if (const auto* dynamic = std::get_if<DynamicScale>(&given)) {
      return {fb::XNNQuantParams_PerTokenDynamicQuant,
              fb::CreatePerTokenDynamicQuant(builder_, static_cast<int32_t>(dynamic->dims)).Union()};
    }
    // The runtime reads the length of the list of scales, which is empty where they are named data.
    const std::vector<float> none;
    if (const auto* groups = std::get_if<GroupScales>(&given)) {
      return {fb::XNNQuantParams_PerChannelGroupQuant,
              fb::CreatePerChannelGroupQuantDirect(builder_, &none, 0, static_cast<int32_t>(groups->group),
                                                   scalesIndex(*groups->scales), groups->count)
                  .Union()};
    }
    const auto& channels = std::get<ChannelScales>(given);
    return {fb::XNNQuantParams_PerChannelQuant,
            fb::CreatePerChannelQuantDirect(builder_, &none, static_cast<int32_t>(channels.axis),
                                            scalesIndex(*channels.scales), channels.count)
                .Union()};
  }

  uint32_t scalesIndex(const StaticData& scales) {
    const auto [known, isNew] = scales_.try_emplace(scales.key, 0);
    if (isNew) known->second = constantIndex(scales);
    return known->second;
  }

  // Values of one shape share it.
  flatbuffers::Offset<flatbuffers::Vector<uint32_t>> shared(const std::vector<uint32_t>& dims) {
    const auto [known, isNew] = shapes_.try_emplace(dims);
    if (isNew) known->second = builder_.CreateVector(dims);
    return known->second;
  }

  uint32_t constantIndex(const StaticData& data) {
    constants_.push_back(fb::CreateConstantDataOffsetDirect(builder_, std::numeric_limits<uint64_t>::max(),
                                                            data.bytes->size(), data.key.c_str()));
    namedData_.push_back({data.key, data.bytes});
    return static_cast<uint32_t>(constants_.size() - 1);
  }

  flatbuffers::Offset<fb::XNode> node(const Node& node) {
    const auto operation = serialiseNode(builder_, node);
    flatbuffers::Offset<fb::OutputMinMax> range = 0;
    if (node.range.bounded()) range = fb::CreateOutputMinMax(builder_, node.range.min, node.range.max);
    return fb::CreateXNode(builder_, static_cast<fb::XNodeUnion>(node.kind), operation, kDebugHandle, range);
  }

  // "XH00" header, the FlatBuffer, and a constant region of no bytes, which needs no alignment: static values are named
  // data.
  Bytes withHeader() const {
    const uint32_t size = builder_.GetSize();
    Bytes out(kHeaderSize + size, std::byte{0});
    const uint16_t headerLength = 30;
    const uint32_t constantOffset = kHeaderSize + size;
    std::memcpy(out.data() + 4, "XH00", 4);
    std::memcpy(out.data() + 8, &headerLength, sizeof headerLength);
    std::memcpy(out.data() + 10, &kHeaderSize, sizeof kHeaderSize);
    std::memcpy(out.data() + 14, &size, sizeof size);
    std::memcpy(out.data() + 18, &constantOffset, sizeof constantOffset);
    std::memcpy(out.data() + kHeaderSize, builder_.GetBufferPointer(), size);
    return out;
  }

  const Subgraph& subgraph_;
  flatbuffers::FlatBufferBuilder builder_;
  std::map<std::vector<uint32_t>, flatbuffers::Offset<flatbuffers::Vector<uint32_t>>> shapes_;
  std::vector<flatbuffers::Offset<fb::ConstantDataOffset>> constants_;
  std::map<std::string, uint32_t> scales_;  // places in constants_
  std::vector<uint32_t> inputs_, outputs_;
  std::vector<ir::NamedData> namedData_;
};

}  // namespace

ir::DelegateBlob serialise(const Subgraph& subgraph) {
  return Serialiser(subgraph).run();
}

}  // namespace exportdeck::backends::xnnpack
