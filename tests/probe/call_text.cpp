#include "call_text.h"

#include <algorithm>
#include <stdexcept>

#include "base/text.h"

namespace exportdeck::probe {

namespace {

std::string inside(std::string_view text, size_t open) {
  if (text.size() < open + 2) throw std::runtime_error(concat("`", text, "` is not closed"));
  return std::string(text.substr(open + 1, text.size() - open - 2));
}

std::vector<std::string> items(const std::string& text) {
  return text.empty() ? std::vector<std::string>() : split(text, ',');
}

TensorSpec tensor(std::string_view text) {
  const size_t open = text.find('[');
  if (open == std::string_view::npos || text.back() != ']')
    throw std::runtime_error(concat("`", text, "` is no tensor"));
  TensorSpec spec{std::string(text.substr(0, open)), {}};
  for (const std::string& size : items(inside(text, open))) spec.sizes.push_back(std::stoi(size));
  return spec;
}

// Splits "A[2,3],A[2]" at the commas outside brackets.
TensorListSpec tensorList(const std::string& text) {
  TensorListSpec list;
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = text.find(']', start);
    if (end == std::string::npos) throw std::runtime_error(concat("`", text, "` is no list of tensors"));
    list.items.push_back(tensor(std::string_view(text).substr(start, end + 1 - start)));
    start = end + 2;
  }
  return list;
}

ArgumentSpec argument(const std::string& text) {
  if (text == "none") return Absent{};
  if (text == "true" || text == "false") return text == "true";
  if (text.starts_with("dtype:")) return DTypeSpec{text.substr(6)};
  if (text.front() == '"') return inside(text, 0);
  if (text.front() == '{') return tensorList(inside(text, 0));
  if (text.front() == '[') {
    std::vector<int64_t> list;
    for (const std::string& item : items(inside(text, 0))) list.push_back(std::stoll(item));
    return list;
  }
  if (text.starts_with("f[")) {
    std::vector<double> list;
    for (const std::string& item : items(inside(text, 1))) list.push_back(std::stod(item));
    return list;
  }
  if (text.back() == ']') return tensor(text);
  if (text.find('.') != std::string::npos) return std::stod(text);
  return static_cast<int64_t>(std::stoll(text));
}

// "aten::{a,b}.out" -> "aten::a.out", "aten::b.out"
std::vector<std::string> kernelNames(const std::string& text) {
  const size_t open = text.find('{'), close = text.find('}');
  if (open == std::string::npos || close == std::string::npos) return {text};
  std::vector<std::string> names;
  for (const std::string& name : split(text.substr(open + 1, close - open - 1), ',')) {
    names.push_back(concat(text.substr(0, open), name, text.substr(close + 1)));
  }
  return names;
}

}  // namespace

std::vector<CallSpec> parseCalls(std::string_view line) {
  if (line.empty() || line.front() == '#') return {};
  const std::vector<std::string> columns = split(line, '\t');
  if (columns.size() != 2 && columns.size() != 3)
    throw std::runtime_error(concat("`", line, "` has not two or three columns"));
  std::vector<ArgumentSpec> arguments;
  std::vector<std::vector<ArgumentSpec>> choices = {{}};
  bool isResult = false;
  for (const std::string& word : split(columns[1], ' ')) {
    if (word == "->") {
      isResult = true;
    } else if (!isResult) {
      arguments.push_back(argument(word));
    } else {
      std::vector<std::vector<ArgumentSpec>> longer;
      for (const std::string& choice : split(word, '|')) {
        for (auto results : choices) {
          results.push_back(argument(choice));
          longer.push_back(std::move(results));
        }
      }
      choices = std::move(longer);
    }
  }
  std::vector<CallSpec> calls;
  for (const std::string& name : kernelNames(columns[0])) {
    for (const auto& results : choices) {
      calls.push_back(
          {name, arguments, results, columns.size() == 3 ? split(columns[2], ' ') : std::vector<std::string>()});
    }
  }
  return calls;
}

}  // namespace exportdeck::probe
