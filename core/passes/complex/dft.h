// Discrete Fourier transforms of known length as products with constant matrices.
#pragma once

#include "passes/complex/parts.h"

namespace exportdeck::passes::complex {

enum class Direction { Forward, Inverse };  // the sign of the exponent: - and +

// The longest transform that is one matrix; longer ones are split into two factors as long as they have some.
inline constexpr int64_t kLongestMatrix = 2048;

// The first `kept` of the n results of the transform along `dim`, times `scale`. Where x is shorter than n zeros are
// behind it; where it is longer the rest is left out. The length of x along `dim` must be known. Refuses the node
// where a prime factor of n is above kLongestMatrix.
Parts transformed(Rewriter& r, const Parts& x, int64_t dim, int64_t n, int64_t kept, Direction direction, double scale);

// The n real results of the transform of a half spectrum, of which x holds the first n / 2 + 1 (more or fewer: cut or
// zeros); the imaginary parts of the first and, where n is even, the last count for nothing.
Value* transformedToReal(Rewriter& r, const Parts& x, int64_t dim, int64_t n, Direction direction, double scale);

}  // namespace exportdeck::passes::complex
