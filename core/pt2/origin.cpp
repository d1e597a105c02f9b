#include "pt2/origin.h"

#include <charconv>
#include <string>

#include "base/text.h"

namespace exportdeck::pt2 {

namespace {

constexpr std::string_view kFrame = "File \"";

// Splits off what comes before the first `separator`; all of it where there is none.
std::string_view takeUntil(std::string_view& text, std::string_view separator) {
  const auto at = text.find(separator);
  const auto head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + separator.size());
  return head;
}

void eraseAll(std::string& text, std::string_view part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
}

std::string plainModulePath(std::string_view recorded) {
  std::string path(recorded);
  for (const std::string_view part : {"getattr(", "L['self']", "L__self__", "_modules", "'", "\"", ")", "]", " "})
    eraseAll(path, part);
  for (char& c : path) {
    if (c == '[' || c == ',') c = '.';
  }
  for (auto at = path.find(".."); at != std::string::npos; at = path.find("..")) path.erase(at, 1);
  if (path.starts_with('.')) path.erase(0, 1);
  return path;
}

// Where the last frame before `end` starts; npos: there is none. A frame starts its line, so that a source line that
// holds the same words does not count.
size_t lastFrame(std::string_view trace, size_t end) {
  for (auto at = trace.substr(0, end).rfind(kFrame); at != std::string_view::npos && at > 0;
       at = trace.substr(0, at).rfind(kFrame)) {
    const auto lineStart = trace.rfind('\n', at - 1) + 1;  // npos + 1 is the text's start
    if (trim(trace.substr(lineStart, at - lineStart)).empty()) return at;
  }
  return trace.starts_with(kFrame) && end > 0 ? 0 : std::string_view::npos;
}

bool isInsidePyTorch(std::string_view file) {
  return file.find("-packages/torch/") != std::string_view::npos;
}

}  // namespace

void readStackTrace(std::string_view trace, Origin& origin) {
  const size_t innermost = lastFrame(trace, trace.size());
  if (innermost == std::string_view::npos) return;
  // The line that the user can change is the innermost one outside PyTorch itself, as far as the trace has one.
  size_t at = innermost;
  while (at != std::string_view::npos) {
    std::string_view rest = trace.substr(at + kFrame.size());
    if (!isInsidePyTorch(takeUntil(rest, "\""))) break;
    at = lastFrame(trace, at);
  }
  std::string_view rest = trace.substr((at == std::string_view::npos ? innermost : at) + kFrame.size());
  origin.sourceFile = takeUntil(rest, "\", line ");
  std::string_view header = takeUntil(rest, "\n");
  const auto digits = takeUntil(header, ",");
  std::from_chars(digits.data(), digits.data() + digits.size(), origin.sourceLine);
  origin.sourceText = trim(takeUntil(rest, "\n"));
}

void readModuleStack(std::string_view stack, Origin& origin) {
  const auto last = stack.rfind(';');
  std::string_view entry = last == std::string_view::npos ? stack : stack.substr(last + 1);
  if (takeUntil(entry, ",") == "_empty_nn_module_stack_from_metadata_hook")
    return;  // made by PyTorch itself, in no module
  // The type is what follows the last comma: older paths may hold commas.
  const auto comma = entry.rfind(',');
  if (comma == std::string_view::npos) return;
  origin.modulePath = plainModulePath(entry.substr(0, comma));
  origin.moduleType = entry.substr(comma + 1);
}

}  // namespace exportdeck::pt2
