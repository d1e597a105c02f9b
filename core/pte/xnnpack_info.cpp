#include "pte/xnnpack_info.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/text.h"
#include "schema_generated.h"

namespace exportdeck::pte {

namespace {

constexpr uint64_t kHeaderBytes = 30;

bool holds(const Bytes& bytes, size_t at, std::string_view text) {
  return bytes.size() >= at + text.size() && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

std::string nodeKind(const fb_xnnpack::XNode& node) {
  std::string_view name = fb_xnnpack::EnumNameXNodeUnion(node.xnode_union_type());
  if (name.empty()) return concat("unknown ", static_cast<int>(node.xnode_union_type()));
  if (name.starts_with("XNN")) name.remove_prefix(3);
  return std::string(name);
}

XnnpackInfo problem(std::string what) {
  return {{}, std::move(what)};
}

}  // namespace

XnnpackInfo describeXnnpackBlob(uint64_t size, const BlobReader& read) {
  const Bytes start = read(0, std::min(size, kHeaderBytes));
  uint64_t offset = 0, length = size;
  if (holds(start, 4, "XH00")) {
    if (start.size() < kHeaderBytes)
      return problem(concat("it ends at byte ", size, ", inside its header of 30 bytes"));
    uint32_t headerOffset = 0, headerLength = 0;
    std::memcpy(&headerOffset, start.data() + 10, sizeof headerOffset);
    std::memcpy(&headerLength, start.data() + 14, sizeof headerLength);
    offset = headerOffset;
    length = headerLength;
    if (offset > size || length > size - offset) {
      return problem(
          concat("its header (byte 10) puts ", length, " bytes at byte ", offset, ", and it ends at byte ", size));
    }
  }
  const Bytes bytes = read(offset, length);
  if (!holds(bytes, 4, "XN01") && !holds(bytes, 4, "XN00")) {
    return problem(concat("the text XN01 or XN00 was expected at its byte ", offset + 4));
  }
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  flatbuffers::Verifier verifier(data, bytes.size(), /*max_depth=*/64,
                                 /*max_tables=*/static_cast<uint32_t>(bytes.size() / 4 + 1));
  if (!verifier.VerifyBuffer<fb_xnnpack::XNNGraph>(nullptr))
    return problem(concat("its FlatBuffer at byte ", offset, " is damaged"));

  XnnpackInfo info;
  const auto* nodes = flatbuffers::GetRoot<fb_xnnpack::XNNGraph>(data)->xnodes();
  if (nodes == nullptr) return problem("it has no list of nodes");
  for (const auto* node : *nodes) {
    if (node == nullptr) return problem("a node is missing");
    info.nodes.push_back(nodeKind(*node));
  }
  return info;
}

}  // namespace exportdeck::pte
