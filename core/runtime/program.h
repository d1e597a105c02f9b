// Running .pte programs on the ExecuTorch C++ runtime. Loading a malformed program can abort the process, so front ends
// only call this in a child process of their own (see services/runner.h).
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/bytes.h"

namespace exportdeck::runtime {

// A tensor with dense, row-major bytes.
struct HostTensor {
  std::string dtype;  // PyTorch's name: "float32"
  std::vector<int64_t> sizes;
  Bytes bytes;
};
using HostValue = std::variant<std::monostate, HostTensor, int64_t, double, bool, std::string>;

struct SlotInfo {    // an input or output of a method
  std::string kind;  // "tensor", "int", "float", "bool", "none", "string"
  std::string dtype;
  std::vector<int64_t> sizes;  // upper bounds where dynamic
  HostValue fixed;  // of an input that is no tensor: the value that the program was made for, and the only one it takes
};

struct LoadRequest {
  std::string method;  // empty: "forward" where the program has that, else the only one that it has
  std::string data;    // a .ptd with the program's constants; empty: they are in the program
};

// "model.pte" -> "model.ptd" where that file is there, else "".
std::string dataBeside(const std::string& program);

class LoadedProgram {
 public:
  // Throws FileNotFound, FileUnreadable, ProgramInvalid (no ExecuTorch program), VerifyLoadFailed with the runtime's
  // error name, what it means and what the runtime logged.
  static std::unique_ptr<LoadedProgram> load(const std::string& path, const LoadRequest& request = {});
  // The same from memory.
  static std::unique_ptr<LoadedProgram> load(Bytes program, const LoadRequest& request = {});
  // Another method of the same loaded program. Where the program's methods share their state, what one left there the
  // other finds. An error as of load().
  virtual std::unique_ptr<LoadedProgram> another(const std::string& method) const = 0;
  virtual ~LoadedProgram() = default;
  virtual std::vector<SlotInfo> inputs() const = 0;
  virtual std::vector<SlotInfo> outputs() const = 0;
  virtual std::vector<std::string> backends() const = 0;
  virtual const std::string& method() const = 0;
  virtual uint64_t plannedBytes() const = 0;
  // State is kept between calls. Outputs are copied, row-major. Throws CaseInvalid when an input does not fit its slot,
  // VerifyLoadFailed when execution fails.
  // `after`, where it is given, gets the inputs as the call left them: a program may write into them.
  virtual std::vector<HostValue> run(const std::vector<HostValue>& inputs, std::vector<HostValue>* after = nullptr) = 0;
};

// Inputs for a program that none were given for: seeded random, normally distributed; integers in [0, indexLimit), so
// that they stay inside a table; inputs that are no tensors get the value that the program was made for.
std::vector<HostValue> randomInputs(const std::vector<SlotInfo>& slots, uint64_t seed, int64_t indexLimit);

struct Tolerance {
  std::optional<double> absolute, relative;  // unset: by dtype (float32 and float64 1e-4 / 1e-3, half types 2e-2)
  std::optional<double> decibels = {};       // signal to noise; unset: as compare() says
};
struct Comparison {
  bool match = true;
  std::string why;  // of the first mismatch
  double maxAbsoluteError = 0;
  double signalToNoiseDb = 0;  // the worst output's; +inf where exact
};
// Compares the tensors; other values are not compared. Integers and bools must be equal. Floating ones must be within
// |got - want| <= absolute + relative * |want| each, and have a signal-to-noise ratio of 60 dB (half types 30 dB, with
// an absolute tolerance that was set 20 dB) together. `got` may start with further tensors: inputs that the program
// changed.
Comparison compare(const std::vector<HostValue>& got, const std::vector<HostValue>& want, const Tolerance& tolerance);

// A case folder: case.json, raw tensors (row-major little-endian).
struct CaseCall {
  std::vector<HostValue> inputs, outputs;
};
struct Case {
  std::string name;
  std::vector<CaseCall> calls;  // in order, on one instance
  Tolerance tolerance;
};
Case readCase(const std::string& folder);  // throws CaseInvalid

}  // namespace exportdeck::runtime
