// The hash of a file while it is written, so that the file need not be read again behind the last byte.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/bytes.h"

namespace exportdeck {

class OutputHash {
 public:
  // Reads the file at `path` on a thread of its own, behind what reached() says is there.
  explicit OutputHash(const std::string& path);
  ~OutputHash();
  OutputHash(const OutputHash&) = delete;
  OutputHash& operator=(const OutputHash&) = delete;

  void reached(uint64_t position);
  // Of the first `size` bytes, as ByteSource::hash(). Throws FileUnreadable. Called once.
  std::string finish(uint64_t size);

 private:
  class Growing;
  void signal(uint64_t position, bool ended);

  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t reached_ = 0;
  bool ended_ = false;
  std::shared_ptr<const InputFile> file_;
  std::string hash_;
  std::exception_ptr error_;
  std::jthread thread_;
};

}  // namespace exportdeck
