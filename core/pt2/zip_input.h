// What minizip reads from: a range of a file.
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
  ZipInput(std::string name, FileRange range, bool isNested)
      : name_(std::move(name)), range_(std::move(range)), isNested_(isNested) {}

  const std::string& name() const { return name_; }  // for messages: the file, and the entry in it that is a zip
  bool isNested() const { return isNested_; }
  const std::shared_ptr<const InputFile>& file() const { return range_.file; }
  uint64_t size() const { return range_.size; }
  void read(uint64_t offset, std::span<std::byte> out) const;  // the range must lie inside
  std::shared_ptr<const ByteSource> bytes(uint64_t offset, uint64_t size) const;

 private:
  std::string name_;
  FileRange range_;
  bool isNested_;
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
