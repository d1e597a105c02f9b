// Sizes that are known only at run time: integer polynomials of symbols, with bounds.
//
// An expression is kept in a normal form (a sum of products in a fixed order), so that equal ones compare equal: 2*s0
// is s0 + s0. Divisions and remainders that do not come out even, minima and maxima are atoms of their own.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace exportdeck::ir {

struct SymExpr;

// A number, or an expression. Arithmetic overflow throws Code::ShapeUnsupported.
class SymInt {
 public:
  SymInt(int64_t value = 0) : value_(value) {}  // NOLINT(google-explicit-constructor): sizes are mostly numbers
  explicit SymInt(std::shared_ptr<const SymExpr> expr) : expr_(std::move(expr)) {}
  static SymInt symbol(std::string name, std::optional<int64_t> lower, std::optional<int64_t> upper);

  bool isStatic() const { return !expr_; }
  // Throws Code::ShapeUnsupported when symbolic: whoever asks can do only with a number.
  int64_t value() const;
  operator int64_t() const { return value(); }  // NOLINT(google-explicit-constructor): the same, in arithmetic
  const SymExpr* expr() const { return expr_.get(); }
  // Least and largest value; nothing where there is no such bound.
  std::optional<int64_t> lower() const;
  std::optional<int64_t> upper() const;
  // "12", "2*s0 + 1", "floordiv(s0, 2)": what parseSymInt() reads.
  std::string text() const;

  SymInt& operator+=(const SymInt& other);
  SymInt& operator-=(const SymInt& other);
  SymInt& operator*=(const SymInt& other);

 private:
  int64_t value_ = 0;
  std::shared_ptr<const SymExpr> expr_;
};

// What a product is made of: a symbol, or a function of expressions.
struct SymAtom {
  std::string text;
  std::string function;      // "floordiv", "mod", "max", "min"; empty: a symbol, whose name is the text
  std::vector<SymInt> args;  // of the function
  std::optional<int64_t> lower, upper;
};
using SymAtomPtr = std::shared_ptr<const SymAtom>;

struct SymTerm {
  int64_t factor = 1;
  std::vector<SymAtomPtr> atoms;  // in order of their texts; a power is a repeat
};

// constant + the sum of the terms, of which there is at least one.
struct SymExpr {
  std::string text;
  std::optional<int64_t> lower, upper;
  int64_t constant = 0;
  std::vector<SymTerm> terms;  // in order of their atoms
};

SymInt add(const SymInt& a, const SymInt& b);
SymInt multiply(const SymInt& a, const SymInt& b);
// Rounded down, as Python's // and %. The divisor must not be zero.
SymInt floorDivide(const SymInt& a, const SymInt& b);
SymInt modulo(const SymInt& a, const SymInt& b);
SymInt maximum(const SymInt& a, const SymInt& b);
SymInt minimum(const SymInt& a, const SymInt& b);
bool same(const SymInt& a, const SymInt& b);  // provably equal
// Whether a < b, from the bounds. Throws Code::ShapeUnsupported where they leave it open.
bool less(const SymInt& a, const SymInt& b);

std::optional<bool> lessIfKnown(const SymInt& a, const SymInt& b);

// The value where each symbol has that of `valueOf`.
int64_t evaluate(const SymInt& number, const std::function<int64_t(const std::string& symbol)>& valueOf);
// The names of the symbols in it, each once.
std::vector<std::string> symbolsOf(const SymInt& number);
// Reads what text() writes; `symbol` gives what stands for a name. Nothing where the text is none.
std::optional<SymInt> parseSymInt(std::string_view text, const std::function<SymInt(std::string_view name)>& symbol);

// Numbers and expressions mix: a symbol is neither 0 nor 1 unless its bounds leave nothing else, which is what PyTorch
// assumes of it too.
inline SymInt operator+(const SymInt& a, const SymInt& b) {
  return add(a, b);
}
inline SymInt operator-(const SymInt& a, const SymInt& b) {
  return add(a, multiply(b, -1));
}
inline SymInt operator*(const SymInt& a, const SymInt& b) {
  return multiply(a, b);
}
inline SymInt operator/(const SymInt& a, const SymInt& b) {
  return floorDivide(a, b);
}
inline SymInt operator%(const SymInt& a, const SymInt& b) {
  return modulo(a, b);
}
inline bool operator==(const SymInt& a, const SymInt& b) {
  return same(a, b);
}
inline bool operator<(const SymInt& a, const SymInt& b) {
  return less(a, b);
}
inline bool operator>(const SymInt& a, const SymInt& b) {
  return less(b, a);
}
inline bool operator<=(const SymInt& a, const SymInt& b) {
  return !less(b, a);
}
inline bool operator>=(const SymInt& a, const SymInt& b) {
  return !less(a, b);
}

// With plain numbers, so that neither side is converted first.
#define EXPORTDECK_MIXED(result, op)                     \
  template <std::integral Number>                        \
  inline result operator op(const SymInt& a, Number b) { \
    return a op SymInt(static_cast<int64_t>(b));         \
  }                                                      \
  template <std::integral Number>                        \
  inline result operator op(Number a, const SymInt& b) { \
    return SymInt(static_cast<int64_t>(a)) op b;         \
  }
EXPORTDECK_MIXED(SymInt, +)
EXPORTDECK_MIXED(SymInt, -)
EXPORTDECK_MIXED(SymInt, *)
EXPORTDECK_MIXED(SymInt, /)
EXPORTDECK_MIXED(SymInt, %)
EXPORTDECK_MIXED(bool, <)
EXPORTDECK_MIXED(bool, >)
EXPORTDECK_MIXED(bool, <=)
EXPORTDECK_MIXED(bool, >=)
#undef EXPORTDECK_MIXED
template <std::integral Number>
inline bool operator==(const SymInt& a, Number b) {
  return a == SymInt(static_cast<int64_t>(b));
}

}  // namespace exportdeck::ir
