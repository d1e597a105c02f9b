// The archive's tensors: where each lies, and constants made from them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ir/graph.h"
#include "pt2/layout.h"
#include "pt2/tensor_meta.h"
#include "pt2/torch_save.h"

namespace exportdeck::pt2 {

class Weights {
 public:
  // A missing configuration or torch.save part counts as empty. `declaredBytes`: what the program's weights and
  // constants need, which bounds what a deflated part may inflate to. Throws ArchiveInvalid, ArchiveFormat,
  // GraphInvalid.
  Weights(std::shared_ptr<const Archive> archive, const Layout& layout, uint64_t declaredBytes);

  // The tensor `fqn` as a dense, row-major constant. The bytes stay in the file; equal ranges of one record are one
  // ByteSource object. Throws WeightsMissing, WeightsTooShort, ArchiveInvalid, DtypeUnsupported, ShapeUnsupported,
  // GraphInvalid.
  ir::ConstantPtr constant(const std::string& fqn);

  // Elements and bytes of all parameters, each range of a record counted once.
  uint64_t parameterCount() const { return parameterCount_; }
  uint64_t parameterBytes() const { return parameterBytes_; }

 private:
  struct Payload {  // of a configuration, or of a torch.save part
    json::Element meta;
    std::string_view folder;  // of its record
    const SavedObject* part = nullptr;
    const PickleValue* value = nullptr;
  };
  void addConfiguration(const std::string& entry, std::string_view folder);
  void addPart(const std::string& entry, uint64_t inflatedLimit);
  void countParameters();
  bool isParameter(std::string_view fqn, const Payload& payload) const;
  StoredTensor locate(const std::string& fqn, const Payload& payload) const;
  std::shared_ptr<const ByteSource> bytes(const std::string& fqn, const StoredTensor& stored);

  std::shared_ptr<const Archive> archive_;
  std::string sources_;  // names of the configurations or parts, for messages
  std::vector<std::unique_ptr<json::Document>> documents_;
  std::vector<std::unique_ptr<SavedObject>> parts_;
  std::unordered_map<std::string_view, Payload> payloads_;
  std::unordered_map<std::string, std::shared_ptr<const ByteSource>> shared_;  // by record and view
  uint64_t parameterCount_ = 0, parameterBytes_ = 0;
};

}  // namespace exportdeck::pt2
