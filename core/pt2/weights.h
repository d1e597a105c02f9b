// The archive's tensors: configurations that say where each lies, and constants made from them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ir/graph.h"
#include "pt2/strided_bytes.h"
#include "pt2/tensor_meta.h"

namespace exportdeck::pt2 {

class Weights {
 public:
  // `model`: the program's name in the archive. A missing configuration counts as empty.
  Weights(std::shared_ptr<const Archive> archive, const std::string& model);

  // The tensor `fqn` as a dense, row-major constant. The bytes stay in the file; equal ranges of one record are one
  // ByteSource object. Throws WeightsMissing, WeightsTooShort, DtypeUnsupported, ShapeUnsupported, GraphInvalid.
  ir::ConstantPtr constant(const std::string& fqn);

  // Elements and bytes of all parameters, each range of a record counted once.
  uint64_t parameterCount() const { return parameterCount_; }
  uint64_t parameterBytes() const { return parameterBytes_; }

 private:
  struct Payload {
    json::Element meta;
    std::string_view folder;  // of its record
  };
  void addConfiguration(const std::string& entry, std::string_view folder);
  void countParameters();
  std::shared_ptr<const ByteSource> bytes(const std::string& fqn, const std::string& record, const StridedView& view);

  std::shared_ptr<const Archive> archive_;
  std::string configurations_;  // names, for messages
  std::vector<std::unique_ptr<json::Document>> documents_;
  std::unordered_map<std::string_view, Payload> payloads_;
  std::unordered_map<std::string, std::shared_ptr<const ByteSource>> shared_;  // by record and view
  uint64_t parameterCount_ = 0, parameterBytes_ = 0;
};

}  // namespace exportdeck::pt2
