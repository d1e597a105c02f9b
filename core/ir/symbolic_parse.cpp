// Text -> expression of sizes, as SymInt::text() writes it.
#include <cctype>
#include <charconv>

#include "ir/symbolic.h"

namespace exportdeck::ir {

namespace {

// sum = product (('+' | '-') product)*; product = factor ('*' factor)*; factor = number | name | name(sum, sum) |
// -factor
class Parser {
 public:
  Parser(std::string_view text, const std::function<SymInt(std::string_view)>& symbol) : text_(text), symbol_(symbol) {}

  std::optional<SymInt> run() {
    const SymInt result = sum();
    skip();
    return failed_ || at_ != text_.size() ? std::nullopt : std::optional(result);
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(char wanted) {
    skip();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  SymInt sum() {
    SymInt total = product();
    while (!failed_) {
      if (accept('+')) {
        total = add(total, product());
      } else if (accept('-')) {
        total = add(total, multiply(product(), -1));
      } else {
        break;
      }
    }
    return total;
  }
  SymInt product() {
    SymInt total = factor();
    while (!failed_ && accept('*')) total = multiply(total, factor());
    return total;
  }
  SymInt factor() {
    if (accept('-')) return multiply(factor(), -1);
    skip();
    const size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word.empty()) return fail();
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
      int64_t number = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
      return error == std::errc() && end == word.data() + word.size() ? SymInt(number) : fail();
    }
    return accept('(') ? call(word) : symbol_(word);
  }
  SymInt call(std::string_view name) {
    const SymInt a = sum();
    if (failed_ || !accept(',')) return fail();
    const SymInt b = sum();
    if (failed_ || !accept(')')) return fail();
    if (name == "floordiv") return floorDivide(a, b);
    if (name == "mod") return modulo(a, b);
    if (name == "max") return maximum(a, b);
    return name == "min" ? minimum(a, b) : fail();
  }
  SymInt fail() {
    failed_ = true;
    return 0;
  }

  std::string_view text_;
  const std::function<SymInt(std::string_view)>& symbol_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<SymInt> parseSymInt(std::string_view text, const std::function<SymInt(std::string_view name)>& symbol) {
  return Parser(text, symbol).run();
}

}  // namespace exportdeck::ir
