// What an XNNPACK delegate blob computes, for people.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace exportdeck::pte {

// Reads `size` bytes at `offset` of a blob; only called inside its size.
using BlobReader = std::function<Bytes(uint64_t offset, uint64_t size)>;

struct XnnpackInfo {
  std::vector<std::string> nodes;  // kinds in execution order: "Conv2d"
  uint64_t multiplyAdds = 0;       // of convolutions and matrix products, at the shapes that the blob states
  std::vector<std::string> keys;   // of named data that it asks the runtime for
  std::string problem;             // why the blob cannot be read; empty: it can
};
// Understands blobs with and without the XH00 header and of both identifiers, XN00 and XN01. Reads no constants.
// Source: backends/xnnpack/serialization/schema.fbs and runtime/XNNHeader.h of ExecuTorch 1.5.1.
XnnpackInfo describeXnnpackBlob(uint64_t size, const BlobReader& read);

}  // namespace exportdeck::pte
