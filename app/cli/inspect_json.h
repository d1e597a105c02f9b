// What is in a file, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>

#include "pt2/reader.h"

namespace exportdeck::cli {

// By the file's first bytes ("ET" and two digits at offset 4), else by its name. Throws FileNotFound, FileUnreadable.
bool looksLikeProgram(const std::string& path);
// Throws what pt2::readProgram throws, also for `bounds`.
nlohmann::json inspectArchive(const std::string& path, const pt2::SizeBounds& bounds, std::stop_token stop);
nlohmann::json inspectProgram(const std::string& path);  // throws what pte::readProgramInfo throws

}  // namespace exportdeck::cli
