// Any bytes as a .pt2: read, or refused with an ExportError; what was read is a valid graph.
#include "base/progress.h"
#include "ir/graph.h"
#include "memory_file.h"
#include "pt2/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const exportdeck::fuzz::MemoryFile file(data, size);
  try {
    const auto program = exportdeck::pt2::readProgram(file.path(), {exportdeck::silentProgress(), {}});
    exportdeck::ir::verify(*program.graph);
    exportdeck::pt2::readSampleInputs(*exportdeck::pt2::Archive::open(file.path()));
  } catch (const exportdeck::ExportError&) {
  }
  return 0;
}
