#include "pte/program_checker.h"

#include "base/text.h"
#include "pte/scalar_type.h"

namespace exportdeck::pte {

namespace fb = executorch_flatbuffer;

namespace {

constexpr uint32_t kMostDimensions = 16;  // TensorImpl of the runtime
constexpr uint32_t kLongestName = 256;    // the runtime takes operators of less than 100 characters

uint64_t arenaOffset(const fb::AllocationDetails& place) {
  return uint64_t{place.memory_offset_low()} | uint64_t{place.memory_offset_high()} << 32;
}

bool isExternal(const fb::Tensor& tensor) {
  const auto* extra = tensor.extra_tensor_info();
  return extra != nullptr && extra->location() == fb::TensorDataLocation_EXTERNAL;
}

template <typename T>
uint64_t sizeOf(const flatbuffers::Vector<T>* vector) {
  return vector != nullptr ? vector->size() : 0;
}

}  // namespace

void ProgramChecker::require(bool holds, const std::string& what) const {
  if (!holds) refuseProgram(file_.path(), where_.empty() ? what : concat(where_, ": ", what));
}

void ProgramChecker::checkIndex(int64_t index, uint64_t count, const char* what) {
  if (index < 0 || static_cast<uint64_t>(index) >= count)
    require(false, concat("refers to ", what, ' ', index, " of ", count));
}

// Lists may lie in each other in a hostile file; in a whole one each item has bytes of its own.
void ProgramChecker::checkIndices(const flatbuffers::Vector<int32_t>* indices, const char* what) {
  require(indices != nullptr, concat("its ", what, " are missing"));
  items_ += indices->size();
  require(items_ <= file_.program.size(), "lists overlap");
  for (const int32_t index : *indices) checkIndex(index, values_, "value");
}

void ProgramChecker::check() {
  checkSegments();
  where_.clear();
  require(program_.version() == 0, concat("its version is ", program_.version(), ", and only 0 is known"));
  require(sizeOf(program_.execution_plan()) > 0, "it has no methods");
  for (const auto* plan : *program_.execution_plan()) {
    require(plan != nullptr && plan->name() != nullptr, "a method has no name");
    checkPlan(*plan);
    where_.clear();
  }
}

void ProgramChecker::checkSegments() {
  const auto* segments = program_.segments();
  for (uint32_t i = 0; i < sizeOf(segments); ++i) {
    const auto* segment = segments->Get(i);
    require(segment != nullptr, "a segment is missing");
    require(
        segment->offset() <= file_.segmentBytes && segment->size() <= file_.segmentBytes - segment->offset(),
        concat("segment ", i, " has ", segment->size(), " bytes at ", segment->offset(), ", and the segments end at ",
               file_.segmentBytes, " (file byte ", file_.segmentBase + file_.segmentBytes, ")"));
  }
  if (const auto* constants = program_.constant_segment(); constants != nullptr && sizeOf(constants->offsets()) > 1) {
    where_ = "the constants";
    checkIndex(constants->segment_index(), sizeOf(segments), "segment");
  }
  for (uint32_t i = 0; i < sizeOf(program_.mutable_data_segments()); ++i) {
    const auto* mutables = program_.mutable_data_segments()->Get(i);
    where_ = "the initial state";
    require(mutables != nullptr, "its list is missing");
    checkIndex(mutables->segment_index(), sizeOf(segments), "segment");
  }
  for (uint32_t i = 0; i < sizeOf(program_.named_data()); ++i) {
    const auto* named = program_.named_data()->Get(i);
    where_ = concat("named data ", i);
    require(named != nullptr && named->key() != nullptr, "has no key");
    require(named->key()->size() <= kLongestName, "its key is overlong");
    checkIndex(named->segment_index(), sizeOf(segments), "segment");
  }
}

void ProgramChecker::checkPlan(const fb::ExecutionPlan& plan) {
  require(plan.name()->size() <= kLongestName, "a method's name is overlong");
  const std::string method = concat("method ", plan.name()->str());
  where_ = method;
  require(plan.values() != nullptr && plan.chains() != nullptr && plan.operators() != nullptr &&
              plan.delegates() != nullptr && plan.non_const_buffer_sizes() != nullptr,
          "one of its lists is missing");
  values_ = plan.values()->size();
  for (const int64_t bytes : *plan.non_const_buffer_sizes()) require(bytes >= 0, "an arena has a negative size");
  for (uint32_t i = 0; i < plan.values()->size(); ++i) {
    where_ = concat("value ", i, " of ", method);
    checkValue(plan, i);
  }
  where_ = method;
  checkIndices(plan.inputs(), "inputs");
  checkIndices(plan.outputs(), "outputs");
  for (uint32_t i = 0; i < plan.operators()->size(); ++i) {
    const auto* op = plan.operators()->Get(i);
    require(op != nullptr && op->name() != nullptr, concat("operator ", i, " has no name"));
    require(op->name()->size() + (op->overload() != nullptr ? op->overload()->size() : 0) <= kLongestName,
            concat("the name of operator ", i, " is overlong"));
  }
  for (uint32_t i = 0; i < plan.delegates()->size(); ++i) {
    const auto* delegate = plan.delegates()->Get(i);
    where_ = concat("delegate ", i, " of ", method);
    require(delegate != nullptr && delegate->id() != nullptr && delegate->processed() != nullptr,
            "has no id or no blob");
    require(delegate->id()->size() <= kLongestName, "its id is overlong");
    const bool inSegment = delegate->processed()->location() == fb::DataLocation_SEGMENT;
    checkIndex(delegate->processed()->index(),
               inSegment ? sizeOf(program_.segments()) : sizeOf(program_.backend_delegate_data()),
               inSegment ? "segment" : "inline blob");
    if (!inSegment) {
      const auto* blob = program_.backend_delegate_data()->Get(delegate->processed()->index());
      require(blob != nullptr && blob->data() != nullptr, "its blob is missing");
    }
  }
  where_ = method;
  checkInstructions(plan);
}

void ProgramChecker::checkValue(const fb::ExecutionPlan& plan, uint32_t index) {
  const auto* value = plan.values()->Get(index);
  require(value != nullptr, "is missing");
  const auto type = value->val_type();
  require(type != fb::KernelTypes_NONE && type <= fb::KernelTypes_MAX,
          concat("has the unknown kind ", static_cast<int>(type)));
  require(type == fb::KernelTypes_Null || value->val() != nullptr, "has no content");
  if (const auto* tensor = value->val_as_Tensor()) checkTensor(plan, *tensor);
  if (const auto* list = value->val_as_IntList()) {
    require(list->items() != nullptr, "has no items");
    items_ += list->items()->size();
    require(items_ <= file_.program.size(), "lists overlap");
    for (const int64_t item : *list->items()) checkIndex(item, values_, "value");
  }
  if (const auto* list = value->val_as_TensorList()) {
    checkIndices(list->items(), "items");
    for (const int32_t item : *list->items()) {
      const auto* element = plan.values()->Get(static_cast<uint32_t>(item));
      require(element != nullptr && element->val_type() == fb::KernelTypes_Tensor,
              concat("its item ", item, " is no tensor"));
    }
  }
  if (const auto* list = value->val_as_OptionalTensorList()) {
    require(list->items() != nullptr, "has no items");
    items_ += list->items()->size();
    require(items_ <= file_.program.size(), "lists overlap");
    for (const int32_t item : *list->items()) {
      if (item != -1) checkIndex(item, values_, "value");
    }
  }
}

void ProgramChecker::checkTensor(const fb::ExecutionPlan& plan, const fb::Tensor& tensor) {
  const auto dtype = dtypeOfScalarType(static_cast<int8_t>(tensor.scalar_type()));
  require(dtype.has_value(), concat("has the unknown dtype ", static_cast<int>(tensor.scalar_type())));
  require(tensor.sizes() != nullptr && tensor.dim_order() != nullptr, "has no sizes or no dim order");
  const uint32_t rank = tensor.sizes()->size();
  require(rank <= kMostDimensions, concat("has ", rank, " dimensions, and 16 is the most"));
  require(tensor.dim_order()->size() == rank,
          concat("has ", rank, " sizes and a dim order of ", tensor.dim_order()->size()));
  uint32_t seen = 0;
  for (const uint8_t dim : *tensor.dim_order()) {
    require(dim < rank && (seen & 1U << dim) == 0, "its dim order is no permutation");
    seen |= 1U << dim;
  }
  uint64_t bytes = ir::sizeOf(*dtype);
  for (const int32_t size : *tensor.sizes()) {
    require(size >= 0, concat("has the size ", size));
    require(!__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes), "its bytes overflow");
  }
  checkPlace(plan, tensor, bytes);
}

