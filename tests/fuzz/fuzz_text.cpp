// Any text as a graph: parsed, or refused with an ExportError; what was parsed prints to a text that parses to itself.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "ir/graph.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string printed;
  try {
    printed = exportdeck::ir::print(*exportdeck::ir::parse({reinterpret_cast<const char*>(data), size}));
  } catch (const exportdeck::ExportError&) {
    return 0;
  }
  if (exportdeck::ir::print(*exportdeck::ir::parse(printed)) != printed) std::abort();
  return 0;
}
