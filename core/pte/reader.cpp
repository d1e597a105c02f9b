#include "pte/reader.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "program_generated.h"
#include "pte/program_checker.h"
#include "pte/program_file.h"
#include "pte/xnnpack_info.h"

namespace exportdeck::pte {

namespace fb = executorch_flatbuffer;

namespace {

std::string operatorText(const fb::Operator& op) {
  const std::string overload = op.overload() != nullptr ? op.overload()->str() : std::string();
  return overload.empty() ? op.name()->str() : concat(op.name()->str(), '.', overload);
}

// Describes what the checker has found to be whole.
class Describer {
 public:
  Describer(const ProgramFile& file, const fb::Program& program, const ProgramChecker& checker)
      : file_(file), program_(program), checker_(checker) {}

  ProgramInfo describe() {
    ProgramInfo info;
    info.fileBytes = file_.file->size();
    info.programBytes = file_.program.size();
    info.constantBytes = checker_.constantBytes();
    info.segments = program_.segments() != nullptr ? program_.segments()->size() : 0;
    for (const auto* plan : *program_.execution_plan()) info.methods.push_back(describeMethod(*plan));
    if (program_.named_data() != nullptr) {
      for (const auto* named : *program_.named_data()) info.namedData.push_back(named->key()->str());
    }
    for (const auto& [place, blob] : described_) needed_.insert(blob.keys.begin(), blob.keys.end());
    for (const std::string& name : info.namedData) needed_.erase(name);
    info.external.assign(needed_.begin(), needed_.end());
    return info;
  }

 private:
  MethodInfo describeMethod(const fb::ExecutionPlan& plan) {
    MethodInfo method;
    method.name = plan.name()->str();
    for (const int32_t index : *plan.inputs()) addTensor(method.inputs, plan, index);
    for (const int32_t index : *plan.outputs()) addTensor(method.outputs, plan, index);
    for (const auto* value : *plan.values()) {
      addState(method, *value);
      addExternal(*value);
    }
    for (const auto* op : *plan.operators()) method.operators.push_back(operatorText(*op));
    for (const auto* delegate : *plan.delegates()) method.delegates.push_back(describeDelegate(*delegate));
    for (const auto* chain : *plan.chains()) {
      for (const auto* instruction : *chain->instructions())
        method.instructions.push_back(describeInstruction(*instruction, method));
    }
    for (flatbuffers::uoffset_t i = 1; i < plan.non_const_buffer_sizes()->size(); ++i) {
      method.arenaBytes.push_back(static_cast<uint64_t>(plan.non_const_buffer_sizes()->Get(i)));
    }
    return method;
  }

  void addTensor(std::vector<TensorInfo>& list, const fb::ExecutionPlan& plan, int32_t index) {
    const auto* value = plan.values()->Get(static_cast<flatbuffers::uoffset_t>(index));
    if (const auto* tensor = value->val_as_Tensor()) list.push_back(checker_.describeTensor(*tensor));
  }

  void addExternal(const fb::EValue& value) {
    const auto* tensor = value.val_as_Tensor();
    if (tensor != nullptr && checker_.describeTensor(*tensor).place == "external")
      needed_.insert(tensor->extra_tensor_info()->fully_qualified_name()->str());
  }

  void addState(MethodInfo& method, const fb::EValue& value) {
    const auto* tensor = value.val_as_Tensor();
    if (tensor == nullptr || tensor->allocation_info() == nullptr || tensor->data_buffer_idx() == 0) return;
    StateInfo state;
    state.tensor = checker_.describeTensor(*tensor);
    if (state.tensor.place != "mutable") return;
    const auto* extra = tensor->extra_tensor_info();
    if (extra != nullptr && extra->fully_qualified_name() != nullptr) state.name = extra->fully_qualified_name()->str();
    const BlobPlace initial = checker_.initialPlace(*tensor);
    state.bytes = initial.size;
    state.startsAtZero = isZero(initial);
    method.states.push_back(std::move(state));
  }

  // States that begin with zeros share them, so what is known of a place is kept and its bytes are read once.
  bool isZero(const BlobPlace& place) {
    LeadingZeros& zeros = zeros_[place.inFile ? place.offset : reinterpret_cast<uintptr_t>(place.data)];
    if (zeros.count < place.size && !zeros.ended) {
      const Bytes bytes = readBlob(place, zeros.count, place.size - zeros.count);
      const auto other = std::find_if(bytes.begin(), bytes.end(), [](std::byte byte) { return byte != std::byte{0}; });
      zeros.count += static_cast<uint64_t>(other - bytes.begin());
      zeros.ended = other != bytes.end();
    }
    return zeros.count >= place.size;
  }

