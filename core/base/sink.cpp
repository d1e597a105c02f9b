#include "base/sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck {

namespace {

constexpr uint64_t kPiece = 4u << 20;

}  // namespace

void Sink::copy(const FileRange& range, const Context& context) {
  Bytes piece(std::min(kPiece, range.size));
  for (uint64_t done = 0; done < range.size;) {
    context.throwIfStopped();
    const std::span out(piece.data(), std::min<uint64_t>(piece.size(), range.size - done));
    range.file->read(range.offset + done, out);
    write(out);
    done += out.size();
  }
}

void Sink::write(const ByteSource& source, const Context& context) {
  if (const auto range = source.fileRange()) {
    copy(*range, context);
    return;
  }
  source.produce([&](std::span<const std::byte> piece) {
    for (size_t at = 0; at < piece.size(); at += kPiece) {
      context.throwIfStopped();
      write(piece.subspan(at, std::min<size_t>(kPiece, piece.size() - at)));
    }
  });
}

void Sink::writeZeros(uint64_t count) {
  static const Bytes zeros(4096);
  for (; count > 0; count -= std::min<uint64_t>(count, zeros.size())) {
    write(std::span(zeros.data(), std::min<uint64_t>(count, zeros.size())));
  }
}

void MemorySink::write(std::span<const std::byte> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  position_ += bytes.size();
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  namespace fs = std::filesystem;
  fs::path folder = fs::path(path_).parent_path();
  if (folder.empty()) folder = ".";
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) fail("write", EISDIR);
  if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)) {
    // A device is written as it is: a file of ours must never take its place.
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("write", errno);
    published_ = true;
    return;
  }
#ifdef O_TMPFILE
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
#endif
  if (descriptor_ >= 0) return;
  const int error = errno;
  if (error != EOPNOTSUPP && error != EISDIR && error != EINVAL) fail("write", error);
  temporary_ = concat(path_, ".part-", ::getpid());
  descriptor_ = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("write", errno);
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty() && !published_) ::unlink(temporary_.c_str());
}

void OutputFile::fail(const char* what, int error) const {
  std::vector<std::string> fixes{"choose another output folder"};
  if (error == ENOSPC || error == EDQUOT) fixes.insert(fixes.begin(), "free some disk space");
  if (error == ENOENT) fixes.insert(fixes.begin(), "create the folder first");
  if (error == ENAMETOOLONG) fixes = {"choose a shorter name"};
  if (error == EISDIR) fixes = {"give the name of a file in it"};
  throw ExportError(Code::FileUnwritable, concat("cannot ", what, " ", path_, ": ", std::strerror(error)),
                    std::move(fixes));
}

void OutputFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("write", errno);
    wrote(static_cast<uint64_t>(put));
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
}

void OutputFile::expect(uint64_t bytes) {
#ifdef FALLOC_FL_KEEP_SIZE
  // A file system that cannot, or has no room, says so again where it matters: when the bytes are written.
  static_cast<void>(::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)));
#else
  static_cast<void>(bytes);
#endif
}

// The disk starts on what is there while more is made, so that little is left to wait for in flush().
void OutputFile::wrote(uint64_t bytes) {
  position_ += bytes;
  if (onWritten_) onWritten_(position_);
#ifdef SYNC_FILE_RANGE_WRITE
  constexpr uint64_t kStarted = 8u << 20;
  if (position_ - started_ < kStarted) return;
  ::sync_file_range(descriptor_, static_cast<off_t>(started_), static_cast<off_t>(position_ - started_),
                    SYNC_FILE_RANGE_WRITE);
  started_ = position_;
#endif
}

void OutputFile::copy(const FileRange& range, const Context& context) {
  auto from = static_cast<off_t>(range.offset);
  for (uint64_t left = range.size; left > 0;) {
    context.throwIfStopped();
    const ssize_t put =
        ::copy_file_range(range.file->descriptor(), &from, descriptor_, nullptr, std::min<uint64_t>(left, 8u << 20), 0);
    if (put < 0 && errno == EINTR) continue;
    if (put == 0 || (put < 0 && (errno == EXDEV || errno == EINVAL || errno == EOPNOTSUPP || errno == ENOSYS))) {
      // Another file system, or a file that ended early: the plain way copies or says so.
      Sink::copy(FileRange{range.file, static_cast<uint64_t>(from), left}, context);
      return;
    }
    if (put < 0) fail("write", errno);
    wrote(static_cast<uint64_t>(put));
    left -= static_cast<uint64_t>(put);
  }
}

void OutputFile::flush(const Context& context) {
#ifdef SYNC_FILE_RANGE_WRITE
  // One fsync of a large file cannot be interrupted, so dirty pages go out in pieces first.
  constexpr uint64_t kFlushPiece = 16u << 20;
  for (; flushed_ < position_; flushed_ += std::min(kFlushPiece, position_ - flushed_)) {
    context.throwIfStopped();
    ::sync_file_range(descriptor_, static_cast<off_t>(flushed_),
                      static_cast<off_t>(std::min(kFlushPiece, position_ - flushed_)),
                      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
  }
#endif
  context.throwIfStopped();
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail("write", errno);
}

std::string OutputFile::readablePath() const {
  return temporary_.empty() ? concat("/proc/", ::getpid(), "/fd/", descriptor_) : temporary_;
}

void OutputFile::publish(bool replace) {
  if (published_) return;
  const auto exists = [&]() -> ExportError {
    return {Code::OutputExists,
            concat("the output ", path_, " exists"),
            {"give --force to replace it", "choose another output name"}};
  };
  if (temporary_.empty()) {
    const std::string from = readablePath();
    if (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      published_ = true;
      return;
    }
    if (errno != EEXIST) fail("write", errno);
    if (!replace) throw exists();
    // A link cannot replace: give the file a temporary name first, then rename over the old one.
    temporary_ = concat(path_, ".part-", ::getpid());
    ::unlink(temporary_.c_str());
    if (::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      const int error = errno;
      temporary_.clear();
      fail("write", error);
    }
  } else if (!replace) {
    if (::link(temporary_.c_str(), path_.c_str()) == 0) return;  // the destructor removes the temporary name
    if (errno == EEXIST) throw exists();
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("write", errno);
  published_ = true;
}

void writeFileAtomically(const std::string& path, std::string_view text, bool replace) {
  OutputFile file(path);
  file.write(std::as_bytes(std::span(text.data(), text.size())));
  file.flush(Context{silentProgress(), {}});
  file.publish(replace);
}

std::string readTextFile(const std::string& path, uint64_t limit) {
  const auto file = InputFile::open(path);
  if (file->size() > limit) {
    throw ExportError(Code::FileUnreadable, concat(path, " holds ", formatBytes(file->size()), ", more than the ",
                                                   formatBytes(limit), " that are read here"));
  }
  std::string text(file->size(), '\0');
  file->read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace exportdeck
