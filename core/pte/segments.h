// What follows the FlatBuffer in a program: constants, delegate blobs and named data, each content once.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph.h"
#include "pte/content_set.h"
#include "pte/external_data.h"
#include "pte/storage.h"
#include "pte/writer.h"

namespace exportdeck::pte {

// A stretch of the file after the FlatBuffer; offsets count from the first segment. Between pieces lie zeros.
struct Piece {
  uint64_t offset = 0;
  SourcePtr source;
};

struct Segment {
  uint64_t offset = 0, size = 0;
};

class Segments {
 public:
  // Collects what the instructions and outputs of all methods refer to and gives it places; what can lie in another
  // file goes to `external` where that is given.
  Segments(const std::vector<Storage>& methods, const WriteOptions& options, ExternalData* external,
           const Context& context);

  // Tensor.data_buffer_idx of a constant; counted from 1.
  uint32_t constantIndex(const ir::Constant& constant) const;
  // The key of a tensor that is a constant or a view of one in the other file; null where it lies in this one.
  const std::string* externalKey(const ir::Value* value) const;
  // Offsets in the constant segment by that index; [0] stands for tensors that are not constant.
  const std::vector<uint64_t>& constantOffsets() const { return constantOffsets_; }
  // The same of what a state begins with: in the segment of mutable data, 0 where it has no elements.
  uint32_t initialIndex(const ir::Constant& initial) const;
  const std::vector<uint64_t>& initialOffsets() const { return initialOffsets_; }
  uint32_t initialSegment() const { return initialSegment_; }  // where there are more offsets than one
  uint32_t segmentOf(const ir::DelegateBlob& blob) const;
  // The constant segment is first where there are constants.
  const std::vector<Segment>& segments() const { return segments_; }
  const std::vector<std::pair<std::string, uint32_t>>& namedData() const { return namedData_; }

  const std::vector<Piece>& pieces() const { return pieces_; }
  uint64_t bytes() const;  // from the first segment to the end of the last
  uint64_t constantBytes() const { return constantBytes_; }
  uint64_t initialBytes() const { return initialBytes_; }
  bool startsAtZero(const ir::Constant& initial) const;
  uint64_t delegateBytes() const { return delegateBytes_; }
  uint64_t namedDataBytes() const { return namedDataBytes_; }

 private:
  void collectConstants(const std::vector<Storage>& methods, const Context& context);
  void collectConstant(const ir::Value* value, const Storage& storage);
  void keepInside(const std::vector<Storage>& methods);
  void addConstant(const ir::Constant& constant);
  void collectInitial(const std::vector<Storage>& methods, const Context& context);
  void collectBlobs(const std::vector<Storage>& methods, const Context& context);
  void addNamed(const ir::NamedData& named);
  uint32_t place(size_t content);
  void endWithLargestGap();

  uint64_t alignment_;
  ExternalData* external_;
  std::unordered_map<const ir::Value*, std::string> externalKeys_;
  std::unordered_set<const ir::Constant*> inside_;  // read by a delegate
  ContentSet contents_;
  std::vector<Piece> pieces_;  // the constants', the states', then one for each of ownSegments_
  std::vector<Segment> segments_;
  std::vector<uint32_t> ownSegments_;  // of one piece each, in the order of the file
  std::vector<uint64_t> constantOffsets_{0};
  std::vector<uint64_t> initialOffsets_{0};
  std::unordered_map<const ir::Constant*, uint32_t> constantIndices_, initialIndices_;
  std::unordered_map<size_t, uint32_t> constantOfContent_, segmentOfContent_;
  std::unordered_map<const ir::DelegateBlob*, uint32_t> blobSegments_;
  std::unordered_map<std::string, size_t> contentOfKey_;
  std::vector<std::pair<std::string, uint32_t>> namedData_;
  uint32_t initialSegment_ = 0, zeroIndex_ = 0;
  uint64_t end_ = 0, constantBytes_ = 0, initialBytes_ = 0, delegateBytes_ = 0, namedDataBytes_ = 0;
};

}  // namespace exportdeck::pte
