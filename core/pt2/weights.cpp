#include "pt2/weights.h"

#include <unordered_set>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck::pt2 {

namespace {

constexpr std::string_view kWeightsFolder = "data/weights/";
constexpr std::string_view kConstantsFolder = "data/constants/";

StridedView viewOf(const TensorMeta& meta, const std::string& fqn) {
  if (!meta.type.isStatic()) {
    throw ExportError(Code::ShapeUnsupported, concat("the weight ", fqn, " has a symbolic size"),
                      {"export the model with static weights"});
  }
  StridedView view;
  view.elementSize = ir::sizeOf(meta.type.dtype);
  view.sizes = meta.type.sizes();
  for (const auto& stride : meta.strides) view.strides.push_back(stride.value());
  view.offset = meta.storageOffset.value();
  return view;
}

std::string viewKey(std::string_view record, const StridedView& view) {
  std::string key = concat(record, "@", static_cast<uint64_t>(view.offset) * view.elementSize, "+", view.bytes());
  if (!view.isRowMajor())
    key += concat("/", view.elementSize, "/", join(view.sizes, ","), "/", join(view.strides, ","));
  return key;
}

}  // namespace

Weights::Weights(std::shared_ptr<const Archive> archive, const std::string& model) : archive_(std::move(archive)) {
  addConfiguration(concat(kWeightsFolder, model, "_weights_config.json"), kWeightsFolder);
  addConfiguration(concat(kConstantsFolder, model, "_constants_config.json"), kConstantsFolder);
  countParameters();
}

void Weights::addConfiguration(const std::string& entry, std::string_view folder) {
  configurations_ += concat(configurations_.empty() ? "" : " and ", entry);
  if (archive_->find(entry) == nullptr) return;
  documents_.push_back(std::make_unique<json::Document>(*archive_, entry));
  for (const auto field : json::object(json::at(documents_.back()->root(), "config"), entry)) {
    payloads_.emplace(field.key, Payload{field.value, folder});
  }
}

void Weights::countParameters() {
  std::unordered_set<std::string> counted;
  for (const auto& [fqn, payload] : payloads_) {
    const json::Object fields = json::object(payload.meta, fqn);
    const auto isParameter = json::find(fields, "is_param");
    const auto meta = json::find(fields, "tensor_meta");
    if (!isParameter || !json::boolean(*isParameter, fqn) || !meta) continue;
    const TensorMeta tensor = readTensorMeta(*meta, {}, concat("weight ", fqn));
    const auto view = viewOf(tensor, std::string(fqn));
    const auto record = json::string(json::at(fields, "path_name"), fqn);
    if (!counted.insert(viewKey(record, view)).second) continue;
    parameterCount_ += view.bytes() / view.elementSize;
    parameterBytes_ += view.bytes();
  }
}

ir::ConstantPtr Weights::constant(const std::string& fqn) {
  const auto it = payloads_.find(fqn);
  if (it == payloads_.end()) {
    throw ExportError(Code::WeightsMissing,
                      concat("the archive holds no data for ", fqn, ": neither ", configurations_, " lists it"),
                      {"export the model again with torch.export.save"});
  }
  const json::Object fields = json::object(it->second.meta, fqn);
  const std::string record = concat(it->second.folder, json::string(json::at(fields, "path_name"), fqn));
  if (const auto pickled = json::find(fields, "use_pickle"); pickled && json::boolean(*pickled, fqn)) {
    throw ExportError(
        Code::DtypeUnsupported,
        concat("the weight ", fqn, " is a tensor subclass that the archive stores as Python objects (", record, ")"),
        {"turn tensor subclasses into plain tensors with torchao.utils.unwrap_tensor_subclass(model) before "
         "torch.export.export",
         "quantise with the PT2E flow, whose weights are plain tensors"});
  }
  const TensorMeta meta = readTensorMeta(json::at(fields, "tensor_meta"), {}, concat("weight ", fqn));
  const StridedView view = viewOf(meta, fqn);
  const auto key = viewKey(record, view);
  auto& source = shared_[key];
  if (!source) source = bytes(fqn, record, view);
  auto constant = std::make_shared<ir::Constant>();
  constant->name = fqn;
  constant->type = ir::TensorType(meta.type.dtype, view.sizes);
  constant->data = source;
  return constant;
}

std::shared_ptr<const ByteSource> Weights::bytes(const std::string& fqn, const std::string& record,
                                                 const StridedView& view) {
  const Archive::Entry* entry = archive_->find(record);
  if (entry == nullptr) {
    throw ExportError(Code::WeightsMissing,
                      concat("the archive has no entry ", record, ", which holds the weight ", fqn),
                      {"export the model again with torch.export.save"});
  }
  const auto extent = view.extent();
  if (!extent) json::malformed(concat("weight ", fqn), "has a negative or too large stride or offset");
  if (*extent > entry->size) {
    const char* hint = entry->size == 0 ? "; it was exported with fake tensors, which have no data" : "";
    throw ExportError(Code::WeightsTooShort,
                      concat("the weight ", fqn, " of shape [", join(view.sizes, ", "), "] needs ", *extent,
                             " bytes of ", record, ", which holds ", entry->size, hint),
                      {"export the model again with real weights and torch.export.save"});
  }
  if (view.isEmpty()) return bytesInMemory({});
  auto all = archive_->bytes(record);
  const uint64_t start = static_cast<uint64_t>(view.offset) * view.elementSize;
  if (view.isRowMajor()) {
    if (start == 0 && *extent == entry->size) return all;
    if (const auto range = all->fileRange()) return bytesInFile({range->file, range->offset + start, view.bytes()});
  }
  return gathered(std::move(all), view);
}

}  // namespace exportdeck::pt2