  static InstructionInfo describeInstruction(const fb::Instruction& instruction, const MethodInfo& method) {
    const auto list = [](const flatbuffers::Vector<int32_t>* args) {
      return std::vector<int>(args->begin(), args->end());
    };
    switch (instruction.instr_args_type()) {
      case fb::InstructionArguments_KernelCall: {
        const auto* call = instruction.instr_args_as_KernelCall();
        return {"kernel", method.operators[static_cast<size_t>(call->op_index())], list(call->args())};
      }
      case fb::InstructionArguments_DelegateCall: {
        const auto* call = instruction.instr_args_as_DelegateCall();
        return {"delegate", method.delegates[static_cast<size_t>(call->delegate_index())].id, list(call->args())};
      }
      case fb::InstructionArguments_MoveCall: {
        const auto* call = instruction.instr_args_as_MoveCall();
        return {"move", {}, {call->move_from(), call->move_to()}};
      }
      case fb::InstructionArguments_JumpFalseCall:
        return {"jump", {}, {instruction.instr_args_as_JumpFalseCall()->cond_value_index()}};
      default:
        return {"free", {}, {instruction.instr_args_as_FreeCall()->value_index()}};
    }
  }

  DelegateInfo describeDelegate(const fb::BackendDelegate& delegate) {
    DelegateInfo info;
    info.id = delegate.id()->str();
    const BlobPlace place = checker_.blobOf(delegate);
    info.bytes = place.size;
    if (info.id != "XnnpackBackend") return info;
    const auto key = std::make_pair(place.inFile ? place.offset : reinterpret_cast<uintptr_t>(place.data), place.size);
    auto known = described_.find(key);
    if (known != described_.end()) {
      spend(known->second.nodes.size());
    } else {
      XnnpackInfo xnnpack = describeXnnpackBlob(
          place.size, [&](uint64_t offset, uint64_t size) { return readBlob(place, offset, size); });
      if (!xnnpack.problem.empty()) {
        refuseProgram(file_.path(),
                      concat("a delegate's blob of ", place.size, " bytes is no XNNPACK program: ", xnnpack.problem));
      }
      known = described_.emplace(key, std::move(xnnpack)).first;
    }
    info.nodes = known->second.nodes;
    info.multiplyAdds = known->second.multiplyAdds;
    return info;
  }

  Bytes readBlob(const BlobPlace& place, uint64_t offset, uint64_t size) {
    spend(size);
    if (!place.inFile) return Bytes(place.data + offset, place.data + offset + size);
    Bytes bytes(size);
    file_.file->read(place.offset + offset, bytes);
    return bytes;
  }

  // Blobs that lie in each other would make a small file describe without end; whole ones never add up to twice the
  // file.
  void spend(uint64_t amount) {
    spent_ += amount;
    if (spent_ > 2 * file_.file->size()) refuseProgram(file_.path(), "its delegates' blobs overlap");
  }

  const ProgramFile& file_;
  const fb::Program& program_;
  const ProgramChecker& checker_;
  struct LeadingZeros {
    uint64_t count = 0;
    bool ended = false;  // by another byte
  };
  std::map<std::pair<uint64_t, uint64_t>, XnnpackInfo> described_;
  std::map<uint64_t, LeadingZeros> zeros_;  // by place
  std::set<std::string> needed_;            // names of data
  uint64_t spent_ = 0;
};

}  // namespace

ProgramInfo readProgramInfo(const std::string& path) {
  const ProgramFile file = openProgram(path);
  const auto* data = reinterpret_cast<const uint8_t*>(file.program.data());
  // A table takes at least four bytes, so whole programs of any size pass.
  flatbuffers::Verifier verifier(data, file.program.size(), /*max_depth=*/64,
                                 static_cast<uint32_t>(file.program.size() / 4 + 1));
  if (!fb::VerifyProgramBuffer(verifier)) {
    refuseProgram(path, concat("the FlatBuffer in its first ", file.program.size(), " bytes is damaged"));
  }
  const fb::Program& program = *fb::GetProgram(data);
  ProgramChecker checker(file, program);
  checker.check();
  return Describer(file, program, checker).describe();
}

}  // namespace exportdeck::pte
