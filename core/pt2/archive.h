// The container of a .pt2, and of the torch.save parts in it: a zip whose entries may lie under one top folder.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "pt2/zip_input.h"

namespace exportdeck::pt2 {

// An archive whose central directory was read and checked. Stored entries are ranges of the file; deflated ones are
// inflated when asked for. Immutable, thread-safe.
class Archive {
 public:
  // Throws FileNotFound, FileUnreadable, ArchiveInvalid (no zip, truncated, overlapping or duplicate entries, sizes
  // past the file's end).
  static std::shared_ptr<const Archive> open(const std::string& path);
  // A zip inside a zip: the entry `name` of this archive (`data/sample_inputs/model.pt`), read in place where it is
  // stored. A deflated one goes to a temporary file first; one of more than `inflatedLimit` bytes is ArchiveInvalid.
  std::shared_ptr<const Archive> openNested(std::string_view name, uint64_t inflatedLimit) const;

  struct Entry {
    uint64_t size = 0;  // uncompressed
    uint64_t storedSize = 0;
    uint64_t offset = 0;  // of the payload, in the file
    bool deflated = false;
    uint32_t crc = 0;
    uint64_t directoryOffset = 0;  // of its record in the central directory
    uint64_t number = 0;           // its place there
  };
  const std::string& top() const { return top_; }  // folder of all entries, without '/'; empty in flat archives
  const std::string& path() const { return input_.name(); }  // for messages
  const std::shared_ptr<const InputFile>& file() const { return input_.file(); }
  // `name` without the top folder. Null: no such entry.
  const Entry* find(std::string_view name) const;
  std::vector<std::string> names() const;  // in the archive's order
  // The entry's bytes. Throws ArchiveInvalid when it is missing; what it returns throws ArchiveInvalid when a deflated
  // entry turns out damaged.
  std::shared_ptr<const ByteSource> bytes(std::string_view name) const;
  // Whole entry as text, its CRC checked. Throws ArchiveInvalid when it is missing, damaged or longer than `limit`
  // bytes.
  std::string text(std::string_view name, uint64_t limit) const;

 private:
  explicit Archive(ZipInput input) : input_(std::move(input)) {}
  static std::shared_ptr<const Archive> read(ZipInput input);
  const Entry& get(std::string_view name) const;

  ZipInput input_;
  std::string top_;
  std::vector<std::string> order_;
  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace exportdeck::pt2
