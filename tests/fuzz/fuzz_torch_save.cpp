// Any bytes as the pickle of an older archive's weights, inside otherwise sound zips (a case of torch 2.6, whose
// storages are kept): read, or refused with an ExportError; what was read is a valid graph with data of the right size.
// Reaches what the checksums of the archive keep fuzz_pt2 from.
#include <minizip/zip.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "ir/graph.h"
#include "memory_file.h"
#include "pt2/reader.h"

namespace {

using exportdeck::Bytes;
using exportdeck::pt2::Archive;
constexpr const char* kWeights = "serialized_state_dict.pt";
constexpr const char* kPickle = "data.pkl";

struct Entry {
  std::string name;
  Bytes content;
};

std::vector<Entry> entriesWithout(const Archive& archive, std::string_view left) {
  std::vector<Entry> read;
  for (const std::string& name : archive.names()) {
    if (name != left) read.push_back({name, archive.bytes(name)->materialise()});
  }
  return read;
}

// A zip of the entries and one more, in the file.
void writeZip(const std::string& path, const std::vector<Entry>& entries, const Entry& more) {
  zipFile zip = zipOpen(path.c_str(), APPEND_STATUS_CREATE);
  const auto add = [&](const Entry& entry) {
    const zip_fileinfo info{};
    return zipOpenNewFileInZip(zip, entry.name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0, 0) == ZIP_OK &&
           zipWriteInFileInZip(zip, entry.content.data(), static_cast<unsigned>(entry.content.size())) == ZIP_OK &&
           zipCloseFileInZip(zip) == ZIP_OK;
  };
  bool isWritten = zip != nullptr && add(more);
  for (const Entry& entry : entries) isWritten = isWritten && add(entry);
  if (!isWritten || zipClose(zip, nullptr) != ZIP_OK) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto archive = Archive::open(EXPORTDECK_SOURCE_DIR "/tests/cases/v2.6.0_tied/model.pt2");
  static const auto outer = entriesWithout(*archive, kWeights);
  static const auto storages = entriesWithout(*archive->openNested(kWeights, 0), kPickle);
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  const exportdeck::fuzz::MemoryFile part(nullptr, 0), file(nullptr, 0);
  writeZip(part.path(), storages, {kPickle, Bytes(begin, begin + size)});
  const auto whole = exportdeck::InputFile::open(part.path());
  Bytes bytes(whole->size());
  whole->read(0, bytes);
  writeZip(file.path(), outer, {kWeights, std::move(bytes)});
  try {
    const auto program = exportdeck::pt2::readProgram(file.path(), {exportdeck::silentProgress(), {}});
    exportdeck::ir::verify(*program.graph);
    for (const auto* value : program.graph->constants()) {
      if (value->constant()->data->materialise().size() != value->type().bytes()) std::abort();
    }
  } catch (const exportdeck::ExportError&) {
  }
  return 0;
}
