// The text of the files in ops/data, as built into the library.
#pragma once

#include <string_view>

namespace exportdeck::ops {

// One entry a line, sorted by name; lines that start with '#' are comments. make_schemas.py states the columns.
extern const std::string_view schemaLines;
extern const std::string_view kernelLines;
// One line a way of calling a kernel: its name, its element types, what A may be; see tests/probe.
extern const std::string_view kernelTypeLines;

}  // namespace exportdeck::ops
