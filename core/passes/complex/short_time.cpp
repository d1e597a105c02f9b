// Short-time transforms: frames of a signal, each transformed; and back, the frames added up where they overlap.
#include "base/text.h"
#include "passes/complex/dft.h"

namespace exportdeck::passes::complex {

namespace {

// What stft and istft are told alike: (x, n_fft, hop_length, win_length, window, ...).
struct Framing {
  int64_t length, hop, windowLength;
  Value* window = nullptr;  // [length], of the dtype of the signal; null: ones
};

Value* paddedAlongLast(Rewriter& r, Value* x, int64_t before, int64_t after, const std::string& mode) {
  if (before == 0 && after == 0) return x;
  ir::Shape sizes = sizesOf(x);
  sizes.back() += before + after;
  return r.build.node("aten.pad.default", {x, ir::IntList{before, after}, mode, ir::None{}}, {dtypeOf(x), sizes});
}

Framing framingOf(Rewriter& r, DType dtype) {
  Framing out{r.node.intArg(1), 0, 0};
  out.hop = r.node.isNone(2) ? out.length / 4 : r.node.intArg(2);
  out.windowLength = r.node.isNone(3) ? out.length : r.node.intArg(3);
  const int64_t before = (out.length - out.windowLength) / 2, after = out.length - out.windowLength - before;
  if (r.node.isNone(4)) {
    if (out.windowLength == out.length) return out;
    out.window = r.build.full({out.windowLength}, 1.0, dtype);
  } else {
    Value* window = r.node.value(4);
    if (isComplex(dtypeOf(window))) return {};
    out.window = r.build.cast(window, dtype);
  }
  out.window = paddedAlongLast(r, out.window, before, after, "constant");
  return out;
}

bool flagOf(const Rewriter& r, size_t argument, bool fallback) {
  return r.node.isNone(argument) ? fallback : r.node.boolArg(argument);
}

// One row where there is none.
Value* inBatch(Rewriter& r, Value* x, size_t rank) {
  return rankOf(x) < rank ? r.build.unsqueeze(x, 0) : x;
}

// `first` is the place of "normalized": behind it stand onesided, return_complex, align_to_window.
Results framesTransformed(Rewriter& r, size_t first, const Parts& signal) {
  const DType dtype = dtypeOf(signal.re);
  const Framing framing = framingOf(r, dtype);
  if (framing.length == 0 || flagOf(r, first + 3, false)) return {};
  const bool halved = flagOf(r, first + 1, !signal.im);
  const bool asPairs = !isComplex(dtypeOf(r.node.output()));
  const ir::TensorType& result = r.node.output()->type();
  const ir::SymInt frames = result.dim(asPairs ? -2 : -1);
  const Parts windowed = r.each(signal, [&](Value* x) {
    Value* cut = r.build.node("aten.unfold_copy.default", {x, int64_t{1}, framing.length, framing.hop},
                              {dtype, {x->type().dim(0), frames, framing.length}});
    return framing.window ? r.build.mul(cut, framing.window) : cut;
  });
  const int64_t kept = halved ? framing.length / 2 + 1 : framing.length;
  const double scale = r.node.boolArg(first) ? 1 / std::sqrt(static_cast<double>(framing.length)) : 1;
  Parts spectrum = transformed(r, windowed, -1, framing.length, kept, Direction::Forward, scale);
  ir::Shape sizes = result.shape;
  if (asPairs) sizes.pop_back();
  spectrum = r.each(spectrum, [&](Value* x) { return r.build.view(r.build.transpose(x, 1, 2), sizes); });
  if (!asPairs) return {spectrum};
  const auto last = static_cast<int64_t>(sizes.size());
  return {{r.build.cat({r.build.unsqueeze(spectrum.re, last), r.build.unsqueeze(r.imaginary(spectrum), last)}, last),
           nullptr}};
}

Parts signalOf(Rewriter& r) {
  return r.each(r.of(r.node.value(0)), [&](Value* x) { return inBatch(r, x, 2); });
}

Results stft(Rewriter& r) {
  return framesTransformed(r, 5, signalOf(r));
}

// (..., center, pad_mode, normalized, ...)
Results stftCentred(Rewriter& r) {
  const int64_t reach = r.node.boolArg(5) ? r.node.intArg(1) / 2 : 0;
  return framesTransformed(
      r, 7, r.each(signalOf(r), [&](Value* x) { return paddedAlongLast(r, x, reach, reach, r.node.stringArg(6)); }));
}

// Frames [batch, count, length], each `hop` behind the one before, added up: [batch, (count - 1) * hop + length]. Cut
// into pieces of one hop, all first pieces lie one behind the other, and so do all second ones, one hop later.
Value* overlapped(Rewriter& r, Value* frames, int64_t hop) {
  const ir::Shape sizes = sizesOf(frames);
  const int64_t length = sizes[2], pieces = (length + hop - 1) / hop;
  const ir::SymInt &batch = sizes[0], &count = sizes[1];
  frames = paddedAlongLast(r, frames, 0, pieces * hop - length, "constant");
  Value* sum = nullptr;
  for (int64_t i = 0; i < pieces; ++i) {
    Value* piece = r.build.view(r.build.slice(frames, 2, i * hop, (i + 1) * hop), {batch, count * hop});
    piece = paddedAlongLast(r, piece, i * hop, (pieces - 1 - i) * hop, "constant");
    sum = sum ? r.build.add(sum, piece) : piece;
  }
  return r.build.slice(sum, 1, 0, (count - 1) * hop + length);
}

// (x, n_fft, hop, win_length, window, center, normalized, onesided, length, return_complex), x [batch, bins, frames]
Results istft(Rewriter& r) {
  if (flagOf(r, 9, false)) return {};
  const Parts x = r.each(r.of(r.node.value(0)), [&](Value* part) { return inBatch(r, part, 3); });
  const DType dtype = dtypeOf(x.re);
  const Framing framing = framingOf(r, dtype);
  constexpr int64_t kMostPieces = 64;
  if (framing.length == 0 || framing.hop < 1 || framing.length / framing.hop > kMostPieces) return {};
  const auto n = static_cast<double>(framing.length);
  const double scale = r.node.boolArg(6) ? 1 / std::sqrt(n) : 1 / n;
  const Parts spectrum = r.each(x, [&](Value* part) { return r.build.transpose(part, 1, 2); });
  Value* frames = transformedToReal(r, spectrum, -1, framing.length, Direction::Inverse, scale);
  Value* window = framing.window ? framing.window : r.build.full({framing.length}, 1.0, dtype);
  Value* signal = overlapped(r, r.build.mul(frames, window), framing.hop);
  Value* weight = r.build.view(r.build.mul(window, window), {1, 1, framing.length});
  weight = overlapped(r, r.build.expand(weight, {1, frames->type().dim(1), framing.length}), framing.hop);
  const ir::SymInt whole = signal->type().dim(1);
  const ir::SymInt start = r.node.boolArg(5) ? framing.length / 2 : 0;
  const ir::SymInt wanted = r.node.output()->type().dim(-1);
  const bool isShort = start + wanted > whole;
  const ir::SymInt end = isShort ? whole : start + wanted;
  const auto middle = [&](Value* all) { return r.build.slice(all, 1, start, end); };
  Value* result = r.build.div(middle(signal), middle(weight));
  if (isShort) result = paddedAlongLast(r, result, 0, start + wanted - whole, "constant");
  return {{r.build.view(result, r.node.output()->type().shape), nullptr}};
}

}  // namespace

void registerShortTime(Table& table) {
  table.add({"aten.stft.default"}, stft);
  table.add({"aten.stft.center"}, stftCentred);
  table.add({"aten.istft.default"}, istft);
}

}  // namespace exportdeck::passes::complex
