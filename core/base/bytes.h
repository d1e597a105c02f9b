// Reading from files by position, and byte ranges that are produced only when they are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace exportdeck {

using Bytes = std::vector<std::byte>;

class ByteSource;

// A file opened for reading. Reads are positional, so one file serves many threads.
class InputFile {
 public:
  // Throws FileNotFound, FileUnreadable (also for a folder).
  static std::shared_ptr<const InputFile> open(const std::string& path);
  // The bytes in a temporary file without a name, gone with the object; path() is `name`, for messages. Throws
  // FileUnwritable, and what `source` throws.
  static std::shared_ptr<const InputFile> spilled(std::string name, const ByteSource& source);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  uint64_t size() const { return size_; }
  int descriptor() const { return descriptor_; }
  // Fills `out` from `offset`; throws FileUnreadable where the file ends before (it may have been cut meanwhile).
  void read(uint64_t offset, std::span<std::byte> out) const;

 private:
  InputFile(std::string path, int descriptor, uint64_t size);
  std::string path_;
  int descriptor_;
  uint64_t size_;
};

struct FileRange {
  std::shared_ptr<const InputFile> file;
  uint64_t offset = 0;
  uint64_t size = 0;
};

using ByteConsumer = std::function<void(std::span<const std::byte>)>;

// Bytes that exist in a file, in memory, or as a recipe that computes them. Immutable, thread-safe.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual uint64_t size() const = 0;
  // Produces all bytes in order, in pieces of at most a few megabytes where that is possible.
  virtual void produce(const ByteConsumer& consume) const = 0;
  // Set where the bytes lie unchanged in a file: the writer then copies them inside the kernel.
  virtual std::optional<FileRange> fileRange() const { return std::nullopt; }

  Bytes materialise() const;
  // 128-bit XXH3 of the bytes as 32 lower-case hex digits. Computed once.
  std::string hash() const;
  // A word that two sources share only where their bytes are equal, of 32 lower-case hex digits. The hash of the bytes,
  // unless a recipe can tell from what it is made of, without computing the bytes.
  virtual std::string identity() const { return hash(); }

 private:
  mutable std::mutex hashMutex_;
  mutable std::string hash_;
};

std::string hashOf(std::string_view text);  // as ByteSource::hash()

std::shared_ptr<const ByteSource> bytesInFile(FileRange range);
std::shared_ptr<const ByteSource> bytesInMemory(Bytes bytes);
// A recipe: `make` returns exactly `size` bytes and is called each time they are needed.
std::shared_ptr<const ByteSource> bytesMade(uint64_t size, std::function<Bytes()> make);

}  // namespace exportdeck
