// What torch.save wrote: a zip inside the archive, of a pickle (`data.pkl`) and the storages it refers to (`data/KEY`).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pt2/archive.h"
#include "pt2/pickle.h"
#include "pt2/strided_bytes.h"

namespace exportdeck::pt2 {

// A tensor as an archive stores it: a view of one record, checked against nothing yet.
struct StoredTensor {
  std::shared_ptr<const Archive> archive;
  std::string record;
  ir::DType dtype = ir::DType::Float32;
  StridedView view;
  bool isParameter = false;
};

class SavedObject {
 public:
  // Throws ArchiveInvalid: a damaged zip or pickle, big-endian storages, a pickle that calls anything but what rebuilds
  // tensors, a deflated zip of more than `inflatedLimit` bytes.
  SavedObject(const Archive& archive, const std::string& entry, uint64_t inflatedLimit);

  const PickleValue& root() const { return *root_; }  // lives as long as the SavedObject
  // Where a tensor of the pickle lies. Throws ArchiveInvalid, naming `what`, where its shape is impossible or its
  // storage is missing or of another size than the pickle says; WeightsTooShort where it reaches past its storage.
  StoredTensor locate(const PickleTensor& tensor, std::string_view what) const;

 private:
  std::shared_ptr<const Archive> archive_;
  std::string pickle_;
  std::unique_ptr<Unpickler> unpickler_;
  const PickleValue* root_ = nullptr;
};

}  // namespace exportdeck::pt2
