// The export's report for people.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace exportdeck::cli {

// What came out, how large and how fast, what was delegated, and what was left out and why.
std::string exportReportText(const nlohmann::json& report);

}  // namespace exportdeck::cli
