#include "pte/piece_stream.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck::pte {

namespace {

constexpr uint64_t kSmall = 64u << 10;    // gathered below this size
constexpr uint64_t kGathered = 1u << 20;  // bytes gathered before they are written
constexpr uint64_t kCopied = 16u << 20;   // of a file in one go, so that progress moves and a stop is heard
constexpr uint64_t kReportEvery = 1u << 20;

}  // namespace

void PieceStream::add(std::span<const std::byte> bytes) {
  context_.throwIfStopped();
  if (bytes.size() >= kSmall) {
    flush();
    out_.write(bytes);
  } else {
    pending_.insert(pending_.end(), bytes.begin(), bytes.end());
    if (pending_.size() >= kGathered) flush();
  }
  written_ += bytes.size();
  report();
}

void PieceStream::add(const ByteSource& source) {
  const uint64_t end = written_ + source.size();
  const auto range = source.fileRange();
  if (!range || range->size < kSmall) {
    source.produce([this](std::span<const std::byte> bytes) {
      for (; !bytes.empty(); bytes = bytes.subspan(std::min<uint64_t>(kGathered, bytes.size()))) {
        add(bytes.first(std::min<uint64_t>(kGathered, bytes.size())));
      }
    });
  } else {
    flush();
    for (uint64_t done = 0; done < range->size; done += kCopied) {
      const uint64_t size = std::min(kCopied, range->size - done);
      out_.copy({range->file, range->offset + done, size}, context_);
      written_ += size;
      report();
    }
  }
  check(written_ == end, concat("a byte source of ", source.size(), " bytes gave ", source.size() + written_ - end));
}

void PieceStream::padTo(uint64_t position) {
  static constexpr std::byte zeros[4096]{};
  check(position >= written_, "the pieces of a file do not overlap");
  while (written_ < position) add(std::span(zeros).first(std::min<uint64_t>(sizeof zeros, position - written_)));
}

void PieceStream::finish() {
  flush();
  check(written_ == total_, concat("a file of ", total_, " bytes was written with ", written_));
  context_.progress.stageAdvanced("write", among_.before + written_, among_.all);
}

void PieceStream::flush() {
  if (!pending_.empty()) out_.write(pending_);
  pending_.clear();
}

void PieceStream::report() {
  if (written_ - reported_ < kReportEvery) return;
  reported_ = written_;
  context_.progress.stageAdvanced("write", among_.before + written_, among_.all);
}

}  // namespace exportdeck::pte
