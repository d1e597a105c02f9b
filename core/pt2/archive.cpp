#include "pt2/archive.h"

#include <minizip/unzip.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/diagnostic.h"
#include "base/text.h"
#include "pt2/printable.h"

namespace exportdeck::pt2 {

namespace {

constexpr uint64_t kEndRecordSize = 22;
constexpr uint64_t kLocalHeaderSize = 30;
constexpr size_t kNameLimit = 4096;
// DEFLATE cannot expand further than 1032:1, so a larger claim is a lie.
constexpr uint64_t kDeflateRatio = 1032;
constexpr const char* kReexport = "export the model again with torch.export.save";

[[noreturn]] void invalid(const ZipInput& input, std::string_view what) {
  throw ExportError(Code::ArchiveInvalid, concat(input.name(), ": ", what),
                    {"check that the file was downloaded or copied completely", kReexport});
}

uint32_t littleEndian(std::span<const std::byte> bytes) {
  uint32_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<uint32_t>(bytes[i]);
  return value;
}

// The end record must close the file. minizip would also take one that lies before the end, as in an archive that was
// cut right after a nested zip.
bool endsWithEndRecord(const ZipInput& input) {
  const uint64_t count = std::min<uint64_t>(input.size(), kEndRecordSize + 0xffff);
  Bytes tail(count);
  input.read(input.size() - count, tail);
  for (uint64_t at = count - std::min(count, kEndRecordSize) + 1; at-- > 0;) {
    const std::span<const std::byte> record(tail.data() + at, count - at);
    if (record.size() < kEndRecordSize || littleEndian(record.first(4)) != 0x06054b50) continue;
    if (record.size() == kEndRecordSize + littleEndian(record.subspan(20, 2))) return true;
  }
  return false;
}

[[noreturn]] void notAnArchive(const ZipInput& input) {
  if (input.isNested()) invalid(input, "this part of the archive is no whole zip, as torch.save writes; it is damaged");
  if (input.size() == 0) invalid(input, "the file is empty");
  std::array<std::byte, 64> buffer{};
  const auto count = std::min<uint64_t>(input.size(), buffer.size());
  input.read(0, std::span(buffer.data(), count));
  const std::string_view head(reinterpret_cast<const char*>(buffer.data()), count);
  if (head.starts_with("PK")) invalid(input, "the zip archive is truncated or damaged: its end record is missing");
  if (head.size() >= 8 && head.substr(4, 2) == "ET") {
    throw ExportError(Code::ArchiveInvalid,
                      concat(input.name(), " is an ExecuTorch program (.pte), not an exported program (.pt2)"),
                      {"give the .pt2 that torch.export.save wrote"});
  }
  if (head.starts_with("version https://git-lfs")) {
    throw ExportError(Code::ArchiveInvalid, concat(input.name(), " is a Git LFS pointer, not the file itself"),
                      {"run `git lfs pull`"});
  }
  throw ExportError(Code::ArchiveInvalid, concat(input.name(), " is not a zip archive, as every .pt2 is"),
                    {"give the .pt2 that torch.export.save wrote"});
}

bool isSafeName(std::string_view name) {
  const auto isForbidden = [](unsigned char c) { return c < 0x20 || c == 0x7f || c == '\\'; };
  if (name.empty() || name.front() == '/' || std::any_of(name.begin(), name.end(), isForbidden)) return false;
  const auto parts = split(name, '/');
  return isUtf8(name) &&
         std::none_of(parts.begin(), parts.end(), [](const std::string& part) { return part == ".." || part == "."; });
}

struct Found {
  std::string name;
  Archive::Entry entry;
  uint64_t headerOffset = 0;
};

// The entry that minizip stands on: all sizes are the central directory's.
Found currentEntry(const ZipInput& input, unzFile zip, uint64_t number) {
  unz_file_info64 info{};
  std::string name(kNameLimit, '\0');
  if (unzGetCurrentFileInfo64(zip, &info, name.data(), name.size(), nullptr, 0, nullptr, 0) != UNZ_OK) {
    invalid(input, concat("the zip's directory is damaged at entry ", number + 1));
  }
  if (info.size_filename > kNameLimit)
    invalid(input, concat("entry ", number + 1, " has a name of ", info.size_filename, " bytes"));
  name.resize(info.size_filename);
  if (!isSafeName(name))
    invalid(input, concat("entry ", number + 1, " has a name that is not a relative path in UTF-8"));
  if ((info.flag & 1) != 0) invalid(input, concat("entry ", name, " is encrypted"));
  if (info.compression_method != 0 && info.compression_method != Z_DEFLATED) {
    invalid(input, concat("entry ", name, " is compressed with method ", info.compression_method,
                          "; only stored and deflated ones can be read"));
  }
  Found found{std::move(name), {}, 0};
  auto& entry = found.entry;
  entry.size = info.uncompressed_size;
  entry.storedSize = info.compressed_size;
  entry.deflated = info.compression_method != 0;
  entry.crc = static_cast<uint32_t>(info.crc);
  entry.number = number;
  unz64_file_pos position{};
  if (unzGetFilePos64(zip, &position) != UNZ_OK || unzOpenCurrentFile2(zip, nullptr, nullptr, 1) != UNZ_OK) {
    invalid(input, concat("entry ", found.name, " has a damaged header"));
  }
  entry.directoryOffset = position.pos_in_zip_directory;
  entry.offset = unzGetCurrentFileZStreamPos64(zip);
  const int extra = unzGetLocalExtrafield(zip, nullptr, 0);
  unzCloseCurrentFile(zip);
  const uint64_t header = kLocalHeaderSize + info.size_filename + static_cast<uint64_t>(std::max(extra, 0));
  if (entry.offset < header) invalid(input, concat("entry ", found.name, " has a damaged header"));
  found.headerOffset = entry.offset - header;
  return found;
}

void checkEntry(const ZipInput& input, const Found& found) {
  const auto& entry = found.entry;
  if (entry.offset > input.size() || entry.storedSize > input.size() - entry.offset) {
    invalid(input, concat("entry ", found.name, " reaches past the end of the file (", entry.storedSize, " bytes at ",
                          entry.offset, ")"));
  }
  if (!entry.deflated && entry.size != entry.storedSize) {
    invalid(input,
            concat("entry ", found.name, " is stored but states two sizes, ", entry.size, " and ", entry.storedSize));
  }
  if (entry.deflated && entry.size / kDeflateRatio > entry.storedSize) {
    invalid(input,
            concat("entry ", found.name, " claims ", entry.size, " bytes from ", entry.storedSize, " deflated ones"));
  }
}

// Entries must fill the file from its start without overlap, before the directory.
void checkPlaces(const ZipInput& input, const std::vector<Found>& entries, uint64_t directory) {
  std::vector<const Found*> sorted;
  sorted.reserve(entries.size());
  for (const auto& found : entries) sorted.push_back(&found);
  std::sort(sorted.begin(), sorted.end(),
            [](const Found* a, const Found* b) { return a->headerOffset < b->headerOffset; });
  if (sorted.front()->headerOffset != 0)
    invalid(input, "the zip does not start at the file's first byte; the file is cut or has data before it");
  uint64_t end = 0;
  for (const Found* found : sorted) {
    if (found->headerOffset < end) invalid(input, concat("entry ", found->name, " overlaps another one"));
    end = found->entry.offset + found->entry.storedSize;
  }
  if (end > directory) invalid(input, "the entries overlap the zip's directory");
}

// The folder of the first entry, where all entries lie in it.
std::string topFolder(const std::vector<Found>& entries) {
  const auto slash = entries.front().name.find('/');
  if (slash == std::string::npos) return {};
  const std::string top = entries.front().name.substr(0, slash + 1);
  const bool shared =
      std::all_of(entries.begin(), entries.end(), [&](const Found& found) { return found.name.starts_with(top); });
  return shared ? top.substr(0, slash) : std::string();
}

std::vector<Found> readDirectory(const ZipInput& input, unzFile zip) {
  std::vector<Found> entries;
  uint64_t directory = 0;
  int state = unzGoToFirstFile(zip);
  for (uint64_t number = 0; state == UNZ_OK; ++number, state = unzGoToNextFile(zip)) {
    if (number == 0) directory = unzGetOffset64(zip);
    entries.push_back(currentEntry(input, zip, number));
    checkEntry(input, entries.back());
  }
  if (entries.empty()) invalid(input, "the zip archive holds no entries");
  if (state != UNZ_END_OF_LIST_OF_FILE) invalid(input, "the zip's directory is damaged");
  checkPlaces(input, entries, directory);
  return entries;
}

// A deflated entry, inflated anew for each reader.
class InflatedBytes : public ByteSource {
 public:
  InflatedBytes(ZipInput input, std::string name, Archive::Entry entry)
      : input_(std::move(input)), name_(std::move(name)), entry_(entry) {}
  uint64_t size() const override { return entry_.size; }
  void produce(const ByteConsumer& consume) const override;

