#include "pte/segments.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "pte/tensor_bounds.h"

namespace exportdeck::pte {

namespace {

// Of each constant in its segment: what the runtime's own kernels expect of a tensor's data.
constexpr uint64_t kTensorAlignment = 16;

// Named data under a key that is taken are compared up to this size; above it the key and the size are trusted.
constexpr uint64_t kComparedUnderOneKey = 64u << 10;

class ZeroBytes : public ByteSource {
 public:
  explicit ZeroBytes(uint64_t size) : size_(size) {}
  uint64_t size() const override { return size_; }
  void produce(const ByteConsumer& consume) const override {
    const Bytes zeros(std::min(size_, kPieceOfZeros));
    for (uint64_t left = size_; left > 0; left -= std::min(left, kPieceOfZeros))
      consume(std::span(zeros).first(std::min(left, kPieceOfZeros)));
  }

 private:
  static constexpr uint64_t kPieceOfZeros = 64u << 10;
  uint64_t size_;
};

bool isZero(const ByteSource& source) {
  bool zero = true;
  source.produce([&](std::span<const std::byte> bytes) {
    zero = zero && std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; });
  });
  return zero;
}

class BlobBytes : public ByteSource {
 public:
  explicit BlobBytes(std::shared_ptr<const ir::DelegateBlob> blob) : blob_(std::move(blob)) {}
  uint64_t size() const override { return blob_->processed.size(); }
  void produce(const ByteConsumer& consume) const override { consume(blob_->processed); }

 private:
  std::shared_ptr<const ir::DelegateBlob> blob_;
};

}  // namespace

Segments::Segments(const std::vector<Storage>& methods, const WriteOptions& options, ExternalData* external,
                   const Context& context)
    : alignment_(std::lcm(uint64_t{options.segmentAlignment}, kTensorAlignment)), external_(external) {
  if (external_ != nullptr) keepInside(methods);
  collectConstants(methods, context);
  collectInitial(methods, context);
  collectBlobs(methods, context);
  endWithLargestGap();
}

// XNNPACK may read past the end of what it is handed, and behind a constant in another file there may be nothing.
void Segments::keepInside(const std::vector<Storage>& methods) {
  for (const Storage& storage : methods) {
    for (const ir::Node* node : storage.instructions()) {
      if (!node->blob) continue;
      for (const ir::Value* value : node->operands()) {
        if (const ir::Value* base = storage.base(value); base->isConstant()) inside_.insert(base->constant().get());
      }
    }
  }
}

void Segments::collectConstants(const std::vector<Storage>& methods, const Context& context) {
  bool callsXnnpack = false;
  for (const Storage& storage : methods) {
    for (const ir::Node* node : storage.instructions()) {
      context.throwIfStopped();
      for (const ir::Value* value : node->operands()) collectConstant(value, storage);
    }
    for (const ir::Argument& output : storage.graph().outputs()) {
      if (const auto* value = std::get_if<ir::Value*>(&output)) collectConstant(*value, storage);
    }
    callsXnnpack = callsXnnpack || storage.callsBackend("XnnpackBackend");
  }
  if (constantIndices_.empty()) return;
  // An empty constant still needs an address, and a segment of no bytes has none.
  constantBytes_ = std::max(end_, kTensorAlignment);
  if (callsXnnpack) constantBytes_ += kXnnpackOverRead;
  end_ = constantBytes_;
  segments_.push_back({0, constantBytes_});
}

void Segments::collectConstant(const ir::Value* value, const Storage& storage) {
  const ir::Value* base = storage.base(value);
  if (!base->isConstant()) return;
  const ir::Constant& constant = *base->constant();
  const bool outside =
      external_ != nullptr && constant.data->size() >= kSmallestExternal && !inside_.contains(&constant);
  if (!outside) return addConstant(constant);
  if (externalKeys_.contains(value)) return;
  const std::string& name = constant.name.empty() ? base->name() : constant.name;
  externalKeys_.emplace(value, external_->addTensor(name, contents_.add(constant.data), constant.data, value->type()));
}

void Segments::addConstant(const ir::Constant& constant) {
  if (constantIndices_.contains(&constant)) return;
  check(constant.data->size() == constant.type.bytes(),
        concat("the constant ", constant.name, " holds ", constant.data->size(), " bytes and its type needs ",
               constant.type.bytes()));
  const size_t content = contents_.add(constant.data);
  const auto [known, isNew] = constantOfContent_.emplace(content, static_cast<uint32_t>(constantOffsets_.size()));
  if (isNew) {
    const uint64_t offset = roundUp(end_, kTensorAlignment);
    constantOffsets_.push_back(offset);
    pieces_.push_back({offset, constant.data});
    end_ = offset + constant.data->size();
  }
  constantIndices_.emplace(&constant, known->second);
}

