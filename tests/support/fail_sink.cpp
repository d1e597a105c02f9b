#include "support/fail_sink.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck::tests {

void FailSink::write(std::span<const std::byte> bytes) {
  const uint64_t left = limit_ - position_;
  position_ += std::min<uint64_t>(left, bytes.size());
  if (bytes.size() > left) throw ExportError(Code::FileUnwritable, concat("the sink is full after ", limit_, " bytes"));
}

}  // namespace exportdeck::tests
