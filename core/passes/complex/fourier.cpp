// The operators of torch.fft, and those that PyTorch makes of them.
#include <numeric>

#include "base/text.h"
#include "passes/complex/dft.h"

namespace exportdeck::passes::complex {

namespace {

// The factor of a transform of `count` elements under a norm of torch.fft; "backward" divides the inverse one.
double scaleOf(const std::string& norm, Direction direction, int64_t count) {
  const auto n = static_cast<double>(count);
  if (norm == "ortho") return 1 / std::sqrt(n);
  return (norm == "forward") == (direction == Direction::Forward) ? 1 / n : 1;
}
// The same for the numbers that the inner operators take.
double scaleOf(int64_t mode, int64_t count) {
  const auto n = static_cast<double>(count);
  return mode == 0 ? 1 : mode == 1 ? 1 / std::sqrt(n) : 1 / n;
}

std::string normOf(const Rewriter& r, size_t argument) {
  return r.node.isNone(argument) ? "backward" : r.node.stringArg(argument);
}

Parts input(Rewriter& r) {
  return r.operand(0, r.partType());
}

// A length that is known only at run time has no matrix.
int64_t lengthOf(const Rewriter& r, const Value* x, int64_t dim) {
  const ir::SymInt& size = x->type().dim(dim);
  if (!size.isStatic()) {
    r.refuse(Code::ShapeUnsupported, concat(r.node.op(), " transforms ", size.text(), " elements"),
             "a transform is computed as a product with a constant matrix, so its length must be known at export",
             {"Export that dimension with a fixed size", "Pass n=, to which the signal is cut or padded"});
  }
  return size.value();
}

// Lengths and dimensions of a transform, in the order in which they were given.
struct Plan {
  ir::Sizes dims, lengths;
  int64_t count() const { return std::accumulate(lengths.begin(), lengths.end(), int64_t{1}, std::multiplies<>()); }
};

// (x, n, dim, norm); of half a spectrum the length is that of the whole.
Plan planOfOne(const Rewriter& r, bool halved) {
  const Value* x = r.node.value(0);
  const int64_t dim = ir::wrapDim(r.node.intArg(2), rankOf(x));
  if (!r.node.isNone(1)) return {{dim}, {r.node.intArg(1)}};
  const int64_t length = lengthOf(r, x, dim);
  return {{dim}, {halved ? 2 * (length - 1) : length}};
}

// (x, s, dim, norm)
Plan planOfMany(const Rewriter& r, bool halved) {
  const Value* x = r.node.value(0);
  Plan plan;
  const ir::Sizes given = r.node.isNone(1) ? ir::Sizes{} : r.node.ints(1);
  if (!r.node.isNone(2)) {
    for (const int64_t dim : r.node.ints(2)) plan.dims.push_back(ir::wrapDim(dim, rankOf(x)));
  } else {
    const size_t count = given.empty() ? rankOf(x) : given.size();
    for (size_t i = rankOf(x) - count; i < rankOf(x); ++i) plan.dims.push_back(static_cast<int64_t>(i));
  }
  for (size_t i = 0; i < plan.dims.size(); ++i) {
    const bool isHalf = halved && i + 1 == plan.dims.size();
    const bool isGiven = i < given.size() && given[i] != -1;
    const int64_t length = isGiven ? given[i] : lengthOf(r, x, plan.dims[i]);
    plan.lengths.push_back(isHalf && !isGiven ? 2 * (length - 1) : length);
  }
  return plan;
}

// Along all dimensions of the plan but the last `left`.
Parts alongAll(Rewriter& r, Parts x, const Plan& plan, size_t left, Direction direction, double scale) {
  for (size_t i = plan.dims.size() - left; i-- > 0;) {
    const int64_t n = plan.lengths[i];
    x = transformed(r, x, plan.dims[i], n, n, direction, scale);
    scale = 1;
  }
  return x;
}

Results complexToComplex(Rewriter& r, const Plan& plan, Direction direction) {
  const double scale = scaleOf(normOf(r, 3), direction, plan.count());
  if (plan.dims.empty()) return {input(r)};
  return {alongAll(r, input(r), plan, 0, direction, scale)};
}

// A real signal has a spectrum of which half says all.
Results realToComplex(Rewriter& r, const Plan& plan, Direction last, double scale) {
  const int64_t n = plan.lengths.back();
  const Parts half = transformed(r, input(r), plan.dims.back(), n, n / 2 + 1, last, scale);
  return {alongAll(r, half, plan, 1, last, 1)};
}

Results complexToReal(Rewriter& r, const Plan& plan, Direction direction, double scale) {
  const Parts x = alongAll(r, input(r), plan, 1, direction, 1);
  return {{transformedToReal(r, x, plan.dims.back(), plan.lengths.back(), direction, scale), nullptr}};
}

constexpr Direction kForward = Direction::Forward, kInverse = Direction::Inverse;

Results fft(Rewriter& r) {
  return complexToComplex(r, planOfOne(r, false), kForward);
}
Results ifft(Rewriter& r) {
  return complexToComplex(r, planOfOne(r, false), kInverse);
}
Results fftn(Rewriter& r) {
  return complexToComplex(r, planOfMany(r, false), kForward);
}
Results ifftn(Rewriter& r) {
  return complexToComplex(r, planOfMany(r, false), kInverse);
}

Results halfSpectrum(Rewriter& r, const Plan& plan, Direction direction) {
  return realToComplex(r, plan, direction, scaleOf(normOf(r, 3), direction, plan.count()));
}
Results rfft(Rewriter& r) {
  return halfSpectrum(r, planOfOne(r, false), kForward);
}
Results ihfft(Rewriter& r) {
  return halfSpectrum(r, planOfOne(r, false), kInverse);
}
Results rfftn(Rewriter& r) {
  return halfSpectrum(r, planOfMany(r, false), kForward);
}

Results realSignal(Rewriter& r, const Plan& plan, Direction direction) {
  return complexToReal(r, plan, direction, scaleOf(normOf(r, 3), direction, plan.count()));
}
Results irfft(Rewriter& r) {
  return realSignal(r, planOfOne(r, true), kInverse);
}
Results hfft(Rewriter& r) {
  return realSignal(r, planOfOne(r, true), kForward);
}
Results irfftn(Rewriter& r) {
  return realSignal(r, planOfMany(r, true), kInverse);
}

Plan innerPlan(const Rewriter& r) {
  Plan plan;
  for (const int64_t dim : r.node.ints(1)) {
    plan.dims.push_back(ir::wrapDim(dim, rankOf(r.node.value(0))));
    plan.lengths.push_back(lengthOf(r, r.node.value(0), plan.dims.back()));
  }
  return plan;
}

// (x, dims, normalization, forward)
Results innerComplex(Rewriter& r) {
  const Plan plan = innerPlan(r);
  if (plan.dims.empty()) return {input(r)};
  return {
      alongAll(r, input(r), plan, 0, r.node.boolArg(3) ? kForward : kInverse, scaleOf(r.node.intArg(2), plan.count()))};
}
// (x, dims, normalization, onesided)
Results innerFromReal(Rewriter& r) {
  const Plan plan = innerPlan(r);
  if (plan.dims.empty()) return {};
  const double scale = scaleOf(r.node.intArg(2), plan.count());
  if (!r.node.boolArg(3)) return {alongAll(r, input(r), plan, 0, kForward, scale)};
  return realToComplex(r, plan, kForward, scale);
}
// (x, dims, normalization, length of the last)
Results innerToReal(Rewriter& r) {
  Plan plan = innerPlan(r);
  if (plan.dims.empty()) return {};
  plan.lengths.back() = r.node.intArg(3);
  return complexToReal(r, plan, kInverse, scaleOf(r.node.intArg(2), plan.count()));
}

}  // namespace

void registerFourier(Table& table) {
  table.add({"aten.fft_fft.default"}, fft);
  table.add({"aten.fft_ifft.default"}, ifft);
  table.add({"aten.fft_fftn.default", "aten.fft_fft2.default"}, fftn);
  table.add({"aten.fft_ifftn.default", "aten.fft_ifft2.default"}, ifftn);
  table.add({"aten.fft_rfft.default"}, rfft);
  table.add({"aten.fft_ihfft.default"}, ihfft);
  table.add({"aten.fft_rfftn.default", "aten.fft_rfft2.default"}, rfftn);
  table.add({"aten.fft_irfft.default"}, irfft);
  table.add({"aten.fft_hfft.default"}, hfft);
  table.add({"aten.fft_irfftn.default", "aten.fft_irfft2.default"}, irfftn);
  table.add({"aten._fft_c2c.default"}, innerComplex);
  table.add({"aten._fft_r2c.default"}, innerFromReal);
  table.add({"aten._fft_c2r.default"}, innerToReal);
}

}  // namespace exportdeck::passes::complex