// What begins with zeros shares the longest run of them: the runtime promises nothing of fresh memory. The bytes are
// copied when a method is loaded, so they need no alignment.
void Segments::collectInitial(const std::vector<Storage>& methods, const Context& context) {
  const uint64_t begin = end_;
  uint64_t end = begin, zeros = 0;
  std::vector<const ir::Constant*> zero;
  std::vector<const ir::Value*> states;
  for (const Storage& storage : methods) {
    const auto own = storage.graph().states();
    states.insert(states.end(), own.begin(), own.end());
  }
  std::unordered_map<size_t, uint32_t> indexOfContent;
  for (const ir::Value* state : states) {
    context.throwIfStopped();
    const ir::Constant& initial = *state->initial();
    if (initial.data->size() == 0) {
      initialIndices_.emplace(&initial, 0);
    } else if (isZero(*initial.data)) {
      zero.push_back(&initial);
      zeros = std::max(zeros, initial.data->size());
    } else {
      const auto [known, isNew] =
          indexOfContent.emplace(contents_.add(initial.data), static_cast<uint32_t>(initialOffsets_.size()));
      if (isNew) {
        initialOffsets_.push_back(end - begin);
        pieces_.push_back({end, initial.data});
        end += initial.data->size();
      }
      initialIndices_.emplace(&initial, known->second);
    }
  }
  if (!zero.empty()) zeroIndex_ = static_cast<uint32_t>(initialOffsets_.size());
  for (const ir::Constant* initial : zero) initialIndices_.emplace(initial, zeroIndex_);
  if (!zero.empty()) {
    initialOffsets_.push_back(end - begin);
    pieces_.push_back({end, std::make_shared<const ZeroBytes>(zeros)});
    end += zeros;
  }
  if (end == begin) return;
  initialBytes_ = end - begin;
  initialSegment_ = static_cast<uint32_t>(segments_.size());
  segments_.push_back({begin, initialBytes_});
  end_ = end;
}

void Segments::collectBlobs(const std::vector<Storage>& methods, const Context& context) {
  std::vector<const ir::Node*> calls;
  for (const Storage& storage : methods) {
    for (const ir::Node* node : storage.instructions()) {
      if (node->blob) calls.push_back(node);
    }
  }
  for (const ir::Node* node : calls) {
    if (blobSegments_.contains(node->blob.get())) continue;
    context.throwIfStopped();
    const size_t before = segments_.size();
    const uint32_t segment = place(contents_.add(std::make_shared<BlobBytes>(node->blob)));
    blobSegments_.emplace(node->blob.get(), segment);
    if (segments_.size() > before) delegateBytes_ += segments_.back().size;
  }
  for (const ir::Node* node : calls) {
    for (const ir::NamedData& named : node->blob->namedData) {
      context.throwIfStopped();
      addNamed(named);
    }
  }
}

// A backend's key stands for the bytes, so that a filter which is reordered for it need not be made twice to be
// compared.
void Segments::addNamed(const ir::NamedData& named) {
  if (const auto known = contentOfKey_.find(named.key); known != contentOfKey_.end()) {
    const uint64_t size = contents_.distinct()[known->second]->size();
    const bool same =
        size == named.data->size() && (size > kComparedUnderOneKey || contents_.add(named.data) == known->second);
    check(same, concat("two different blobs of named data have the key ", named.key));
    return;
  }
  const size_t content = contents_.addUncomputed(named.data);
  contentOfKey_.emplace(named.key, content);
  if (external_ != nullptr) return external_->addData(named.key, content, contents_.distinct()[content]);
  const uint64_t before = end_;
  namedData_.emplace_back(named.key, place(content));
  if (end_ > before) namedDataBytes_ += named.data->size();
}

// The segment that holds the content. One that is a constant too (a tied weight) is a segment inside the constant
// segment.
uint32_t Segments::place(size_t content) {
  const auto [known, isNew] = segmentOfContent_.emplace(content, static_cast<uint32_t>(segments_.size()));
  if (!isNew) return known->second;
  const SourcePtr& source = contents_.distinct()[content];
  if (const auto constant = constantOfContent_.find(content); constant != constantOfContent_.end()) {
    segments_.push_back({constantOffsets_[constant->second], source->size()});
    return known->second;
  }
  const uint64_t offset = roundUp(end_, alignment_);
  ownSegments_.push_back(known->second);
  segments_.push_back({offset, source->size()});
  pieces_.push_back({offset, source});
  end_ = offset + source->size();
  return known->second;
}

// Nothing follows the last segment, so the file is smallest where that is the one whose alignment would cost the most.
void Segments::endWithLargestGap() {
  const auto gap = [&](uint32_t segment) {
    const uint64_t size = segments_[segment].size;
    return roundUp(size, alignment_) - size;
  };
  const auto last = std::max_element(ownSegments_.begin(), ownSegments_.end(),
                                     [&](uint32_t a, uint32_t b) { return gap(a) < gap(b); });
  if (last == ownSegments_.end()) return;
  const auto first = pieces_.size() - ownSegments_.size();
  const auto piece = pieces_.begin() + static_cast<std::ptrdiff_t>(first) + (last - ownSegments_.begin());
  end_ = segments_[ownSegments_.front()].offset;
  std::rotate(piece, piece + 1, pieces_.end());
  std::rotate(last, last + 1, ownSegments_.end());
  for (size_t i = 0; i < ownSegments_.size(); ++i) {
    Segment& segment = segments_[ownSegments_[i]];
    segment.offset = pieces_[first + i].offset = roundUp(end_, alignment_);
    end_ = segment.offset + segment.size;
  }
}

uint32_t Segments::constantIndex(const ir::Constant& constant) const {
  return constantIndices_.at(&constant);
}
const std::string* Segments::externalKey(const ir::Value* value) const {
  const auto found = externalKeys_.find(value);
  return found == externalKeys_.end() ? nullptr : &found->second;
}
uint32_t Segments::initialIndex(const ir::Constant& initial) const {
  return initialIndices_.at(&initial);
}
bool Segments::startsAtZero(const ir::Constant& initial) const {
  return initialIndex(initial) == zeroIndex_;
}
uint32_t Segments::segmentOf(const ir::DelegateBlob& blob) const {
  return blobSegments_.at(&blob);
}
uint64_t Segments::bytes() const {
  return end_;
}

}  // namespace exportdeck::pte