void ProgramChecker::checkPlace(const fb::ExecutionPlan& plan, const fb::Tensor& tensor, uint64_t bytes) {
  const auto* place = tensor.allocation_info();
  if (place != nullptr) {
    const auto* arenas = plan.non_const_buffer_sizes();
    require(place->memory_id() >= 1, "lies in memory 0, which is reserved");
    checkIndex(place->memory_id(), arenas->size(), "memory");
    const auto arena = static_cast<uint64_t>(arenas->Get(place->memory_id()));
    const uint64_t offset = arenaOffset(*place);
    require(offset <= arena && bytes <= arena - offset,
            concat("has ", bytes, " bytes at ", offset, " of memory ", place->memory_id(), ", which has ", arena));
  }
  if (isExternal(tensor)) {
    const auto* name = tensor.extra_tensor_info()->fully_qualified_name();
    require(name != nullptr && name->size() > 0, "lies in another file and has no name");
    return;
  }
  const uint32_t index = tensor.data_buffer_idx();
  if (index == 0) return;
  if (place == nullptr) {
    checkConstant(index, bytes, program_.constant_segment(), "constant");
  } else {
    const auto* mutables = program_.mutable_data_segments();
    checkConstant(index, bytes, sizeOf(mutables) > 0 ? mutables->Get(0) : nullptr, "initial state");
  }
}

