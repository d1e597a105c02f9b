#include "pt2/zip_input.h"

#include <minizip/unzip.h>

#include <algorithm>
#include <cstring>
#include <exception>

#include "base/diagnostic.h"

namespace exportdeck::pt2 {

void ZipInput::read(uint64_t offset, std::span<std::byte> out) const {
  check(offset <= size() && out.size() <= size() - offset, "a read past the end of a zip");
  range_.file->read(range_.offset + offset, out);
}

std::shared_ptr<const ByteSource> ZipInput::bytes(uint64_t offset, uint64_t size) const {
  check(offset <= range_.size && size <= range_.size - offset, "a range past the end of a zip");
  return bytesInFile({range_.file, range_.offset + offset, size});
}

// minizip asks for single bytes, so reads go through a window of the input: a small one, because it goes back and forth
// between the directory and the entries' headers.
struct ZipHandle::Stream {
  explicit Stream(const ZipInput& from) : input(from) {}

  uLong read(std::byte* out, uLong count) {
    uLong done = 0;
    while (done < count && position < input.size()) {
      if (position < windowStart || position >= windowStart + window.size()) {
        window.resize(std::min<uint64_t>(4096, input.size() - position));
        input.read(position, window);
        windowStart = position;
      }
      const uint64_t at = position - windowStart;
      const uint64_t piece = std::min<uint64_t>(count - done, window.size() - at);
      std::memcpy(out + done, window.data() + at, piece);
      done += piece;
      position += piece;
    }
    return done;
  }

  const ZipInput& input;
  uint64_t position = 0;
  uint64_t windowStart = 0;
  Bytes window;
};

namespace {

// minizip is C: an exception must not pass through it. A failed read counts as a short one, which it reports.
uLong readStream(voidpf, voidpf stream, void* buffer, uLong size) {
  try {
    return static_cast<ZipHandle::Stream*>(stream)->read(static_cast<std::byte*>(buffer), size);
  } catch (const std::exception&) {
    return 0;
  }
}

ZPOS64_T tellStream(voidpf, voidpf stream) {
  return static_cast<ZipHandle::Stream*>(stream)->position;
}

long seekStream(voidpf, voidpf opaque, ZPOS64_T offset, int origin) {
  auto& stream = *static_cast<ZipHandle::Stream*>(opaque);
  const uint64_t base = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                        : origin == ZLIB_FILEFUNC_SEEK_CUR ? stream.position
                                                           : stream.input.size();
  if (offset > stream.input.size() - std::min(base, stream.input.size())) return -1;
  stream.position = base + offset;
  return 0;
}

}  // namespace

ZipHandle::ZipHandle(const ZipInput& input) : stream_(std::make_unique<Stream>(input)) {
  zlib_filefunc64_def functions{};
  functions.zopen64_file = [](voidpf opaque, const void*, int) { return opaque; };
  functions.zread_file = readStream;
  functions.ztell64_file = tellStream;
  functions.zseek64_file = seekStream;
  functions.zclose_file = [](voidpf, voidpf) { return 0; };
  functions.zerror_file = [](voidpf, voidpf) { return 0; };
  functions.opaque = stream_.get();
  handle_ = unzOpen2_64("", &functions);
}

ZipHandle::~ZipHandle() {
  if (handle_ != nullptr) unzClose(handle_);
}

}  // namespace exportdeck::pt2
