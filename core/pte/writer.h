// Graph of kernel calls and delegate calls -> .pte.
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
};

struct PlannedBuffer {
  const ir::Value* value = nullptr;
  uint64_t offset = 0, size = 0;
  int first = 0, last = 0;  // instruction indices during which it is live, both included
};
// Where each computed value lies in the arena. No two values that are live at once overlap; views share their base's
// place.
struct MemoryPlan {
  std::vector<PlannedBuffer> buffers;
  uint64_t arenaBytes = 0;
  uint64_t lowerBound = 0;  // the largest sum of bytes live at once
};
MemoryPlan planMemory(const ir::Graph& graph, const WriteOptions& options);

// A buffer of the user's model that the program keeps from one call to the next.
struct WrittenState {
  std::string name;
  ir::TensorType type;
  bool startsAtZero = false;
};

struct WriteResult {
  MemoryPlan plan;
  std::vector<WrittenState> states;
  uint64_t programBytes = 0;   // the flatbuffer
  uint64_t constantBytes = 0;  // the constant segment
  uint64_t initialBytes = 0;   // the segment of what states begin with
  uint64_t delegateBytes = 0;  // blobs
  uint64_t namedDataBytes = 0;
  uint64_t totalBytes = 0;
  int instructions = 0;
  std::vector<std::string> kernels;  // each kernel called, "aten::add.out", sorted, once
};

// Writes one method. A value that updates a state (the graph's updates) is computed right into the state's memory, so
// nothing may read the state from then on. The graph holds only kernel calls (ops with a kernel, see ops/schema.h),
// static views and delegate calls; anything else is Code::Fault. Equal constants are stored once. Facts of the format:
// executorch 1.5.1, schema/program.fbs.
WriteResult writeProgram(const ir::Graph& graph, const WriteOptions& options, Sink& out, const Context& context);

}  // namespace exportdeck::pte
