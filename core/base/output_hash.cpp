#include "base/output_hash.h"

#include <algorithm>

namespace exportdeck {

namespace {

constexpr uint64_t kPiece = 1u << 20;

}  // namespace

// What is there of the file, and what comes, as one sequence of bytes.
class OutputHash::Growing : public ByteSource {
 public:
  explicit Growing(OutputHash& owner) : owner_(owner) {}
  uint64_t size() const override { return owner_.reached_; }
  void produce(const ByteConsumer& consume) const override {
    Bytes piece(kPiece);
    for (uint64_t done = 0;;) {
      const uint64_t there = wait(done);
      if (there == done) return;
      const std::span out(piece.data(), std::min<uint64_t>(kPiece, there - done));
      owner_.file_->read(done, out);
      consume(out);
      done += out.size();
    }
  }

 private:
  // Until a whole piece is there or no more comes; the position up to which the file is.
  uint64_t wait(uint64_t done) const {
    std::unique_lock lock(owner_.mutex_);
    owner_.changed_.wait(lock, [&] { return owner_.ended_ || owner_.reached_ - done >= kPiece; });
    return owner_.reached_;
  }
  OutputHash& owner_;
};

OutputHash::OutputHash(const std::string& path)
    : file_(InputFile::open(path)), thread_([this] {
        try {
          hash_ = Growing(*this).hash();
        } catch (...) {
          error_ = std::current_exception();
        }
      }) {}

OutputHash::~OutputHash() {
  signal(reached_, true);
}

void OutputHash::reached(uint64_t position) {
  signal(position, false);
}

std::string OutputHash::finish(uint64_t size) {
  signal(size, true);
  thread_.join();
  if (error_) std::rethrow_exception(error_);
  return hash_;
}

void OutputHash::signal(uint64_t position, bool ended) {
  {
    const std::lock_guard lock(mutex_);
    reached_ = position;
    ended_ = ended_ || ended;
  }
  changed_.notify_one();
}

}  // namespace exportdeck
