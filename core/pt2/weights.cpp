#include "pt2/weights.h"

#include <unordered_set>

#include "base/diagnostic.h"
#include "base/text.h"
#include "pt2/printable.h"

namespace exportdeck::pt2 {

namespace {

constexpr std::string_view kWeightsFolder = "data/weights/";
constexpr std::string_view kConstantsFolder = "data/constants/";
// What a torch.save part holds beside its tensors: the pickle, headers, alignment.
constexpr uint64_t kPartOverhead = 64u << 20;

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

void refuseSubclass(const std::string& fqn, json::Object fields, std::string_view folder) {
  const auto pickled = json::find(fields, "use_pickle");
  if (!pickled || !json::boolean(*pickled, fqn)) return;
  throw ExportError(
      Code::DtypeUnsupported,
      concat("the weight ", fqn, " is a tensor subclass that the archive stores as Python objects (", folder,
             json::string(json::at(fields, "path_name"), fqn), ")"),
      {"turn tensor subclasses into plain tensors with torchao.utils.unwrap_tensor_subclass(model) before "
       "torch.export.export",
       "quantise with the PT2E flow, whose weights are plain tensors"});
}

std::string viewKey(std::string_view record, const StridedView& view) {
  std::string key = concat(record, "@", static_cast<uint64_t>(view.offset) * view.elementSize, "+", view.bytes());
  if (!view.isRowMajor())
    key += concat("/", view.elementSize, "/", join(view.sizes, ","), "/", join(view.strides, ","));
  return key;
}

ir::Memory memoryOf(std::string record, const StridedView& view) {
  const uint64_t begin = static_cast<uint64_t>(view.offset) * view.elementSize;
  return {std::move(record), begin, view.isEmpty() ? begin : view.extent().value_or(begin), view.isRowMajor()};
}

}  // namespace

Weights::Weights(std::shared_ptr<const Archive> archive, const Layout& layout, uint64_t declaredBytes)
    : archive_(std::move(archive)), sources_(concat(layout.weights, " nor ", layout.constants)) {
  if (layout.isPickled) {
    addPart(layout.weights, declaredBytes + kPartOverhead);
    addPart(layout.constants, declaredBytes + kPartOverhead);
  } else {
    addConfiguration(layout.weights, kWeightsFolder);
    addConfiguration(layout.constants, kConstantsFolder);
  }
  countParameters();
}

void Weights::addConfiguration(const std::string& entry, std::string_view folder) {
  if (archive_->find(entry) == nullptr) return;
  documents_.push_back(std::make_unique<json::Document>(*archive_, entry));
  for (const auto field : json::object(json::at(documents_.back()->root(), "config"), entry)) {
    payloads_.emplace(field.key, Payload{field.value, folder});
  }
}

void Weights::addPart(const std::string& entry, uint64_t inflatedLimit) {
  const Archive::Entry* found = archive_->find(entry);
  if (found == nullptr || found->size == 0) return;  // torch before 2.8 writes nothing where there is nothing
  parts_.push_back(std::make_unique<SavedObject>(*archive_, entry, inflatedLimit));
  const auto* dict = std::get_if<PickleDict>(&parts_.back()->root().data);
  if (dict == nullptr) {
    throw ExportError(Code::ArchiveInvalid, concat(archive_->path(), ": ", entry, " is no dict of tensors"),
                      {"export the model again with torch.export.save"});
  }
  for (const auto& [key, value] : dict->items) {
    if (const auto* fqn = std::get_if<std::string>(&key->data))
      payloads_.insert_or_assign(*fqn, Payload{{}, {}, parts_.back().get(), value});
  }
}

bool Weights::isParameter(std::string_view fqn, const Payload& payload) const {
  if (payload.part) {
    const auto* tensor = std::get_if<PickleTensor>(&payload.value->data);
    return tensor != nullptr && tensor->isParameter;
  }
  const json::Object fields = json::object(payload.meta, fqn);
  const auto flag = json::find(fields, "is_param");
  return flag && json::boolean(*flag, fqn) && json::find(fields, "tensor_meta").has_value();
}

void Weights::countParameters() {
  std::unordered_set<std::string> counted;
  for (const auto& [fqn, payload] : payloads_) {
    if (!isParameter(fqn, payload)) continue;
    const auto& [archive, record, dtype, view, isOne] = locate(std::string(fqn), payload);
    if (!counted.insert(viewKey(record, view)).second) continue;
    parameterCount_ += view.bytes() / view.elementSize;
    parameterBytes_ += view.bytes();
  }
}

StoredTensor Weights::locate(const std::string& fqn, const Payload& payload) const {
  if (payload.part) {
    const auto* tensor = std::get_if<PickleTensor>(&payload.value->data);
    if (tensor != nullptr) return payload.part->locate(*tensor, concat("the weight ", printable(fqn)));
    throw ExportError(Code::DtypeUnsupported, concat("the archive holds no tensor for ", printable(fqn)),
                      {"keep TorchBind and other custom objects out of the exported module"});
  }
  const json::Object fields = json::object(payload.meta, fqn);
  const TensorMeta meta = readTensorMeta(json::at(fields, "tensor_meta"), {}, concat("weight ", fqn));
  return {archive_, concat(payload.folder, json::string(json::at(fields, "path_name"), fqn)), meta.type.dtype,
          viewOf(meta, fqn)};
}

ir::ConstantPtr Weights::constant(const std::string& fqn) {
  const auto it = payloads_.find(fqn);
  if (it == payloads_.end()) {
    throw ExportError(Code::WeightsMissing,
                      concat("the archive holds no data for ", fqn, ": neither ", sources_, " lists it"),
                      {"export the model again with torch.export.save"});
  }
  if (!it->second.part) refuseSubclass(fqn, json::object(it->second.meta, fqn), it->second.folder);
  const StoredTensor stored = locate(fqn, it->second);
  auto& source = shared_[viewKey(concat(stored.archive->path(), "/", stored.record), stored.view)];
  if (!source) source = bytes(fqn, stored);
  auto constant = std::make_shared<ir::Constant>();
  constant->name = fqn;
  constant->type = ir::TensorType(stored.dtype, stored.view.sizes);
  constant->data = source;
  constant->memory = memoryOf(concat(stored.archive->path(), "/", stored.record), stored.view);
  return constant;
}

std::shared_ptr<const ByteSource> Weights::bytes(const std::string& fqn, const StoredTensor& stored) {
  const auto& [archive, record, dtype, view, isOne] = stored;
  const Archive::Entry* entry = archive->find(record);
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
  auto all = archive->bytes(record);
  const uint64_t start = static_cast<uint64_t>(view.offset) * view.elementSize;
  if (view.isRowMajor()) {
    if (start == 0 && *extent == entry->size) return all;
    if (const auto range = all->fileRange()) return bytesInFile({range->file, range->offset + start, view.bytes()});
  }
  return gathered(std::move(all), view);
}

}  // namespace exportdeck::pt2
