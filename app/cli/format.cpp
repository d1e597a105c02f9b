#include "cli/format.h"

#include <algorithm>
#include <cstdio>

#include "base/text.h"

namespace exportdeck::cli {

namespace {

size_t widthOf(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string printed(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

}  // namespace

std::string formatSeconds(double seconds) {
  if (seconds < 0.01) return printed("%.1f ms", seconds * 1000);
  if (seconds < 1) return printed("%.0f ms", seconds * 1000);
  return printed(seconds < 10 ? "%.2f s" : "%.1f s", seconds);
}

std::string formatError(const nlohmann::json& error) {
  return error.is_number() ? printed("%.2g", error.get<double>()) : error.dump();
}

std::string formatCount(uint64_t number) {
  std::string digits = concat(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
  return digits;
}

std::string formatPercent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "0 %";
  if (part == whole) return "100 %";
  // Never rounds up to 100: what is missing matters.
  return printed("%.1f %%", std::min(99.9, 100.0 * static_cast<double>(part) / static_cast<double>(whole)));
}

std::string padded(std::string_view text, size_t width) {
  const size_t used = widthOf(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string plural(uint64_t number, std::string_view word) {
  return concat(formatCount(number), ' ', word, number == 1 ? "" : "s");
}

std::string table(const std::vector<std::vector<std::string>>& rows, size_t indent) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line(indent, ' ');
    for (size_t i = 0; i < row.size(); ++i) line += i + 1 < row.size() ? padded(row[i], widths[i] + 2) : row[i];
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string textField(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string slotText(const nlohmann::json& slot) {
  const std::string kind = textField(slot, "kind");
  if (kind != "tensor") return kind;
  std::vector<std::string> sizes;
  for (const auto& size : slot.value("shape", nlohmann::json::array())) {
    sizes.push_back(size.is_string() ? size.get<std::string>() : size.dump());
  }
  return concat(textField(slot, "dtype"), " [", join(sizes, ", "), "]");
}

}  // namespace exportdeck::cli