 private:
  ZipInput input_;
  std::string name_;
  Archive::Entry entry_;
};

void InflatedBytes::produce(const ByteConsumer& consume) const {
  const ZipHandle zip(input_);
  const unz64_file_pos position{entry_.directoryOffset, entry_.number};
  if (zip.handle() == nullptr || unzGoToFilePos64(zip.handle(), &position) != UNZ_OK ||
      unzOpenCurrentFile(zip.handle()) != UNZ_OK) {
    invalid(input_, concat("entry ", name_, " cannot be opened; the file changed while it was being read"));
  }
  Bytes piece(std::min<uint64_t>(entry_.size, 1u << 18));
  for (uint64_t done = 0; done < entry_.size;) {
    const auto want = static_cast<unsigned>(std::min<uint64_t>(piece.size(), entry_.size - done));
    const int got = unzReadCurrentFile(zip.handle(), piece.data(), want);
    if (got <= 0) invalid(input_, concat("the compressed data of entry ", name_, " is damaged after ", done, " bytes"));
    consume(std::span(piece.data(), static_cast<size_t>(got)));
    done += static_cast<uint64_t>(got);
  }
  if (unzCloseCurrentFile(zip.handle()) != UNZ_OK)
    invalid(input_, concat("the data of entry ", name_, " does not match its checksum"));
}

}  // namespace

std::shared_ptr<const Archive> Archive::read(ZipInput input) {
  std::shared_ptr<Archive> archive(new Archive(std::move(input)));
  if (!endsWithEndRecord(archive->input_)) notAnArchive(archive->input_);
  const ZipHandle zip(archive->input_);
  if (zip.handle() == nullptr) notAnArchive(archive->input_);
  auto found = readDirectory(archive->input_, zip.handle());
  archive->top_ = topFolder(found);
  const size_t prefix = archive->top_.empty() ? 0 : archive->top_.size() + 1;
  for (auto& [full, entry, header] : found) {
    std::string name = full.substr(prefix);
    if (name.empty() || name.back() == '/') continue;  // a folder's own record
    if (!archive->entries_.emplace(name, entry).second)
      invalid(archive->input_, concat("entry ", name, " is there twice"));
    archive->order_.push_back(std::move(name));
  }
  return archive;
}

std::shared_ptr<const Archive> Archive::open(const std::string& path) {
  auto file = InputFile::open(path);
  const uint64_t size = file->size();
  return read(ZipInput(path, FileRange{std::move(file), 0, size}, false));
}

std::shared_ptr<const Archive> Archive::openNested(std::string_view name, uint64_t inflatedLimit) const {
  const auto source = bytes(name);
  const std::string label = concat(path(), ": ", name);
  if (auto range = source->fileRange()) return read(ZipInput(label, *std::move(range), true));
  if (source->size() > inflatedLimit) {
    throw ExportError(Code::ArchiveInvalid,
                      concat(label, " is a deflated zip of ", formatBytes(source->size()),
                             "; what it is for needs at most ", formatBytes(inflatedLimit)),
                      {"unpack the archive and pack it without compression (zip -0)", kReexport});
  }
  auto file = InputFile::spilled(path(), *source);
  return read(ZipInput(label, FileRange{std::move(file), 0, source->size()}, true));
}

const Archive::Entry* Archive::find(std::string_view name) const {
  const auto it = entries_.find(std::string(name));
  return it == entries_.end() ? nullptr : &it->second;
}

const Archive::Entry& Archive::get(std::string_view name) const {
  const Entry* entry = find(name);
  if (entry == nullptr) invalid(input_, concat("entry ", name, " is missing"));
  return *entry;
}

std::vector<std::string> Archive::names() const {
  return order_;
}

std::shared_ptr<const ByteSource> Archive::bytes(std::string_view name) const {
  const Entry& entry = get(name);
  if (entry.deflated) return std::make_shared<InflatedBytes>(input_, std::string(name), entry);
  return input_.bytes(entry.offset, entry.size);
}

std::string Archive::text(std::string_view name, uint64_t limit) const {
  const Entry& entry = get(name);
  if (entry.size > limit) {
    invalid(input_,
            concat("entry ", name, " holds ", formatBytes(entry.size), "; at most ", formatBytes(limit), " are read"));
  }
  std::string text;
  text.reserve(entry.size + 64);  // room for a JSON parser's padding
  InflatedBytes(input_, std::string(name), entry).produce([&](std::span<const std::byte> piece) {
    text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return text;
}

}  // namespace exportdeck::pt2
