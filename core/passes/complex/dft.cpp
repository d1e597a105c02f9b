#include "passes/complex/dft.h"

#include <cmath>

#include "base/text.h"

namespace exportdeck::passes::complex {

namespace {

// Longer ones are split: less work and smaller constants, for a few permutations.
constexpr int64_t kLongestPlain = 128;

// cos and sin of a part of a full turn, with the numbers that are known exactly.
double cosine(int64_t place, int64_t n) {
  if (4 * place == n || 4 * place == 3 * n) return 0;
  return std::cos(2 * 3.14159265358979323846 * static_cast<double>(place) / static_cast<double>(n));
}
double sine(int64_t place, int64_t n) {
  if (place == 0 || 2 * place == n) return 0;
  return std::sin(2 * 3.14159265358979323846 * static_cast<double>(place) / static_cast<double>(n));
}

// The larger of the two factors that are nearest to each other.
int64_t largerFactor(int64_t n) {
  for (auto small = static_cast<int64_t>(std::sqrt(static_cast<double>(n))); small > 1; --small) {
    if (n % small == 0) return n / small;
  }
  return n;
}

bool isPlain(int64_t n) {
  return n <= kLongestPlain || largerFactor(n) == n;
}

bool canTransform(int64_t n) {
  if (isPlain(n)) return n <= kLongestMatrix;
  return canTransform(largerFactor(n)) && canTransform(n / largerFactor(n));
}

void requireLength(const Rewriter& r, int64_t n) {
  if (n >= 1 && canTransform(n)) return;
  int64_t good = 1;
  while (good < n) good *= 2;
  r.refuse(Code::ShapeUnsupported, concat(r.node.op(), " transforms ", n, " elements"),
           concat("a transform is computed as products with matrices of its factors, and ", n,
                  " has a prime factor above ", kLongestMatrix),
           {concat("Use a length of small factors, as ", good, ": pad the signal, or pass n=", good)});
}

// One matrix [rows, columns] of a transform of n: its cosines, or its sines with the direction's sign.
struct Matrix {
  int64_t n, rows, columns;
  Direction direction;
  double scale;
  bool sines;

