#include "pt2/sympy.h"

#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "pt2/infix.h"
#include "pt2/json.h"

namespace exportdeck::pt2 {

namespace {

using ir::SymInt;
using Args = std::vector<std::optional<SymInt>>;  // an argument that is no integer expression is missing

constexpr int kMaximumDepth = 64;
constexpr int64_t kLargestPower = 8;

std::optional<SymInt> folded(const Args& args, SymInt (*combine)(const SymInt&, const SymInt&)) {
  if (args.empty() || !args.front()) return std::nullopt;
  SymInt total = *args.front();
  for (size_t i = 1; i < args.size(); ++i) {
    if (!args[i]) return std::nullopt;
    total = combine(total, *args[i]);
  }
  return total;
}

std::optional<SymInt> power(const Args& args) {
  if (args.size() != 2 || !args[0] || !args[1] || !args[1]->isStatic()) return std::nullopt;
  const int64_t exponent = args[1]->value();
  if (exponent < 0 || exponent > kLargestPower) return std::nullopt;
  SymInt product = 1;
  for (int64_t i = 0; i < exponent; ++i) product *= *args[0];
  return product;
}

std::optional<SymInt> call(std::string_view name, const Args& args) {
  const auto two = [&](SymInt (*function)(const SymInt&, const SymInt&)) -> std::optional<SymInt> {
    return args.size() == 2 ? folded(args, function) : std::nullopt;
  };
  if (name == "Add") return folded(args, ir::add);
  if (name == "Mul") return folded(args, ir::multiply);
  if (name == "Max") return folded(args, ir::maximum);
  if (name == "Min") return folded(args, ir::minimum);
  if (name == "Pow" || name == "PowByNatural") return power(args);
  if (name == "FloorDiv" || name == "CleanDiv") return two(ir::floorDivide);
  if (name == "Mod" || name == "PythonMod") return two(ir::modulo);
  if (name == "CeilDiv" && args.size() == 2 && args[0] && args[1])
    return ir::multiply(ir::floorDivide(ir::multiply(*args[0], -1), *args[1]), -1);
  if (name == "ModularIndexing" && args.size() == 3 && args[0] && args[1] && args[2])
    return ir::modulo(ir::floorDivide(*args[0], *args[1]), *args[2]);
  if (name == "Identity" && args.size() == 1) return args[0];
  return std::nullopt;
}

std::optional<int64_t> wholeNumber(std::string_view digits) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

// expression = NAME '(' argument (', ' argument)* ')' | integer | NAME; argument = expression | 'text' | NAME=word
class Reader {
 public:
  Reader(std::string_view text, const std::function<SymInt(std::string_view)>& symbol) : text_(text), symbol_(symbol) {}

  SymInt run() {
    const std::optional<SymInt> found = expression();
    if (at_ != text_.size()) malformed();
    return found ? *found : SymInt::symbol(std::string(text_), {}, {});
  }

 private:
  [[noreturn]] void malformed() const { json::malformed("a size", concat("is no expression: ", text_)); }

  std::string_view word() {
    const size_t begin = at_;
    while (at_ < text_.size() && std::string_view("(),='").find(text_[at_]) == std::string_view::npos) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  bool accept(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  std::string_view quoted() {
    const size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) malformed();
    const std::string_view inside = text_.substr(at_, end - at_);
    at_ = end + 1;
    return inside;
  }

  std::optional<SymInt> expression() {
    if (++depth_ > kMaximumDepth) malformed();
    const std::string_view name = word();
    if (name.empty()) malformed();
    if (!accept('(')) {
      --depth_;
      const std::optional<int64_t> number = wholeNumber(name);
      return number ? SymInt(*number) : symbol_(name);
    }
    const std::optional<SymInt> result = name == "Symbol" ? symbol() : name == "Integer" ? integer() : function(name);
    --depth_;
    return result;
  }

  std::optional<SymInt> symbol() {
    if (!accept('\'')) malformed();
    const std::string_view name = quoted();
    const size_t close = text_.find(')', at_);
    if (close == std::string_view::npos) malformed();
    at_ = close + 1;
    return symbol_(name);
  }

  std::optional<SymInt> integer() {
    const std::optional<int64_t> number = wholeNumber(word());
    if (!number || !accept(')')) malformed();
    return *number;
  }

  std::optional<SymInt> function(std::string_view name) {
    Args args;
    while (!accept(')')) {
      args.push_back(argument());
      accept(',');
      accept(' ');
      if (at_ >= text_.size()) malformed();
    }
    // A quotient that is rounded at once.
    if ((name == "FloorToInt" || name == "TruncToInt") && args.size() == 1) return args[0];
    if (name == "IntTrueDiv") return args.size() == 2 ? folded(args, ir::floorDivide) : std::nullopt;
    return call(name, args);
  }

  std::optional<SymInt> argument() {
    if (accept('\'')) {
      quoted();
      return std::nullopt;
    }
    const size_t begin = at_;
    const std::string_view start = word();
    if (accept('=')) {
      word();
      return std::nullopt;
    }
    if (start.empty()) malformed();
    at_ = begin;
    return expression();
  }

  std::string_view text_;
  const std::function<SymInt(std::string_view)>& symbol_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

SymInt sizeExpression(std::string_view srepr, const std::function<SymInt(std::string_view name)>& symbol) {
  const bool isInfix =
      srepr.find("Integer(") == std::string_view::npos && srepr.find("Symbol('") == std::string_view::npos;
  if (!isInfix) return Reader(srepr, symbol).run();
  const std::optional<std::string> prefix = prefixForm(srepr);
  return prefix ? Reader(*prefix, symbol).run() : SymInt::symbol(std::string(srepr), {}, {});
}

}  // namespace exportdeck::pt2
