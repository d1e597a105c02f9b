#include "pt2/torch_save.h"

#include <algorithm>
#include <stdexcept>

#include "base/diagnostic.h"
#include "base/text.h"
#include "pt2/printable.h"

namespace exportdeck::pt2 {

namespace {

constexpr uint64_t kPickleLimit = 64u << 20;
constexpr const char* kSaveAgain = "export the model again with torch.export.save of torch 2.9 or later";

[[noreturn]] void invalid(const Archive& archive, std::string_view what) {
  throw ExportError(Code::ArchiveInvalid, concat(archive.path(), ": ", what), {kSaveAgain});
}

// Sizes come from a file: the product of every subset of them must be a number before anything multiplies them.
bool hasPossibleShape(const StridedView& view) {
  int64_t bytes = static_cast<int64_t>(view.elementSize);
  return view.sizes.size() == view.strides.size() &&
         std::all_of(view.sizes.begin(), view.sizes.end(), [&](int64_t size) {
           return size >= 0 && !__builtin_mul_overflow(bytes, std::max<int64_t>(size, 1), &bytes);
         });
}

}  // namespace

SavedObject::SavedObject(const Archive& archive, const std::string& entry, uint64_t inflatedLimit)
    : archive_(archive.openNested(entry, inflatedLimit)) {
  if (archive_->find("byteorder") != nullptr) {
    if (const auto order = printable(trim(archive_->text("byteorder", 16))); order != "little") {
      throw ExportError(Code::ArchiveFormat, concat(archive_->path(), " stores its tensors with byte order ", order),
                        {"save it on a little-endian machine"});
    }
  }
  pickle_ = archive_->text("data.pkl", kPickleLimit);
  unpickler_ = std::make_unique<Unpickler>(std::as_bytes(std::span(pickle_)));
  try {
    root_ = &unpickler_->load();
  } catch (const PickleForbidden& error) {
    throw ExportError(Code::ArchiveInvalid, concat(archive_->path(), ": ", error.what()),
                      {"store plain tensors only: turn tensor subclasses into plain ones with "
                       "torchao.utils.unwrap_tensor_subclass(model) before torch.export.export",
                       kSaveAgain});
  } catch (const std::runtime_error& error) {
    invalid(*archive_, error.what());
  }
}

StoredTensor SavedObject::locate(const PickleTensor& tensor, std::string_view what) const {
  const auto& storage = tensor.storage;
  StoredTensor stored{archive_,
                      concat("data/", storage.key),
                      tensor.dtype,
                      {ir::sizeOf(tensor.dtype), tensor.sizes, tensor.strides, tensor.offset},
                      tensor.isParameter};
  const std::string record = printable(stored.record);
  if (!hasPossibleShape(stored.view)) invalid(*archive_, concat(what, " has an impossible shape"));
  const auto extent = stored.view.extent();
  if (!extent) invalid(*archive_, concat(what, " has a negative or too large stride or offset"));
  const Archive::Entry* entry = archive_->find(stored.record);
  if (entry == nullptr) invalid(*archive_, concat("entry ", record, ", which holds ", what, ", is missing"));
  if (storage.count < 0 || entry->size / ir::sizeOf(storage.dtype) != static_cast<uint64_t>(storage.count)) {
    invalid(*archive_, concat("entry ", record, ", which holds ", what, ", has ", entry->size, " bytes where ",
                              storage.count, " elements of ", ir::sizeOf(storage.dtype), " bytes should be"));
  }
  if (*extent > entry->size) {
    throw ExportError(Code::WeightsTooShort,
                      concat(archive_->path(), ": ", what, " of shape [", join(stored.view.sizes, ", "), "] needs ",
                             *extent, " bytes of ", record, ", which holds ", entry->size),
                      {"check that the file was downloaded or copied completely", kSaveAgain});
  }
  return stored;
}

}  // namespace exportdeck::pt2
