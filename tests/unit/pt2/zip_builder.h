// Makes small zip archives, also broken ones.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace exportdeck::tests {

class ZipBuilder {
 public:
  // What an entry's record in the central directory says; a test changes it to break the archive.
  struct Entry {
    std::string name, payload;
    uint32_t crc = 0, storedSize = 0, size = 0, headerOffset = 0;
    uint16_t method = 0, flags = 0;
  };

  // Returns the entry's record. The reference lives until the next call.
  Entry& add(std::string name, std::string payload) {
    Entry entry{std::move(name), std::move(payload)};
    entry.crc = crc32(entry.payload);
    entry.size = static_cast<uint32_t>(entry.payload.size());
    return place(std::move(entry));
  }

  // As DEFLATE blocks, of the kind that do not compress.
  Entry& addDeflated(std::string name, const std::string& payload) {
    constexpr size_t kBlock = 0xffff;
    Entry entry{std::move(name), {}};
    entry.crc = crc32(payload);
    entry.size = static_cast<uint32_t>(payload.size());
    entry.method = 8;
    for (size_t at = 0; at == 0 || at < payload.size(); at += kBlock) {
      const std::string block = payload.substr(at, kBlock);
      number(entry.payload, at + kBlock >= payload.size() ? 1 : 0, 1);
      number(entry.payload, static_cast<uint32_t>(block.size()), 2);
      number(entry.payload, ~static_cast<uint32_t>(block.size()), 2);
      entry.payload += block;
    }
    return place(std::move(entry));
  }

 private:
  Entry& place(Entry entry) {
    entry.storedSize = static_cast<uint32_t>(entry.payload.size());
    entry.headerOffset = static_cast<uint32_t>(body_.size());
    appendHeader(body_, 0x04034b50, entry, false);
    body_ += entry.name + entry.payload;
    return entries_.emplace_back(std::move(entry));
  }

 public:
  std::string finish() const {
    std::string file = body_;
    for (const Entry& entry : entries_) {
      appendHeader(file, 0x02014b50, entry, true);
      file += entry.name;
    }
    const auto directorySize = static_cast<uint32_t>(file.size() - body_.size());
    number(file, 0x06054b50, 4);
    number(file, 0, 4);  // disks
    number(file, static_cast<uint32_t>(entries_.size()), 2);
    number(file, static_cast<uint32_t>(entries_.size()), 2);
    number(file, directorySize, 4);
    number(file, static_cast<uint32_t>(body_.size()), 4);
    number(file, 0, 2);  // comment
    return file;
  }

 private:
  static void number(std::string& out, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  }

  static void appendHeader(std::string& out, uint32_t signature, const Entry& entry, bool central) {
    number(out, signature, 4);
    if (central) number(out, 20, 2);  // made by
    number(out, 20, 2);               // needed version
    number(out, entry.flags, 2);
    number(out, entry.method, 2);
    number(out, 0, 4);  // time and date
    number(out, entry.crc, 4);
    number(out, entry.storedSize, 4);
    number(out, entry.size, 4);
    number(out, static_cast<uint32_t>(entry.name.size()), 2);
    number(out, 0, 2);  // extra field
    if (!central) return;
    number(out, 0, 2);  // comment
    number(out, 0, 2);  // disk
    number(out, 0, 2);  // internal attributes
    number(out, 0, 4);  // external attributes
    number(out, entry.headerOffset, 4);
  }

  static uint32_t crc32(std::string_view bytes) {
    uint32_t crc = ~0u;
    for (const char c : bytes) {
      crc ^= static_cast<uint8_t>(c);
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
    }
    return ~crc;
  }

  std::string body_;
  std::vector<Entry> entries_;
};

}  // namespace exportdeck::tests
