// A sink that stops taking bytes, as a full disk does.
#pragma once

#include "base/sink.h"

namespace exportdeck::tests {

class FailSink : public Sink {
 public:
  // Takes `limit` bytes; the write that passes them throws FileUnwritable, and so does each later one.
  explicit FailSink(uint64_t limit) : limit_(limit) {}
  using Sink::write;
  void write(std::span<const std::byte> bytes) override;

 private:
  uint64_t limit_;
};

}  // namespace exportdeck::tests
