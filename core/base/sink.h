// Where writers put their bytes.
#pragma once

#include <functional>
#include <utility>

#include "base/bytes.h"
#include "base/progress.h"

namespace exportdeck {

// Sequential output. Every writer of the project writes to a Sink, so tests can give one that fails after N bytes.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(std::span<const std::byte> bytes) = 0;
  // Default: read and write in pieces. A file sink copies inside the kernel.
  virtual void copy(const FileRange& range, const Context& context);
  // Says how many bytes will come, where that is known: a file then lies in one piece and is written faster.
  virtual void expect(uint64_t bytes) { static_cast<void>(bytes); }

  void write(const ByteSource& source, const Context& context);
  void writeZeros(uint64_t count);
  uint64_t position() const { return position_; }

 protected:
  uint64_t position_ = 0;  // implementations add what they wrote
};

class MemorySink : public Sink {
 public:
  using Sink::write;
  void write(std::span<const std::byte> bytes) override;
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

// A file that appears whole or not at all: written without a name where the file system can (O_TMPFILE), else beside
// its target under a temporary name that the destructor removes. A target that is a device is written directly.
class OutputFile : public Sink {
 public:
  // Throws FileUnwritable (folder missing, read-only …). `path` is not touched before publish().
  explicit OutputFile(std::string path);
  ~OutputFile() override;
  using Sink::write;
  void write(std::span<const std::byte> bytes) override;
  void copy(const FileRange& range, const Context& context) override;
  void expect(uint64_t bytes) override;

  // Called with the position after each write.
  void observe(std::function<void(uint64_t)> onWritten) { onWritten_ = std::move(onWritten); }

  // Flushes to disk in pieces, so that a stop request is honoured within 100 ms.
  void flush(const Context& context);
  // Gives the file its name. Throws OutputExists when `path` is there and `replace` is false.
  void publish(bool replace);
  // A path under which another process can read what was written so far (/proc/PID/fd/N or the temporary name).
  std::string readablePath() const;
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(const char* what, int error) const;
  void wrote(uint64_t bytes);
  std::string path_;
  std::string temporary_;  // empty with O_TMPFILE
  std::function<void(uint64_t)> onWritten_;
  int descriptor_ = -1;
  uint64_t started_ = 0, flushed_ = 0;  // up to where the disk was told to write, and has written
  bool published_ = false;
};

// Writes a small text file the same way.
void writeFileAtomically(const std::string& path, std::string_view text, bool replace);
std::string readTextFile(const std::string& path, uint64_t limit = 64u << 20);

}  // namespace exportdeck
