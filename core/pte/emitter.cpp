#include "pte/emitter.h"

#include <algorithm>

#include "base/text.h"
#include "pte/arguments.h"

namespace exportdeck::pte {

namespace fb = executorch_flatbuffer;

namespace {

// Indices of the kernel's arguments in schema order, results included, and then of what it returns: the runtime hands a
// kernel one slot more than its schema has arguments.
std::vector<int32_t> kernelArguments(const ir::Node& node, const ops::KernelInfo& kernel, ValueTable& values) {
  std::vector<int> outs;
  for (const ir::Value* value : node.outputs())
    outs.push_back(values.of(kernel.schema->isInPlace ? node.value(0) : value));
  std::vector<int32_t> indices;
  size_t given = 0, out = 0;
  bool outsInList = false;
  for (const ops::ArgSchema& argument : kernel.schema->args) {
    if (std::find(kernel.outNames.begin(), kernel.outNames.end(), argument.name) == kernel.outNames.end()) {
      check(given < node.argCount(), concat("the call of ", node.op(), " has no argument ", argument.name));
      indices.push_back(argumentIndex(node, given++, argument, values));
    } else if (argument.kind == ops::ArgKind::TensorList) {
      outsInList = true;
      out = outs.size();
      indices.push_back(values.tensorList(outs));
    } else {
      check(out < outs.size(), concat("the call of ", node.op(), " has no result for ", argument.name));
      indices.push_back(outs[out++]);
    }
  }
  check(given == node.argCount(),
        concat("the call of ", node.op(), " has ", node.argCount(), " arguments instead of ", given));
  if (kernel.outNames.empty()) {
    check(outs.size() == 1, concat("the kernel ", node.op(), " returns one value"));
    indices.push_back(outs[0]);
    return indices;
  }
  check(out == outs.size(), concat("the call of ", node.op(), " has more results than its kernel"));
  indices.push_back(outs.size() == 1 && !outsInList ? outs[0] : values.tensorList(outs));
  return indices;
}

}  // namespace

void Emitter::emit(const ir::Node& node) {
  if (node.is(ir::kDelegateOp)) return emitDelegate(node);
  const char* view = storage_.isSharedView(node) ? "executorch_prim.et_view.default" : "aten.view_copy.out";
  const ops::KernelInfo* kernel = ops::kernelFor(node.is(kViewOp) ? view : node.op());
  const bool isCall =
      kernel != nullptr && kernel->schema != nullptr && (node.is(kViewOp) || kernel->schema->name == node.op());
  check(isCall, concat("the node ", node.op(), " is no kernel call, so it cannot be written"));
  if (kernel->schema->isInPlace) {
    const ir::Value* written = storage_.base(node.value(0));
    check(written->isState() || written->isInput(),
          concat("the kernel ", node.op(), " writes into ", written->name(), ", which is no state and no input"));
  }
  emitKernel(node, *kernel);
}

void Emitter::emitKernel(const ir::Node& node, const ops::KernelInfo& kernel) {
  const auto arguments = builder_.CreateVector(kernelArguments(node, kernel, values_));
  const auto call = fb::CreateKernelCall(builder_, operatorIndex(kernel), arguments);
  instructions_.push_back(fb::CreateInstruction(builder_, fb::InstructionArguments_KernelCall, call.Union()));
}

void Emitter::emitDelegate(const ir::Node& node) {
  check(node.blob != nullptr, "a delegate call has its blob");
  std::vector<int32_t> indices;
  for (const ir::Value* value : node.operands()) indices.push_back(values_.of(value));
  for (const ir::Value* value : node.outputs()) indices.push_back(values_.of(value));
  const auto arguments = builder_.CreateVector(indices);
  const auto call = fb::CreateDelegateCall(builder_, static_cast<int32_t>(delegates_.size()), arguments);
  delegates_.push_back(node.blob.get());
  instructions_.push_back(fb::CreateInstruction(builder_, fb::InstructionArguments_DelegateCall, call.Union()));
}

int Emitter::operatorIndex(const ops::KernelInfo& kernel) {
  const auto [known, isNew] = operatorIndices_.emplace(&kernel, static_cast<int>(operators_.size()));
  if (isNew) operators_.push_back(&kernel);
  return known->second;
}

flatbuffers::Offset<fb::Chain> Emitter::finishChain() {
  // The runtime reads neither list of a chain, but they must be there.
  const auto inputs = builder_.CreateVector(std::vector<int32_t>());
  const auto outputs = builder_.CreateVector(std::vector<int32_t>());
  return fb::CreateChain(builder_, inputs, outputs, builder_.CreateVector(instructions_));
}

flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<fb::Operator>>> Emitter::finishOperators() {
  std::vector<flatbuffers::Offset<fb::Operator>> operators;
  for (const ops::KernelInfo* kernel : operators_) {
    const auto name = builder_.CreateString(kernel->name);
    const auto overload = builder_.CreateString(kernel->overload);
    operators.push_back(fb::CreateOperator(builder_, name, overload));
  }
  return builder_.CreateVector(operators);
}

flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<fb::BackendDelegate>>> Emitter::finishDelegates() {
  std::vector<flatbuffers::Offset<fb::BackendDelegate>> delegates;
  for (const ir::DelegateBlob* blob : delegates_) {
    const auto id = builder_.CreateString(blob->backendId);
    const auto processed =
        fb::CreateBackendDelegateDataReference(builder_, fb::DataLocation_SEGMENT, segments_.segmentOf(*blob));
    const auto specs = builder_.CreateVector(std::vector<flatbuffers::Offset<fb::CompileSpec>>());
    delegates.push_back(fb::CreateBackendDelegate(builder_, id, processed, specs));
  }
  return builder_.CreateVector(delegates);
}

std::vector<std::string> Emitter::kernelNames() const {
  std::vector<std::string> names;
  for (const ops::KernelInfo* kernel : operators_) {
    names.push_back(kernel->overload.empty() ? kernel->name : concat(kernel->name, '.', kernel->overload));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace exportdeck::pte
