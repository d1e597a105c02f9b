#include "pt2/infix.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/text.h"

namespace exportdeck::pt2 {

namespace {

constexpr int kDepthLimit = 100;
constexpr size_t kLengthLimit = 10'000;

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isName(char c) {
  return isDigit(c) || c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool isInteger(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

std::string called(std::string_view function, const std::vector<std::string>& arguments) {
  return arguments.size() == 1 ? arguments.front() : concat(function, "(", join(arguments, ", "), ")");
}

std::string negated(const std::string& text) {
  constexpr std::string_view kProduct = "Mul(";
  if (isInteger(text)) return "-" + text;
  if (text.starts_with(kProduct)) return concat("Mul(-1, ", std::string_view(text).substr(kProduct.size()));
  return concat("Mul(-1, ", text, ")");
}

// A grammar's rule a function. Each gives the prefix form of what it read; `failed_` once the text is none of it.
class InfixParser {
 public:
  explicit InfixParser(std::string_view text) : rest_(text) {}

  std::optional<std::string> parse() {
    std::string result = sum(0);
    skipSpace();
    if (failed_ || !rest_.empty()) return std::nullopt;
    return result;
  }

 private:
  void skipSpace() { rest_ = rest_.substr(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  bool take(std::string_view token) {
    skipSpace();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  std::string fail() {
    failed_ = true;
    return {};
  }

  std::string sum(int depth) {
    if (depth > kDepthLimit) return fail();
    std::vector<std::string> terms{product(depth)};
    while (!failed_) {
      if (take("+")) {
        terms.push_back(product(depth));
      } else if (take("-")) {
        terms.push_back(negated(product(depth)));
      } else {
        break;
      }
    }
    return called("Add", terms);
  }

  std::string product(int depth) {
    std::vector<std::string> factors{signedPower(depth)};
    while (!failed_) {
      if (take("//")) {
        factors = {called("FloorDiv", {called("Mul", factors), signedPower(depth)})};
      } else if (take("*")) {
        factors.push_back(signedPower(depth));
      } else if (take("/")) {
        const std::string divisor = signedPower(depth);
        factors.push_back(isInteger(divisor) ? concat("Rational(1, ", divisor, ")") : concat("Pow(", divisor, ", -1)"));
      } else {
        break;
      }
    }
    return called("Mul", factors);
  }

  std::string signedPower(int depth) {
    if (depth > kDepthLimit) return fail();
    if (take("-")) return negated(signedPower(depth + 1));
    const std::string base = atom(depth);
    return take("**") ? called("Pow", {base, signedPower(depth + 1)}) : base;
  }

  std::string atom(int depth) {
    if (take("(")) {
      std::string inner = sum(depth + 1);
      return take(")") ? inner : fail();
    }
    skipSpace();
    const auto end = static_cast<size_t>(std::find_if_not(rest_.begin(), rest_.end(), isName) - rest_.begin());
    const std::string name(rest_.substr(0, end));
    rest_.remove_prefix(end);
    if (name.empty() || (isDigit(name.front()) && !isInteger(name))) return fail();
    if (isInteger(name) || !take("(")) return name;
    std::vector<std::string> arguments;
    do arguments.push_back(sum(depth + 1));
    while (!failed_ && take(","));
    return take(")") ? concat(name, "(", join(arguments, ", "), ")") : fail();
  }

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

std::optional<std::string> prefixForm(std::string_view infix) {
  if (infix.size() > kLengthLimit) return std::nullopt;
  return InfixParser(infix).parse();
}

}  // namespace exportdeck::pt2
