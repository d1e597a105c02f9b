// Instructions of the one chain, with the operators and delegates that they call.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/graph.h"
#include "ops/schema.h"
#include "program_generated.h"
#include "pte/segments.h"
#include "pte/value_table.h"

namespace exportdeck::pte {

class Emitter {
 public:
  Emitter(flatbuffers::FlatBufferBuilder& builder, ValueTable& values, const Storage& storage, const Segments& segments)
      : builder_(builder), values_(values), storage_(storage), segments_(segments) {}

  // A kernel call, a delegate call, or a view that has to be copied. Anything else is Code::Fault, and so is a kernel
  // that writes into what is no state and no input.
  void emit(const ir::Node& node);

  flatbuffers::Offset<executorch_flatbuffer::Chain> finishChain();
  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<executorch_flatbuffer::Operator>>> finishOperators();
  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<executorch_flatbuffer::BackendDelegate>>>
  finishDelegates();
  int instructionCount() const { return static_cast<int>(instructions_.size()); }
  std::vector<std::string> kernelNames() const;  // sorted

 private:
  void emitKernel(const ir::Node& node, const ops::KernelInfo& kernel);
  void emitDelegate(const ir::Node& node);
  int operatorIndex(const ops::KernelInfo& kernel);

  flatbuffers::FlatBufferBuilder& builder_;
  ValueTable& values_;
  const Storage& storage_;
  const Segments& segments_;
  std::vector<flatbuffers::Offset<executorch_flatbuffer::Instruction>> instructions_;
  std::vector<const ops::KernelInfo*> operators_;
  std::unordered_map<const ops::KernelInfo*, int> operatorIndices_;
  std::vector<const ir::DelegateBlob*> delegates_;
};

}  // namespace exportdeck::pte
