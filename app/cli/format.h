// Text for people: numbers with units, columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace exportdeck::cli {

std::string formatSeconds(double seconds);                   // "0.4 ms", "30 ms", "1.25 s"
std::string formatError(const nlohmann::json& error);        // "3.1e-06"
std::string formatCount(uint64_t number);                    // "1 234 567"
std::string formatPercent(uint64_t part, uint64_t whole);    // "99.8 %"
std::string padded(std::string_view text, size_t width);     // with blanks at the end; counts code points
std::string plural(uint64_t number, std::string_view word);  // "1 node", "2 nodes"

// Rows of cells, aligned, two blanks between columns, `indent` blanks before; no blanks at line ends.
std::string table(const std::vector<std::vector<std::string>>& rows, size_t indent);

// "float32 [1, 3, s0]" of {"kind","dtype","shape"}; the kind of what is no tensor.
std::string slotText(const nlohmann::json& slot);
// A text in an object, or "" where it is absent.
std::string textField(const nlohmann::json& object, const char* key);

}  // namespace exportdeck::cli
