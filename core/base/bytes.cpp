#include "base/bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck {

namespace {

constexpr uint64_t kPiece = 1u << 20;

class FileBytes : public ByteSource {
 public:
  explicit FileBytes(FileRange range) : range_(std::move(range)) {}
  uint64_t size() const override { return range_.size; }
  std::optional<FileRange> fileRange() const override { return range_; }
  void produce(const ByteConsumer& consume) const override {
    Bytes piece(std::min(kPiece, range_.size));
    for (uint64_t done = 0; done < range_.size;) {
      const auto count = std::min<uint64_t>(piece.size(), range_.size - done);
      const std::span out(piece.data(), count);
      range_.file->read(range_.offset + done, out);
      consume(out);
      done += count;
    }
  }

 private:
  FileRange range_;
};

class MemoryBytes : public ByteSource {
 public:
  explicit MemoryBytes(Bytes bytes) : bytes_(std::move(bytes)) {}
  uint64_t size() const override { return bytes_.size(); }
  void produce(const ByteConsumer& consume) const override {
    if (!bytes_.empty()) consume(bytes_);
  }

 private:
  Bytes bytes_;
};

class MadeBytes : public ByteSource {
 public:
  MadeBytes(uint64_t size, std::function<Bytes()> make) : size_(size), make_(std::move(make)) {}
  uint64_t size() const override { return size_; }
  void produce(const ByteConsumer& consume) const override {
    const Bytes bytes = make_();
    check(bytes.size() == size_, concat("a recipe made ", bytes.size(), " bytes instead of ", size_));
    if (!bytes.empty()) consume(bytes);
  }

 private:
  uint64_t size_;
  std::function<Bytes()> make_;
};

}  // namespace

std::shared_ptr<const InputFile> InputFile::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    const int error = errno;
    const Code code = error == ENOENT || error == ENOTDIR ? Code::FileNotFound : Code::FileUnreadable;
    throw ExportError(code, concat("cannot open ", path, ": ", std::strerror(error)),
                      {"check the path and its permissions"});
  }
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw ExportError(Code::FileUnreadable, concat("cannot read ", path, ": it is not a regular file"),
                      {"give the path of a file"});
  }
  return std::shared_ptr<const InputFile>(new InputFile(path, descriptor, static_cast<uint64_t>(status.st_size)));
}

std::shared_ptr<const InputFile> InputFile::spilled(std::string name, const ByteSource& source) {
  const char* variable = std::getenv("TMPDIR");
  std::string path = concat(variable != nullptr && *variable != '\0' ? variable : "/tmp", "/exportdeck-XXXXXX");
  const auto failed = [&](std::string_view what) {
    return ExportError(Code::FileUnwritable,
                       concat("cannot ", what, " the temporary file ", path, ": ", std::strerror(errno)),
                       {"free space there, or set TMPDIR to a folder with room"});
  };
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) throw failed("make");
  ::unlink(path.c_str());
  std::shared_ptr<const InputFile> file(new InputFile(std::move(name), descriptor, source.size()));
  source.produce([&](std::span<const std::byte> piece) {
    while (!piece.empty()) {
      const ssize_t count = ::write(descriptor, piece.data(), piece.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw failed("write");
      piece = piece.subspan(static_cast<size_t>(count));
    }
  });
  return file;
}

InputFile::InputFile(std::string path, int descriptor, uint64_t size)
    : path_(std::move(path)), descriptor_(descriptor), size_(size) {}

InputFile::~InputFile() {
  ::close(descriptor_);
}

void InputFile::read(uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw ExportError(Code::FileUnreadable,
                        concat("cannot read ", path_, " at byte ", offset, ": ", std::strerror(errno)));
    }
    if (got == 0) {
      throw ExportError(Code::FileUnreadable,
                        concat(path_, " ends at byte ", offset, " where ", out.size(), " more were expected"),
                        {"check that the file is whole and not being changed"});
    }
    offset += static_cast<uint64_t>(got);
    out = out.subspan(static_cast<size_t>(got));
  }
}

Bytes ByteSource::materialise() const {
  Bytes all;
  all.reserve(size());
  produce([&](std::span<const std::byte> piece) { all.insert(all.end(), piece.begin(), piece.end()); });
  return all;
}

std::string ByteSource::hash() const {
  const std::lock_guard lock(hashMutex_);
  if (!hash_.empty()) return hash_;
  XXH3_state_t* state = XXH3_createState();
  XXH3_128bits_reset(state);
  try {
    produce([&](std::span<const std::byte> piece) { XXH3_128bits_update(state, piece.data(), piece.size()); });
  } catch (...) {
    XXH3_freeState(state);
    throw;
  }
  const XXH128_hash_t digest = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(digest.high64),
                static_cast<unsigned long long>(digest.low64));
  hash_ = text;
  return hash_;
}

std::string hashOf(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return bytesInMemory(Bytes(bytes.begin(), bytes.end()))->hash();
}

std::shared_ptr<const ByteSource> bytesInFile(FileRange range) {
  return std::make_shared<FileBytes>(std::move(range));
}
std::shared_ptr<const ByteSource> bytesInMemory(Bytes bytes) {
  return std::make_shared<MemoryBytes>(std::move(bytes));
}
std::shared_ptr<const ByteSource> bytesMade(uint64_t size, std::function<Bytes()> make) {
  return std::make_shared<MadeBytes>(size, std::move(make));
}

}  // namespace exportdeck
