// Any bytes as a .pte: described, or refused with an ExportError.
#include "base/diagnostic.h"
#include "memory_file.h"
#include "pte/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const exportdeck::fuzz::MemoryFile file(data, size);
  try {
    exportdeck::pte::readProgramInfo(file.path());
  } catch (const exportdeck::ExportError&) {
  }
  return 0;
}
