// The words of the text form of a graph; the grammar is described in ir/graph.h beside print().
#pragma once

#include <string>
#include <string_view>

namespace exportdeck::ir {

// Reads on from where it stands. What is not as wanted throws Code::GraphInvalid with the line.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

  char peek();  // the next character behind blanks and comments; 0 at the end
  bool accept(char c);
  void expect(char c);
  std::string_view word();
  bool acceptWord(std::string_view wanted, bool consume = true);
  void expectWord(std::string_view wanted);
  std::string string();  // in quotes
  void expectEnd();
  [[noreturn]] void fail(std::string_view wanted) const;

 private:
  void skip();

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace exportdeck::ir
