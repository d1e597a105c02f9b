// Sizes that change between calls: the bounds that are asked for, and those that an export had.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "options/option_set.h"
#include "pt2/reader.h"

namespace exportdeck::driver {

// The option `bound`; none where the set lacks it.
pt2::SizeBounds sizeBounds(const options::OptionSet& options);

// Those of sizes that the program at `source` has: a method need not know the sizes of the others.
pt2::SizeBounds boundsIn(const std::string& source, const pt2::SizeBounds& bounds, const Context& context);

// [{"symbol": "s0", "lower": 2, "upper": 512, "inputs": ["x dim 1"]}] of the sizes of a program as it was read; a bound
// that is missing is null.
nlohmann::json sizesToJson(const ir::Graph& graph);

// "SYMBOL=NUMBER" words of a command line, each checked as the option does. Throws OptionInvalid.
pt2::SizeBounds parseBounds(const std::vector<std::string>& words);

// {"inputs": 12288, "outputs": 4096, "largest": {"value": "mul_3", "bytes": 65536}} at the largest sizes of a program
// as it was read; null where a size has no bound. `largest` is the largest value that the graph computes.
nlohmann::json bytesAtBounds(const ir::Graph& graph);

}  // namespace exportdeck::driver
