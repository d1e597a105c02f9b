// .pt2 archive -> graph.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "ir/graph.h"
#include "pt2/archive.h"

namespace exportdeck::pt2 {

struct ExportedProgram {
  std::unique_ptr<ir::Graph> graph;  // inputs: the user's; parameters and buffers are constants, named by their FQN
  std::string torchVersion;          // "2.13.0+cpu"
  int schemaMajor = 0, schemaMinor = 0;
  std::string dialect;          // "TRAINING", "ATEN"
  uint64_t parameterCount = 0;  // elements, each shared storage once
  uint64_t parameterBytes = 0;
  std::map<std::string, int> operatorCounts;  // as the archive has them
};

// Reads and checks a program. Throws ArchiveInvalid, ArchiveFormat, WeightsMissing, WeightsTooShort, GraphInvalid,
// DtypeUnsupported, ShapeUnsupported, MutationUnsupported with what, where and why. Weights stay in the file.
// `bounds`: largest values of sizes that change, by symbol ("s0"), below those that the archive states; OptionInvalid
// for one that does not fit.
using SizeBounds = std::map<std::string, int64_t>;
ExportedProgram readProgram(const std::string& path, const Context& context, const SizeBounds& bounds = {});

// The example inputs stored in the archive, where they can be read without running pickle code: tensors as dense,
// row-major constants in call order (see pt2/sample_inputs.cpp for the opcodes that are allowed). Empty where not,
// `why` says so.
struct SampleInputs {
  std::vector<ir::Argument> fixed;       // parallel to `tensors`: set where the input is no tensor
  std::vector<ir::ConstantPtr> tensors;  // null where the input is no tensor
  std::string why;                       // of emptiness
};
SampleInputs readSampleInputs(const Archive& archive);

}  // namespace exportdeck::pt2
