// Writes a file of known size to a Sink: small pieces are gathered into one write, large ones go through unread where
// they can.
#pragma once

#include <cstdint>
#include <span>

#include "base/progress.h"
#include "base/sink.h"

namespace exportdeck::pte {

class PieceStream {
 public:
  // What is written before this file, and with it.
  struct Among {
    uint64_t before, all;
  };
  // Advances of the stage "write" are reported to the context, in bytes of `among.all`. `total`: of this file.
  PieceStream(Sink& out, const Context& context, uint64_t total, Among among)
      : out_(out), context_(context), total_(total), among_(among) {}

  void add(std::span<const std::byte> bytes);
  void add(const ByteSource& source);
  void padTo(uint64_t position);  // with zeros; the position counts from the start of the file
  void finish();                  // checks that `total` bytes were written

 private:
  void flush();
  void report();

  Sink& out_;
  const Context& context_;
  uint64_t total_;
  Among among_;
  uint64_t written_ = 0;  // pending bytes included
  uint64_t reported_ = 0;
  Bytes pending_;
};

}  // namespace exportdeck::pte
