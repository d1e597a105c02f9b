#include "options/profile_name.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/diagnostic.h"
#include "base/text.h"
#include "options/words.h"

namespace exportdeck::options {

namespace {

// Of valid UTF-8.
std::u32string pointsOf(std::string_view text) {
  std::u32string points;
  for (size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    const int more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    char32_t point = more == 0 ? lead : lead & (0x3Fu >> more);
    for (int i = 0; i < more; ++i) point = (point << 6) | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
    points.push_back(point);
  }
  return points;
}

std::string utf8Of(std::u32string_view points) {
  std::string text;
  const auto add = [&](char32_t bits) { text.push_back(static_cast<char>(static_cast<unsigned char>(bits))); };
  for (const char32_t point : points) {
    const int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    if (more == 0) {
      add(point);
      continue;
    }
    static constexpr char32_t kLead[] = {0, 0xC0, 0xE0, 0xF0};
    add(kLead[more] | (point >> (6 * more)));
    for (int i = more - 1; i >= 0; --i) add(0x80u | (point >> (6 * i) & 0x3Fu));
  }
  return text;
}

bool isLineBreak(char32_t c) {
  return c == U'\n' || c == U'\r' || c == U'\v' || c == U'\f' || c == 0x85 || c == 0x2028 || c == 0x2029;
}
bool isControl(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0);
}
// Of no width, or turning the direction of what follows: two names with and without one look the same.
bool isInvisible(char32_t c) {
  return c == 0xAD || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) ||
         c == 0xFEFF;
}
bool isSpace(char32_t c) {
  return c == U' ' || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}
bool isSeparator(char32_t c) {
  return c == U'/' || c == U'\\';
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string whyReserved(std::string_view name) {
  if (name == "." || name == "..") return concat(inQuotes(name), " stands for a folder");
  const std::string word = lower(name);
  if (word == "defaults") return concat(inQuotes(name), " stands for no profile at all");
  if (word.ends_with(".json")) return "it ends with \".json\", so it would be taken for a file";
  // Such a file cannot be made on Windows, whatever follows the first full stop.
  const std::string stem = word.substr(0, word.find('.'));
  static constexpr std::array<std::string_view, 4> kDevices = {"con", "prn", "aux", "nul"};
  const bool numbered = stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) &&
                        std::isdigit(static_cast<unsigned char>(stem.back())) != 0;
  if (numbered || std::ranges::find(kDevices, stem) != kDevices.end())
    return concat(inQuotes(name), " is the name of a device on Windows");
  return {};
}

std::string whyNotAllowed(char32_t c) {
  if (isLineBreak(c)) return "it holds a line break";
  if (isControl(c)) return c == U'\t' ? "it holds a tab" : "it holds a control character";
  if (isInvisible(c)) return "it holds a character that cannot be seen";
  if (isSeparator(c)) return concat("it holds \"", static_cast<char>(c), "\", so it would be taken for a path");
  return {};
}

void trimSpaces(std::u32string& points) {
  while (!points.empty() && isSpace(points.back())) points.pop_back();
  points.erase(0, static_cast<size_t>(std::ranges::find_if_not(points, isSpace) - points.begin()));
}

}  // namespace

std::string whyNoProfileName(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (!isUtf8(name)) return "it is no UTF-8 text";
  const std::u32string points = pointsOf(name);
  for (const char32_t c : points) {
    if (std::string reason = whyNotAllowed(c); !reason.empty()) return reason;
  }
  if (std::ranges::all_of(points, isSpace)) return "it holds nothing but spaces";
  if (isSpace(points.front())) return "it begins with a space";
  if (isSpace(points.back())) return "it ends with a space";
  if (points.front() == U'-') return "it begins with \"-\", so it would be taken for a word of the command line";
  if (points.size() > kLongestProfileName)
    return concat("it has ", points.size(), " characters, and ", kLongestProfileName, " are the most");
  return whyReserved(name);
}

void requireProfileName(std::string_view name) {
  const std::string reason = whyNoProfileName(name);
  if (reason.empty()) return;
  std::vector<std::string> fixes;
  if (const std::string near = nearestProfileName(name); !near.empty())
    fixes.push_back(concat("name it ", inQuotes(near)));
  fixes.push_back("choose another name");
  throw ExportError(Code::Usage, concat("The profile cannot have this name: ", reason), std::move(fixes));
}

std::string nearestProfileName(std::string_view name) {
  if (!isUtf8(name)) return {};
  std::u32string kept;
  for (const char32_t c : pointsOf(name)) {
    if (isInvisible(c)) continue;
    const bool gap = isSpace(c) || !whyNotAllowed(c).empty();
    if (!gap)
      kept.push_back(c);
    else if (!kept.empty() && kept.back() != U' ')
      kept.push_back(U' ');
  }
  while (!kept.empty() && (kept.front() == U'-' || isSpace(kept.front()))) kept.erase(0, 1);
  while (lower(utf8Of(kept)).ends_with(".json")) kept.resize(kept.size() - 5);
  if (kept.size() > kLongestProfileName) kept.resize(kLongestProfileName);
  trimSpaces(kept);
  std::string found = utf8Of(kept);
  if (!found.empty() && !whyReserved(found).empty()) found = concat("My ", found);
  return whyNoProfileName(found).empty() ? found : std::string();
}

}  // namespace exportdeck::options
