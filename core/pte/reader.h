// .pte -> a description for people: `exportdeck inspect`, tests of the writer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace exportdeck::pte {

struct TensorInfo {
  std::string dtype;
  std::vector<int64_t> sizes;
  std::vector<uint8_t> dimOrder;
  std::string place;    // "planned", "constant", "mutable", "external", "caller"
  uint64_t offset = 0;  // in the arena or the constant segment
};
struct InstructionInfo {
  std::string kind;       // "kernel", "delegate", "move", "jump", "free"
  std::string name;       // "aten::add.out", or the delegate's id
  std::vector<int> args;  // value indices
};
struct DelegateInfo {
  std::string id;
  uint64_t bytes = 0;
  std::vector<std::string> nodes;  // of an XNNPACK blob: node kinds in order; empty for other backends
  uint64_t multiplyAdds = 0;       // of an XNNPACK blob
};
// What a method keeps from one call to the next and begins with what the program holds.
struct StateInfo {
  std::string name;  // in the user's model; empty where the program does not tell
  TensorInfo tensor;
  uint64_t bytes = 0;
  bool startsAtZero = false;
};
struct MethodInfo {
  std::string name;
  std::vector<TensorInfo> inputs, outputs;  // tensors only, in order
  std::vector<StateInfo> states;
  std::vector<InstructionInfo> instructions;
  std::vector<DelegateInfo> delegates;
  std::vector<std::string> operators;
  std::vector<uint64_t> arenaBytes;  // each memory id from 1
};
struct ProgramInfo {
  uint64_t fileBytes = 0, programBytes = 0, constantBytes = 0;
  uint64_t segments = 0;
  std::vector<MethodInfo> methods;
  std::vector<std::string> namedData;
  std::vector<std::string> external;  // names of constants that another file has to hold, sorted, once
};

// Throws ProgramInvalid. Verifies the FlatBuffer and range-checks every index that it follows.
ProgramInfo readProgramInfo(const std::string& path);

}  // namespace exportdeck::pte
