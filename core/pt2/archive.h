// The container of a .pt2: a zip whose entries lie under one top folder (formats: torch/export/pt2_archive of torch >= 2.9).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"

namespace exportdeck::pt2 {

// An archive whose central directory was read and checked. Stored entries are ranges of the file; deflated ones are
// inflated when asked for.
class Archive {
 public:
  // Throws ArchiveInvalid (no zip, truncated, overlapping or duplicate entries, sizes past the file's end).
  static std::shared_ptr<const Archive> open(const std::string& path);

  struct Entry {
    uint64_t size = 0;          // uncompressed
    uint64_t storedSize = 0;
    uint64_t offset = 0;        // of the payload, in the file
    bool deflated = false;
    uint32_t crc = 0;
  };
  const std::string& top() const { return top_; }  // folder of all entries, without '/'; empty in flat archives
  const std::shared_ptr<const InputFile>& file() const { return file_; }
  // `name` without the top folder. Null: no such entry.
  const Entry* find(std::string_view name) const;
  std::vector<std::string> names() const;
  std::shared_ptr<const ByteSource> bytes(std::string_view name) const;  // throws ArchiveInvalid when missing
  // Whole entry as text; `limit` bytes at most.
  std::string text(std::string_view name, uint64_t limit) const;

 private:
  std::shared_ptr<const InputFile> file_;
  std::string top_;
  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace exportdeck::pt2