void ProgramChecker::checkConstant(uint32_t index, uint64_t bytes, const fb::SubsegmentOffsets* offsets,
                                   const char* what) {
  if (offsets == nullptr || sizeOf(offsets->offsets()) == 0) {
    checkIndex(index, sizeOf(program_.constant_buffer()), what);
    const auto* buffer = program_.constant_buffer()->Get(index);
    require(buffer != nullptr && sizeOf(buffer->storage()) >= bytes,
            concat("needs ", bytes, " bytes, and its constant has fewer"));
    return;
  }
  checkIndex(index, offsets->offsets()->size(), what);
  const uint64_t offset = offsets->offsets()->Get(index);
  const uint64_t size = program_.segments()->Get(offsets->segment_index())->size();
  require(offset <= size && bytes <= size - offset, concat("needs ", bytes, " bytes at ", offset, " of segment ",
                                                           offsets->segment_index(), ", which has ", size));
}

void ProgramChecker::checkInstructions(const fb::ExecutionPlan& plan) {
  const std::string method = where_;
  for (const auto* chain : *plan.chains()) {
    require(chain != nullptr && chain->instructions() != nullptr, "a chain has no instructions");
    items_ += chain->instructions()->size();
    require(items_ <= file_.program.size(), "lists overlap");
    for (uint32_t i = 0; i < chain->instructions()->size(); ++i) {
      where_ = concat("instruction ", i, " of ", method);
      const auto* instruction = chain->instructions()->Get(i);
      require(instruction != nullptr && instruction->instr_args() != nullptr, "is missing");
      if (const auto* kernel = instruction->instr_args_as_KernelCall()) {
        checkIndex(kernel->op_index(), plan.operators()->size(), "operator");
        checkIndices(kernel->args(), "arguments");
      } else if (const auto* delegate = instruction->instr_args_as_DelegateCall()) {
        checkIndex(delegate->delegate_index(), plan.delegates()->size(), "delegate");
        checkIndices(delegate->args(), "arguments");
      } else if (const auto* move = instruction->instr_args_as_MoveCall()) {
        checkIndex(move->move_from(), values_, "value");
        checkIndex(move->move_to(), values_, "value");
      } else if (const auto* jump = instruction->instr_args_as_JumpFalseCall()) {
        checkIndex(jump->cond_value_index(), values_, "value");
        checkIndex(jump->destination_instruction(), uint64_t{chain->instructions()->size()} + 1, "instruction");
      } else if (const auto* release = instruction->instr_args_as_FreeCall()) {
        checkIndex(release->value_index(), values_, "value");
      } else {
        require(false, concat("has the unknown kind ", static_cast<int>(instruction->instr_args_type())));
      }
    }
    where_ = method;
  }
}

