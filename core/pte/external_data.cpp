#include "pte/external_data.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/text.h"
#include "flat_tensor_generated.h"
#include "pte/piece_stream.h"
#include "pte/scalar_type.h"
#include "pte/tensor_bounds.h"

namespace exportdeck::pte {

namespace fb = flat_tensor_flatbuffer;

namespace {

constexpr uint64_t kHeaderAt = 8;            // behind the root offset and the identifier
constexpr uint32_t kHeaderBytes = 40;        // as the header states its own length
constexpr uint32_t kPaddedHeaderBytes = 48;  // what is put before the rest of the FlatBuffer
constexpr uint64_t kTensorAlignment = 16;

}  // namespace

uint32_t ExternalData::segmentOf(size_t content, const SourcePtr& source) {
  const auto [known, isNew] = segmentOfContent_.emplace(content, static_cast<uint32_t>(segments_.size()));
  if (isNew) segments_.push_back({0, source});
  return known->second;
}

std::string ExternalData::addTensor(const std::string& wanted, size_t content, const SourcePtr& source,
                                    const ir::TensorType& type) {
  const ir::Sizes sizes = type.sizes();
  Entry entry{wanted, segmentOf(content, source), true, type.dtype, {sizes.begin(), sizes.end()}};
  for (int number = 2;; ++number) {
    const auto [known, isNew] = entryOfKey_.emplace(entry.key, entries_.size());
    if (isNew) break;
    const Entry& other = entries_[known->second];
    const bool same =
        other.isTensor && other.segment == entry.segment && other.dtype == entry.dtype && other.sizes == entry.sizes;
    if (same) return entry.key;
    entry.key = concat(wanted, '#', number);
  }
  entries_.push_back(entry);
  return entry.key;
}

void ExternalData::addData(const std::string& key, size_t content, const SourcePtr& source) {
  const auto [known, isNew] = entryOfKey_.emplace(key, entries_.size());
  check(isNew || !entries_[known->second].isTensor, concat("a tensor and named data have the key ", key));
  if (!isNew) return;
  entries_.push_back({key, segmentOf(content, source), false, {}, {}});
}

uint64_t ExternalData::dataBytes() const {
  return std::accumulate(segments_.begin(), segments_.end(), uint64_t{0},
                         [](uint64_t sum, const Place& place) { return sum + place.source->size(); });
}

uint64_t ExternalData::prepare(uint32_t alignment) {
  const uint64_t step = std::lcm(uint64_t{alignment}, kTensorAlignment);
  uint64_t end = 0;
  for (Place& place : segments_) {
    place.offset = roundUp(end, step);
    end = place.offset + place.source->size();
  }
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<fb::DataSegment>> segments;
  for (const Place& place : segments_)
    segments.push_back(fb::CreateDataSegment(builder, place.offset, place.source->size()));
  std::vector<flatbuffers::Offset<fb::NamedData>> named;
  for (const Entry& entry : entries_) {
    flatbuffers::Offset<fb::TensorLayout> layout;
    if (entry.isTensor) {
      std::vector<uint8_t> order(entry.sizes.size());
      std::iota(order.begin(), order.end(), uint8_t{0});
      layout = fb::CreateTensorLayoutDirect(
          builder, static_cast<executorch_flatbuffer::ScalarType>(scalarType(entry.dtype)), &entry.sizes, &order);
    }
    named.push_back(fb::CreateNamedData(builder, builder.CreateString(entry.key), entry.segment, layout));
  }
  builder.Finish(fb::CreateFlatTensorDirect(builder, /*version=*/0, &segments, &named), fb::FlatTensorIdentifier());

  const auto flat = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
  base_ = roundUp(flat.size() + kPaddedHeaderBytes, step);
  total_ = base_ + end;
  head_.assign(flat.begin(), flat.end());
  head_.insert(head_.begin() + kHeaderAt, kPaddedHeaderBytes, std::byte{0});
  const auto store = [&](size_t at, auto number) { std::memcpy(head_.data() + at, &number, sizeof number); };
  uint32_t root = 0;
  std::memcpy(&root, head_.data(), sizeof root);
  store(0, root + kPaddedHeaderBytes);
  std::memcpy(head_.data() + kHeaderAt, "FH01", 4);
  store(kHeaderAt + 4, kHeaderBytes);
  store(kHeaderAt + 8, uint64_t{kPaddedHeaderBytes});
  store(kHeaderAt + 16, uint64_t{flat.size()});
  store(kHeaderAt + 24, base_);
  store(kHeaderAt + 32, end);
  return total_;
}

void ExternalData::write(Sink& out, const Context& context, uint64_t writtenBefore, uint64_t total) const {
  out.expect(total_);
  PieceStream stream(out, context, total_, {writtenBefore, total});
  stream.add(head_);
  for (const Place& place : segments_) {
    stream.padTo(base_ + place.offset);
    stream.add(*place.source);
  }
  stream.padTo(total_);
  stream.finish();
}

}  // namespace exportdeck::pte