  std::string name() const {
    return concat(sines ? "dft_sin_" : "dft_cos_", n, direction == Direction::Forward ? "" : "_inverse",
                  scale == 1 ? std::string() : concat("_by_", scale));
  }
  std::vector<double> elements() const {
    const double sign = direction == Direction::Forward ? -scale : scale;
    std::vector<double> out(static_cast<size_t>(rows * columns));
    for (int64_t k = 0; k < rows; ++k) {
      for (int64_t j = 0; j < columns; ++j) {
        const int64_t place = k * j % n;
        double& element = out[static_cast<size_t>(k * columns + j)];
        if (sines) {
          const double value = sine(place, n);
          element = value == 0 ? 0 : sign * value;
        } else {
          element = scale * cosine(place, n);
        }
      }
    }
    return out;
  }
  Value* constant(Rewriter& r, DType dtype) const {
    return r.constant(name(), {dtype, {rows, columns}}, [this] { return elements(); });
  }
};

Value* product(Rewriter& r, Value* x, Value* matrix) {
  if (rankOf(x) > 1) return r.build.linear(x, matrix, nullptr);
  return r.build.squeeze(r.build.linear(r.build.unsqueeze(x, 0), matrix, nullptr), 0);
}

// x times (cosines + i sines), along the last dimension.
Parts product(Rewriter& r, const Parts& x, Value* cosines, Value* sines) {
  const Parts ofReal{product(r, x.re, cosines), product(r, x.re, sines)};
  if (!x.im) return ofReal;
  return {r.build.sub(ofReal.re, product(r, x.im, sines)), r.build.add(ofReal.im, product(r, x.im, cosines))};
}

Value* fitted(Rewriter& r, Value* x, int64_t dim, int64_t size, bool pads) {
  const int64_t have = x->type().size(dim);
  if (have > size) return r.build.slice(x, dim, 0, size);
  if (have == size || !pads) return x;
  ir::Shape sizes = sizesOf(x);
  sizes.back() = size;
  return r.build.node("aten.constant_pad_nd.default", {x, ir::IntList{int64_t{0}, size - have}, int64_t{0}},
                      {dtypeOf(x), sizes});
}

Parts alongLast(Rewriter& r, Parts x, int64_t n, int64_t kept, Direction direction, double scale);

// n = p q: x as p rows of q, transformed along the rows' places, turned by the known angles, transformed along q.
// Element q j1 + j2 counts in result k1 + p k2 by W_p^(j1 k1) W_n^(j2 k1) W_q^(j2 k2).
Parts splitInTwo(Rewriter& r, const Parts& x, int64_t n, int64_t kept, Direction direction, double scale) {
  const int64_t q = largerFactor(n), p = n / q;
  const DType dtype = dtypeOf(x.re);
  ir::Shape sizes = sizesOf(x.re);
  sizes.back() = p;
  sizes.push_back(q);
  const auto turned = [&](Value* part) { return r.build.transpose(part, -2, -1); };
  Parts inner = r.each(x, [&](Value* part) { return turned(r.build.view(part, sizes)); });
  inner = alongLast(r, inner, p, p, direction, 1);  // [..., j2, k1]
  const Matrix cosines{n, q, p, direction, 1, false}, sines{n, q, p, direction, 1, true};
  inner = r.mul(inner, {cosines.constant(r, dtype), sines.constant(r, dtype)});
  inner = r.each(inner, turned);
  const int64_t columns = (kept + p - 1) / p;
  const Parts outer = alongLast(r, inner, q, columns, direction, scale);  // [..., k1, k2]
  sizes.pop_back();
  sizes.back() = p * columns;
  return r.each(outer, [&](Value* part) { return r.build.slice(r.build.view(turned(part), sizes), -1, 0, kept); });
}

Parts alongLast(Rewriter& r, Parts x, int64_t n, int64_t kept, Direction direction, double scale) {
  const bool plain = isPlain(n);
  x = r.each(x, [&](Value* part) { return fitted(r, part, -1, n, !plain); });
  if (n == 1 && scale == 1) return x;
  if (!plain) return splitInTwo(r, x, n, kept, direction, scale);
  const DType dtype = dtypeOf(x.re);
  const int64_t given = x.re->type().size(-1);  // zeros behind them count for nothing
  const Matrix cosines{n, kept, given, direction, scale, false}, sines{n, kept, given, direction, scale, true};
  return product(r, x, cosines.constant(r, dtype), sines.constant(r, dtype));
}

// How often each element of a half spectrum counts in the whole one.
std::vector<double> weights(int64_t n, bool imaginary) {
  std::vector<double> out(static_cast<size_t>(n / 2 + 1), 2);
  out.front() = imaginary ? 0 : 1;
  if (n % 2 == 0) out.back() = out.front();
  return out;
}

}  // namespace

Parts transformed(Rewriter& r, const Parts& x, int64_t dim, int64_t n, int64_t kept, Direction direction,
                  double scale) {
  requireLength(r, n);
  const auto last = [&](Value* part) { return r.build.transpose(part, dim, -1); };
  return r.each(alongLast(r, r.each(x, last), n, kept, direction, scale), last);
}

Value* transformedToReal(Rewriter& r, const Parts& x, int64_t dim, int64_t n, Direction direction, double scale) {
  requireLength(r, n);
  const DType dtype = dtypeOf(x.re);
  const int64_t half = n / 2 + 1;
  const auto weighted = [&](Value* part, bool imaginary) {
    part = fitted(r, r.build.transpose(part, dim, -1), -1, half, true);
    return r.build.mul(part, r.constant(concat(imaginary ? "dft_twice_im_" : "dft_twice_re_", n), {dtype, {half}},
                                        [&] { return weights(n, imaginary); }));
  };
  const Parts whole{weighted(x.re, false), x.im ? weighted(x.im, true) : nullptr};
  return r.build.transpose(alongLast(r, whole, n, n, direction, scale).re, dim, -1);
}

}  // namespace exportdeck::passes::complex
