// What minizip reads from: a range of a file, or memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/bytes.h"

namespace exportdeck::pt2 {

class ZipInput {
 public:
  explicit ZipInput(FileRange range) : name_(range.file->path()), range_(std::move(range)), size_(range_.size) {}
  ZipInput(std::string name, Bytes bytes)
      : name_(std::move(name)), memory_(std::make_shared<const Bytes>(std::move(bytes))), size_(memory_->size()) {}

  const std::string& name() const { return name_; }  // of the file, for messages
  const std::shared_ptr<const InputFile>& file() const { return range_.file; }
  uint64_t size() const { return size_; }
  void read(uint64_t offset, std::span<std::byte> out) const;  // the range must lie inside
  std::shared_ptr<const ByteSource> bytes(uint64_t offset, uint64_t size) const;

 private:
  std::string name_;
  FileRange range_;
  std::shared_ptr<const Bytes> memory_;
  uint64_t size_;
};

// An open minizip handle on an input. Each use opens its own, so that one archive serves many threads.
class ZipHandle {
 public:
  // handle() is null where minizip finds no central directory.
  explicit ZipHandle(const ZipInput& input);
  ~ZipHandle();
  ZipHandle(const ZipHandle&) = delete;
  ZipHandle& operator=(const ZipHandle&) = delete;
  void* handle() const { return handle_; }

  struct Stream;  // what minizip's callbacks see

 private:
  std::unique_ptr<Stream> stream_;
  void* handle_ = nullptr;
};

}  // namespace exportdeck::pt2
