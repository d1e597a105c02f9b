// Graphs of kernel calls and delegate calls -> .pte, and .ptd beside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/sink.h"
#include "ir/graph.h"

namespace exportdeck::pte {

struct WriteOptions {
  bool planInputs = true;  // give inputs arena space
  bool planOutputs = true;
  uint32_t alignment = 16;  // of planned buffers
  uint32_t segmentAlignment = 128;
  // States of equal names get the same place in every method, in memory 2 of their own: what one method leaves there
  // the others find, where the loader shares memory between methods.
  bool shareStates = false;
};

struct PlannedBuffer {
  const ir::Value* value = nullptr;
  uint64_t offset = 0, size = 0;
  int first = 0, last = 0;  // instruction indices during which it is live, both included
  uint32_t memory = 1;      // 1: the arena; 2: the states that methods share
};
// Where each computed value lies in the arena. No two values that are live at once overlap; views share their base's
// place.
struct MemoryPlan {
  std::vector<PlannedBuffer> buffers;
  uint64_t arenaBytes = 0;
  uint64_t lowerBound = 0;   // the largest sum of bytes live at once
  uint64_t sharedBytes = 0;  // memory 2
};
// Of one method; states that methods share are left to planSharedStates (see shared_states.h).
MemoryPlan planMemory(const ir::Graph& graph, const WriteOptions& options);

// A buffer of the user's model that the program keeps from one call to the next.
struct WrittenState {
  std::string name;
  ir::TensorType type;
  bool startsAtZero = false;
};

struct WrittenMethod {
  std::string name;
  MemoryPlan plan;
  std::vector<WrittenState> states;
  int instructions = 0;
  std::vector<std::string> kernels;  // each kernel called, "aten::add.out", sorted, once
};

struct WriteResult {
  std::vector<WrittenMethod> methods;  // in the order in which they were given
  uint64_t programBytes = 0;           // the flatbuffer
  uint64_t constantBytes = 0;          // the constant segment
  uint64_t initialBytes = 0;           // the segment of what states begin with
  uint64_t delegateBytes = 0;          // blobs
  uint64_t namedDataBytes = 0;
  uint64_t totalBytes = 0;     // of the program
  uint64_t externalBytes = 0;  // of the file of constants; 0 where there is none

  std::vector<std::string> kernels() const;  // of all methods, sorted, once
};

// Writes the graphs as the methods that they name; equal constants and weights are stored once for all of them. A value
// that updates a state (the graph's updates) is computed right into the state's memory, so nothing may read the state
// from then on. The graph holds only kernel calls (ops with a kernel, see ops/schema.h), static views and delegate
// calls; anything else is Code::Fault. Throws Usage where two methods have one name and MutationUnsupported where a
// state that is to be shared differs between methods. With `external`, the constants that can lie in another file and
// the delegates' named data go there (see external_data.h). Facts of the format: executorch 1.5.1, schema/program.fbs.
WriteResult writeProgram(const std::vector<const ir::Graph*>& methods, const WriteOptions& options, Sink& out,
                         const Context& context, Sink* external = nullptr);

}  // namespace exportdeck::pte
