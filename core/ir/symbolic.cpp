#include "ir/symbolic.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck::ir {

namespace {

using Bound = std::optional<int64_t>;

[[noreturn]] void tooLarge() {
  throw ExportError(Code::ShapeUnsupported, "a computed size is larger than 64 bits count");
}

int64_t plus(int64_t a, int64_t b) {
  if (__builtin_add_overflow(a, b, &a)) tooLarge();
  return a;
}
int64_t times(int64_t a, int64_t b) {
  if (__builtin_mul_overflow(a, b, &a)) tooLarge();
  return a;
}
int64_t floorOf(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// Bounds beyond 64 bits are none.
Bound plusBound(Bound a, Bound b) {
  int64_t sum = 0;
  return a && b && !__builtin_add_overflow(*a, *b, &sum) ? Bound(sum) : std::nullopt;
}
Bound timesBound(Bound a, Bound b) {
  int64_t product = 0;
  return a && b && !__builtin_mul_overflow(*a, *b, &product) ? Bound(product) : std::nullopt;
}

struct Interval {
  Bound lower, upper;
};

Interval plusInterval(const Interval& a, const Interval& b) {
  return {plusBound(a.lower, b.lower), plusBound(a.upper, b.upper)};
}

Interval timesInterval(const Interval& a, const Interval& b) {
  const auto isNatural = [](const Interval& i) { return i.lower && *i.lower >= 0; };
  if (isNatural(a) && isNatural(b)) return {timesBound(a.lower, b.lower), timesBound(a.upper, b.upper)};
  if (!a.lower || !a.upper || !b.lower || !b.upper) return {};
  Interval out;
  for (const Bound& left : {a.lower, a.upper}) {
    for (const Bound& right : {b.lower, b.upper}) {
      const Bound product = timesBound(left, right);
      if (!product) return {};
      out.lower = out.lower ? std::min(*out.lower, *product) : *product;
      out.upper = out.upper ? std::max(*out.upper, *product) : *product;
    }
  }
  return out;
}

Interval scaled(const Interval& interval, int64_t factor) {
  Interval out{timesBound(interval.lower, factor), timesBound(interval.upper, factor)};
  if (factor < 0) std::swap(out.lower, out.upper);
  return out;
}

Interval intervalOf(const SymInt& number) {
  return {number.lower(), number.upper()};
}

std::string textOf(const std::vector<SymAtomPtr>& atoms) {
  std::vector<std::string> parts;
  for (const SymAtomPtr& atom : atoms) parts.push_back(atom->text);
  return join(parts, "*");
}

// Collects terms and brings them into the normal form.
class Sum {
 public:
  void add(const SymInt& number, int64_t factor = 1) {
    if (number.isStatic()) {
      constant_ = plus(constant_, times(number.value(), factor));
      return;
    }
    constant_ = plus(constant_, times(number.expr()->constant, factor));
    for (const SymTerm& term : number.expr()->terms) add(term.atoms, times(term.factor, factor));
  }
  void add(const std::vector<SymAtomPtr>& atoms, int64_t factor) {
    if (atoms.empty()) {
      constant_ = plus(constant_, factor);
      return;
    }
    SymTerm& term = terms_.try_emplace(textOf(atoms), SymTerm{0, atoms}).first->second;
    term.factor = plus(term.factor, factor);
  }
  SymInt finish() const {
    auto expr = std::make_shared<SymExpr>();
    expr->constant = constant_;
    Interval interval{constant_, constant_};
    for (const auto& [key, term] : terms_) {
      if (term.factor == 0) continue;
      Interval product{1, 1};
      for (const SymAtomPtr& atom : term.atoms) product = timesInterval(product, {atom->lower, atom->upper});
      interval = plusInterval(interval, scaled(product, term.factor));
      const bool negative = term.factor < 0;
      const std::string size = term.factor == 1 || term.factor == -1 ? key : concat(std::abs(term.factor), "*", key);
      expr->text += expr->text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
      expr->text += size;
      expr->terms.push_back(term);
    }
    if (expr->terms.empty()) return constant_;
    if (constant_ != 0) expr->text += concat(constant_ < 0 ? " - " : " + ", std::abs(constant_));
    expr->lower = interval.lower;
    expr->upper = interval.upper;
    return SymInt(std::move(expr));
  }

 private:
  int64_t constant_ = 0;
  std::map<std::string, SymTerm> terms_;
};

std::vector<SymAtomPtr> merged(const std::vector<SymAtomPtr>& a, const std::vector<SymAtomPtr>& b) {
  std::vector<SymAtomPtr> out(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin(),
             [](const SymAtomPtr& x, const SymAtomPtr& y) { return x->text < y->text; });
  return out;
}

SymInt ofAtom(SymAtomPtr atom) {
  Sum sum;
  sum.add({std::move(atom)}, 1);
  return sum.finish();
}

SymInt function(std::string name, const SymInt& a, const SymInt& b, Interval interval) {
  auto atom = std::make_shared<SymAtom>();
  atom->text = concat(name, "(", a.text(), ", ", b.text(), ")");
  atom->function = std::move(name);
  atom->args = {a, b};
  atom->lower = interval.lower;
  atom->upper = interval.upper;
  return ofAtom(std::move(atom));
}

std::vector<SymTerm> termsOf(const SymInt& number) {
  return number.isStatic() ? std::vector<SymTerm>() : number.expr()->terms;
}

// `atoms` without those of `divisor`; nothing where one is not there.
std::optional<std::vector<SymAtomPtr>> without(std::vector<SymAtomPtr> atoms, const std::vector<SymAtomPtr>& divisor) {
  for (const SymAtomPtr& gone : divisor) {
    const auto at =
        std::find_if(atoms.begin(), atoms.end(), [&](const SymAtomPtr& atom) { return atom->text == gone->text; });
    if (at == atoms.end()) return std::nullopt;
    atoms.erase(at);
  }
  return atoms;
}

// a / b where each term of a is a multiple of b, which has one term or is a number.
std::optional<SymInt> dividedEvenly(const SymInt& a, const SymInt& b) {
  if (same(a, b)) return 1;
  int64_t factor = 0;
  std::vector<SymAtomPtr> atoms;
  if (b.isStatic()) {
    factor = b.value();
  } else {
    if (b.expr()->terms.size() != 1 || b.expr()->constant != 0) return std::nullopt;
    factor = b.expr()->terms.front().factor;
    atoms = b.expr()->terms.front().atoms;
  }
  Sum sum;
  const int64_t constant = a.isStatic() ? a.value() : a.expr()->constant;
  if (constant % factor != 0 || (constant != 0 && !atoms.empty())) return std::nullopt;
  sum.add(SymInt(constant / factor));
  for (const SymTerm& term : termsOf(a)) {
    auto rest = without(term.atoms, atoms);
    if (!rest || term.factor % factor != 0) return std::nullopt;
    sum.add(*rest, term.factor / factor);
  }
  return sum.finish();
}

}  // namespace

SymInt SymInt::symbol(std::string name, std::optional<int64_t> lower, std::optional<int64_t> upper) {
  auto atom = std::make_shared<SymAtom>();
  atom->text = std::move(name);
  atom->lower = lower;
  atom->upper = upper;
  return ofAtom(std::move(atom));
}

int64_t SymInt::value() const {
  if (expr_) {
    throw ExportError(
        Code::ShapeUnsupported, concat("the size ", text(), " is known only at run time"),
        {"Export the model with this size fixed: leave it out of dynamic_shapes in torch.export.export()"});
  }
  return value_;
}

std::optional<int64_t> SymInt::lower() const {
  return expr_ ? expr_->lower : value_;
}
std::optional<int64_t> SymInt::upper() const {
  return expr_ ? expr_->upper : value_;
}

std::string SymInt::text() const {
  return expr_ ? expr_->text : concat(value_);
}

SymInt& SymInt::operator+=(const SymInt& other) {
  return *this = add(*this, other);
}
SymInt& SymInt::operator-=(const SymInt& other) {
  return *this = add(*this, multiply(other, -1));
}
SymInt& SymInt::operator*=(const SymInt& other) {
  return *this = multiply(*this, other);
}

SymInt add(const SymInt& a, const SymInt& b) {
  Sum sum;
  sum.add(a);
  sum.add(b);
  return sum.finish();
}

SymInt multiply(const SymInt& a, const SymInt& b) {
  if (a.isStatic() || b.isStatic()) {
    Sum sum;
    sum.add(a.isStatic() ? b : a, (a.isStatic() ? a : b).value());
    return sum.finish();
  }
  Sum sum;
  sum.add(a, b.expr()->constant);
  for (const SymTerm& right : b.expr()->terms) {
    sum.add(right.atoms, times(right.factor, a.expr()->constant));
    for (const SymTerm& left : a.expr()->terms)
      sum.add(merged(left.atoms, right.atoms), times(left.factor, right.factor));
  }
  return sum.finish();
}

SymInt floorDivide(const SymInt& a, const SymInt& b) {
  if (b.isStatic() && b.value() == 0) throw ExportError(Code::GraphInvalid, "a size is divided by zero");
  if (a.isStatic() && b.isStatic()) return floorOf(a.value(), b.value());
  if (const std::optional<SymInt> even = dividedEvenly(a, b)) return *even;
  Interval interval;
  const Bound least = b.lower(), most = b.upper();
  if (least && *least > 0 && a.lower() && *a.lower() >= 0) {
    interval.lower = most ? floorOf(*a.lower(), *most) : 0;
    if (a.upper()) interval.upper = floorOf(*a.upper(), *least);
  } else if (b.isStatic() && b.value() > 0) {
    if (a.lower()) interval.lower = floorOf(*a.lower(), b.value());
    if (a.upper()) interval.upper = floorOf(*a.upper(), b.value());
  }
  return function("floordiv", a, b, interval);
}

SymInt modulo(const SymInt& a, const SymInt& b) {
  if (b.isStatic() && b.value() == 0) throw ExportError(Code::GraphInvalid, "a size is divided by zero");
  if (a.isStatic() && b.isStatic()) return a.value() - floorOf(a.value(), b.value()) * b.value();
  if (dividedEvenly(a, b)) return 0;
  Interval interval;
  if (b.lower() && *b.lower() > 0) {
    interval.lower = 0;
    if (b.upper()) interval.upper = *b.upper() - 1;
  }
  return function("mod", a, b, interval);
}

SymInt maximum(const SymInt& a, const SymInt& b) {
  const Interval excess = intervalOf(add(a, multiply(b, -1)));
  if (excess.lower && *excess.lower >= 0) return a;
  if (excess.upper && *excess.upper <= 0) return b;
  Interval interval;
  if (a.lower() || b.lower()) interval.lower = std::max(a.lower().value_or(*b.lower()), b.lower().value_or(*a.lower()));
  if (a.upper() && b.upper()) interval.upper = std::max(*a.upper(), *b.upper());
  return a.text() < b.text() ? function("max", a, b, interval) : function("max", b, a, interval);
}

SymInt minimum(const SymInt& a, const SymInt& b) {
  const Interval excess = intervalOf(add(a, multiply(b, -1)));
  if (excess.upper && *excess.upper <= 0) return a;
  if (excess.lower && *excess.lower >= 0) return b;
  Interval interval;
  if (a.upper() || b.upper()) interval.upper = std::min(a.upper().value_or(*b.upper()), b.upper().value_or(*a.upper()));
  if (a.lower() && b.lower()) interval.lower = std::min(*a.lower(), *b.lower());
  return a.text() < b.text() ? function("min", a, b, interval) : function("min", b, a, interval);
}

bool same(const SymInt& a, const SymInt& b) {
  if (a.isStatic() != b.isStatic()) return false;
  return a.isStatic() ? a.value() == b.value() : a.expr()->text == b.expr()->text;
}

std::optional<bool> lessIfKnown(const SymInt& a, const SymInt& b) {
  const Interval difference = intervalOf(add(b, multiply(a, -1)));
  if (difference.lower && *difference.lower > 0) return true;
  if (difference.upper && *difference.upper <= 0) return false;
  return std::nullopt;
}

bool less(const SymInt& a, const SymInt& b) {
  if (a.isStatic() && b.isStatic()) return a.value() < b.value();
  if (const std::optional<bool> known = lessIfKnown(a, b)) return *known;
  throw ExportError(Code::ShapeUnsupported,
                    concat("whether the size ", a.text(), " is less than ", b.text(), " is known only at run time"),
                    {"Export the model with these sizes fixed, or with bounds that decide it"});
}

int64_t evaluate(const SymInt& number, const std::function<int64_t(const std::string& symbol)>& valueOf) {
  if (number.isStatic()) return number.value();
  const auto atomValue = [&](const SymAtom& atom) -> int64_t {
    if (atom.function.empty()) return valueOf(atom.text);
    const SymInt a = evaluate(atom.args[0], valueOf), b = evaluate(atom.args[1], valueOf);
    if (atom.function == "floordiv") return floorDivide(a, b).value();
    if (atom.function == "mod") return modulo(a, b).value();
    return (atom.function == "max" ? maximum(a, b) : minimum(a, b)).value();
  };
  int64_t total = number.expr()->constant;
  for (const SymTerm& term : number.expr()->terms) {
    int64_t product = term.factor;
    for (const SymAtomPtr& atom : term.atoms) product = times(product, atomValue(*atom));
    total = plus(total, product);
  }
  return total;
}

namespace {

void collectSymbols(const SymInt& number, std::set<std::string>& into) {
  for (const SymTerm& term : termsOf(number)) {
    for (const SymAtomPtr& atom : term.atoms) {
      if (atom->function.empty()) into.insert(atom->text);
      for (const SymInt& arg : atom->args) collectSymbols(arg, into);
    }
  }
}

}  // namespace

std::vector<std::string> symbolsOf(const SymInt& number) {
  std::set<std::string> names;
  collectSymbols(number, names);
  return {names.begin(), names.end()};
}

}  // namespace exportdeck::ir
