#include "ir/text_scanner.h"

#include <algorithm>
#include <cstring>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck::ir {

namespace {

bool isWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-' || c == '+';
}

}  // namespace

void TextScanner::expectEnd() {
  skip();
  if (at_ != text_.size()) fail("the end of the text");
}

std::string TextScanner::string() {
  expect('"');
  std::string out;
  while (at_ < text_.size() && text_[at_] != '"') {
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
      ++at_;
      out += text_[at_] == 'n' ? '\n' : text_[at_];
    } else {
      out += text_[at_];
    }
    ++at_;
  }
  if (at_ == text_.size()) fail("a closing quote");
  ++at_;
  return out;
}

void TextScanner::skip() {
  while (at_ < text_.size()) {
    if (text_[at_] == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (std::strchr(" \t\r\n", text_[at_]) && text_[at_] != '\0') {
      ++at_;
    } else {
      return;
    }
  }
}

char TextScanner::peek() {
  skip();
  return at_ < text_.size() ? text_[at_] : '\0';
}
bool TextScanner::accept(char c) {
  if (peek() != c || at_ >= text_.size()) return false;
  ++at_;
  return true;
}
void TextScanner::expect(char c) {
  if (!accept(c)) fail(concat("'", c, "'"));
}
std::string_view TextScanner::word() {
  skip();
  const size_t from = at_;
  while (at_ < text_.size() && isWordCharacter(text_[at_])) ++at_;
  if (from == at_) fail("a word");
  return text_.substr(from, at_ - from);
}
bool TextScanner::acceptWord(std::string_view wanted, bool consume) {
  skip();
  if (text_.substr(at_, wanted.size()) != wanted) return false;
  if (at_ + wanted.size() < text_.size() && isWordCharacter(text_[at_ + wanted.size()])) return false;
  if (consume) at_ += wanted.size();
  return true;
}
void TextScanner::expectWord(std::string_view wanted) {
  if (!acceptWord(wanted)) fail(concat("'", wanted, "'"));
}

void TextScanner::fail(std::string_view wanted) const {
  const auto line = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n') + 1;
  throw ExportError(Code::GraphInvalid,
                    concat("line ", line, " of the graph text: expected ", wanted, " at `",
                           text_.substr(at_, std::min<size_t>(24, text_.find('\n', at_) - at_)), "`"));
}

}  // namespace exportdeck::ir
