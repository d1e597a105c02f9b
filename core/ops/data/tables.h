// The text of ops/data/schemas.txt and ops/data/kernels.txt, as built into the library.
#pragma once

#include <string_view>

namespace exportdeck::ops {

// One entry a line, sorted by name; lines that start with '#' are comments. make_schemas.py states the columns.
extern const std::string_view schemaLines;
extern const std::string_view kernelLines;

}  // namespace exportdeck::ops
