// Any text as the program's JSON inside an otherwise sound archive (the bundled sample's): read, or refused with an
// ExportError; what was read is a valid graph. Reaches what the checksums of the archive keep fuzz_pt2 from.
#include <minizip/zip.h>

#include <utility>
#include <vector>

#include "base/progress.h"
#include "ir/graph.h"
#include "memory_file.h"
#include "pt2/reader.h"

namespace {

using exportdeck::pt2::Archive;
constexpr const char* kModel = "models/model.json";

struct Entry {
  std::string name;
  exportdeck::Bytes content;
};

const std::vector<Entry>& soundEntries() {
  static const std::vector<Entry> entries = [] {
    std::vector<Entry> read;
    const auto archive = Archive::open(EXPORTDECK_SOURCE_DIR "/resources/samples/digits.pt2");
    for (const std::string& name : archive->names()) {
      if (name != kModel) read.push_back({name, archive->bytes(name)->materialise()});
    }
    return read;
  }();
  return entries;
}

void add(zipFile zip, const std::string& name, const void* content, size_t size) {
  const zip_fileinfo info{};
  const bool stored =
      zipOpenNewFileInZip(zip, ("model/" + name).c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0, 0) == ZIP_OK &&
      zipWriteInFileInZip(zip, content, static_cast<unsigned>(size)) == ZIP_OK && zipCloseFileInZip(zip) == ZIP_OK;
  if (!stored) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const exportdeck::fuzz::MemoryFile file(nullptr, 0);
  zipFile zip = zipOpen(file.path().c_str(), APPEND_STATUS_CREATE);
  if (!zip) std::abort();
  for (const Entry& entry : soundEntries()) add(zip, entry.name, entry.content.data(), entry.content.size());
  add(zip, kModel, data, size);
  if (zipClose(zip, nullptr) != ZIP_OK) std::abort();
  try {
    const auto program = exportdeck::pt2::readProgram(file.path(), {exportdeck::silentProgress(), {}});
    exportdeck::ir::verify(*program.graph);
  } catch (const exportdeck::ExportError&) {
  }
  return 0;
}