uint64_t ProgramChecker::constantBytes() const {
  const auto* constants = program_.constant_segment();
  if (constants != nullptr && sizeOf(constants->offsets()) > 0) {
    return sizeOf(constants->offsets()) > 1 ? program_.segments()->Get(constants->segment_index())->size() : 0;
  }
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < sizeOf(program_.constant_buffer()); ++i) {
    const auto* buffer = program_.constant_buffer()->Get(i);
    bytes += buffer != nullptr ? sizeOf(buffer->storage()) : 0;
  }
  return bytes;
}

BlobPlace ProgramChecker::blobOf(const fb::BackendDelegate& delegate) const {
  const auto* reference = delegate.processed();
  if (reference->location() == fb::DataLocation_SEGMENT) {
    const auto* segment = program_.segments()->Get(reference->index());
    return {true, file_.segmentBase + segment->offset(), segment->size(), nullptr};
  }
  const auto* data = program_.backend_delegate_data()->Get(reference->index())->data();
  return {false, 0, data->size(), reinterpret_cast<const std::byte*>(data->data())};
}

BlobPlace ProgramChecker::initialPlace(const fb::Tensor& tensor) const {
  uint64_t bytes = ir::sizeOf(*dtypeOfScalarType(static_cast<int8_t>(tensor.scalar_type())));
  for (const int32_t size : *tensor.sizes()) bytes *= static_cast<uint64_t>(size);
  const auto* mutables = program_.mutable_data_segments();
  if (sizeOf(mutables) == 0 || sizeOf(mutables->Get(0)->offsets()) == 0) {
    const auto* buffer = program_.constant_buffer()->Get(tensor.data_buffer_idx())->storage();
    return {false, 0, bytes, reinterpret_cast<const std::byte*>(buffer->data())};
  }
  const auto* segment = program_.segments()->Get(mutables->Get(0)->segment_index());
  return {true, file_.segmentBase + segment->offset() + mutables->Get(0)->offsets()->Get(tensor.data_buffer_idx()),
          bytes, nullptr};
}

TensorInfo ProgramChecker::describeTensor(const fb::Tensor& tensor) const {
  TensorInfo info;
  info.dtype = ir::info(*dtypeOfScalarType(static_cast<int8_t>(tensor.scalar_type()))).torch;
  info.sizes.assign(tensor.sizes()->begin(), tensor.sizes()->end());
  info.dimOrder.assign(tensor.dim_order()->begin(), tensor.dim_order()->end());
  const auto* place = tensor.allocation_info();
  const bool hasData = tensor.data_buffer_idx() > 0;
  if (isExternal(tensor)) {
    info.place = "external";
  } else if (place != nullptr) {
    info.place = hasData ? "mutable" : "planned";
    info.offset = arenaOffset(*place);
  } else if (hasData) {
    info.place = "constant";
    const auto* constants = program_.constant_segment();
    if (constants != nullptr && sizeOf(constants->offsets()) > 0)
      info.offset = constants->offsets()->Get(tensor.data_buffer_idx());
  } else {
    info.place = "caller";
  }
  return info;
}

}  // namespace exportdeck::pte
