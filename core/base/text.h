// Small text helpers shared by all layers (GCC 12 has no std::format).
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace exportdeck {

namespace detail {
inline void append(std::string& out, std::string_view text) {
  out += text;
}
inline void append(std::string& out, char c) {
  out += c;
}
// A template, since a plain bool overload would also take character arrays.
template <std::same_as<bool> Bool>
void append(std::string& out, Bool value) {
  out += value ? "true" : "false";
}
template <typename Number>
  requires(std::is_arithmetic_v<Number> && !std::same_as<Number, bool> && !std::same_as<Number, char>)
void append(std::string& out, Number value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  out.append(buffer, end);
}
}  // namespace detail

// Joins its arguments: text, characters, numbers (shortest round-trip form) and bools ("true"/"false").
template <typename... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (detail::append(out, parts), ...);
  return out;
}

// Joins the items of a range of strings or numbers with a separator.
template <typename Range>
std::string join(const Range& items, std::string_view separator) {
  std::string out;
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += separator;
    detail::append(out, item);
    first = false;
  }
  return out;
}

std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);

// The candidate with the smallest edit distance to `word`, or "" where none is near (over a third of the word differs).
std::string nearestMatch(std::string_view word, const std::vector<std::string>& candidates);

// "9.4 MB", "512 bytes": decimal units, one decimal place.
std::string formatBytes(uint64_t bytes);

}  // namespace exportdeck
