// What is in a file, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>

namespace exportdeck::cli {

// By the file's first bytes ("ET" and two digits at offset 4), else by its name. Throws FileNotFound, FileUnreadable.
bool looksLikeProgram(const std::string& path);
nlohmann::json inspectArchive(const std::string& path, std::stop_token stop);  // throws what pt2::readProgram throws
nlohmann::json inspectProgram(const std::string& path);  // throws what pte::readProgramInfo throws

}  // namespace exportdeck::cli
