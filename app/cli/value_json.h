// Values of a program as JSON and as files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/program.h"

namespace exportdeck::cli {

// {"kind","dtype","shape","values"}: the numbers where they are at most 16. NaN and infinities are texts.
nlohmann::json valueToJson(const runtime::HostValue& value);
// Writes the tensors as FOLDER/output_N.bin (row-major, little-endian) and a list of all as FOLDER/outputs.json; adds
// "file" to the descriptions. Makes the folder where it is missing. Throws FileUnwritable.
void writeOutputs(const std::string& folder, const std::vector<runtime::HostValue>& values,
                  nlohmann::json& descriptions);

}  // namespace exportdeck::cli
