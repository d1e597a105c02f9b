#include "pte/program_file.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck::pte {

namespace {

constexpr uint64_t kIdentifierAt = 4, kHeaderAt = 8, kShortHeader = 24, kHeader = 32;

template <typename Number>
Number load(const Bytes& bytes, size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

bool holds(const Bytes& bytes, size_t at, std::string_view text) {
  return bytes.size() >= at + text.size() && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

void checkIdentifier(const std::string& path, const Bytes& start) {
  if (holds(start, 0, "PK\3\4")) {
    refuseProgram(path, "it is a zip archive, as .pt2 files are; a program has the text ET12 at byte 4");
  }
  if (start.size() < kHeaderAt)
    refuseProgram(path, concat("it ends at byte ", start.size(), ", and the text ET12 was expected at byte 4"));
  if (holds(start, kIdentifierAt, "ET12")) return;
  if (holds(start, kIdentifierAt, "ET")) {
    const std::string version(reinterpret_cast<const char*>(start.data()) + kIdentifierAt, 4);
    const bool printable = std::all_of(version.begin(), version.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (printable) refuseProgram(path, concat("its format is ", version, " (byte 4), and only ET12 is known"));
  }
  refuseProgram(path, "the text ET12 was expected at byte 4");
}

void checkRange(const ProgramFile& program, uint64_t programBytes) {
  const uint64_t size = program.file->size();
  const std::string& path = program.path();
  if (programBytes < kHeaderAt + kShortHeader) {
    refuseProgram(path, concat("its header (byte 16) gives the program ", programBytes,
                               " bytes, fewer than the header itself has"));
  }
  if (programBytes > size) {
    refuseProgram(path, concat("its header (byte 16) gives the program ", programBytes,
                               " bytes, and the file ends at byte ", size));
  }
  if (program.segmentBase == 0) return;
  if (program.segmentBase < programBytes || program.segmentBase > size) {
    refuseProgram(path, concat("its header (byte 24) puts the segments at byte ", program.segmentBase, ", outside of ",
                               programBytes, " to ", size));
  }
  if (program.segmentBytes > size - program.segmentBase) {
    refuseProgram(path, concat("its header (byte 32) gives the segments ", program.segmentBytes, " bytes from byte ",
                               program.segmentBase, ", and the file ends at byte ", size));
  }
}

}  // namespace

void refuseProgram(const std::string& path, const std::string& what) {
  throw ExportError(Code::ProgramInvalid, concat(path, " is no ExecuTorch program that can be read: ", what),
                    {"Check that the file is whole, or export it again"});
}

ProgramFile openProgram(const std::string& path) {
  ProgramFile program;
  program.file = InputFile::open(path);
  const uint64_t size = program.file->size();
  Bytes start(std::min<uint64_t>(size, kHeaderAt + kHeader));
  program.file->read(0, start);
  checkIdentifier(path, start);

  uint64_t programBytes = size;
  program.hasHeader = holds(start, kHeaderAt, "eh00");
  if (program.hasHeader) {
    if (start.size() < kHeaderAt + kShortHeader) {
      refuseProgram(path, concat("it ends at byte ", size, ", inside the header that begins at byte 8"));
    }
    const auto length = load<uint32_t>(start, 12);
    if (length < kShortHeader)
      refuseProgram(path, concat("its header (byte 12) claims ", length, " bytes, and at least 24 were expected"));
    programBytes = load<uint64_t>(start, 16);
    program.segmentBase = load<uint64_t>(start, 24);
    // Programs from before ExecuTorch 1.0 do not state how long their segments are.
    const bool statesBytes = length >= kHeader && start.size() >= kHeaderAt + kHeader;
    if (length >= kHeader && !statesBytes)
      refuseProgram(path, concat("it ends at byte ", size, ", inside the header that begins at byte 8"));
    program.segmentBytes = statesBytes ? load<uint64_t>(start, 32) : size - std::min(size, program.segmentBase);
    checkRange(program, programBytes);
  }
  if (programBytes > static_cast<uint64_t>(std::numeric_limits<int32_t>::max())) {
    refuseProgram(path, concat("its FlatBuffer would be ", programBytes, " bytes, and the format ends at 2147483647"));
  }
  program.program.resize(programBytes);
  program.file->read(0, program.program);
  return program;
}

}  // namespace exportdeck::pte
