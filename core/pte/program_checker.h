// The FlatBuffers verifier proves structure, not meaning: this checks every index, offset and size that a reader
// follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "program_generated.h"
#include "pte/program_file.h"
#include "pte/reader.h"

namespace exportdeck::pte {

// Where a delegate's blob lies: in the file, or inside the FlatBuffer.
struct BlobPlace {
  bool inFile = true;
  uint64_t offset = 0, size = 0;    // offset: in the file
  const std::byte* data = nullptr;  // inside the FlatBuffer
};

class ProgramChecker {
 public:
  ProgramChecker(const ProgramFile& file, const executorch_flatbuffer::Program& program)
      : file_(file), program_(program) {}

  // Throws ProgramInvalid with what refers to what is not there.
  void check();

  // Only after check().
  uint64_t constantBytes() const;
  BlobPlace blobOf(const executorch_flatbuffer::BackendDelegate& delegate) const;
  // What a tensor begins with whose place is "mutable".
  BlobPlace initialPlace(const executorch_flatbuffer::Tensor& tensor) const;
  TensorInfo describeTensor(const executorch_flatbuffer::Tensor& tensor) const;

 private:
  void checkSegments();
  void checkPlan(const executorch_flatbuffer::ExecutionPlan& plan);
  void checkValue(const executorch_flatbuffer::ExecutionPlan& plan, uint32_t index);
  void checkTensor(const executorch_flatbuffer::ExecutionPlan& plan, const executorch_flatbuffer::Tensor& tensor);
  void checkPlace(const executorch_flatbuffer::ExecutionPlan& plan, const executorch_flatbuffer::Tensor& tensor,
                  uint64_t bytes);
  void checkConstant(uint32_t index, uint64_t bytes, const executorch_flatbuffer::SubsegmentOffsets* offsets,
                     const char* what);
  void checkInstructions(const executorch_flatbuffer::ExecutionPlan& plan);
  void checkIndices(const flatbuffers::Vector<int32_t>* indices, const char* what);
  void checkIndex(int64_t index, uint64_t count, const char* what);
  void require(bool holds, const std::string& what) const;

  const ProgramFile& file_;
  const executorch_flatbuffer::Program& program_;
  std::string where_;    // for messages: "value 3 of method forward"
  uint64_t values_ = 0;  // of the method at hand
  uint64_t items_ = 0;   // read from lists so far
};

}  // namespace exportdeck::pte
