// Coverage as JSON: what became of each node, counted several ways. Part of the report's contract.
#pragma once

#include <nlohmann/json.hpp>

#include "backends/backend.h"

namespace exportdeck::driver {

nlohmann::json toJson(const Origin& where);  // only the fields that are known

// {"nodes", "delegated", "delegates", "multiply_adds", "delegated_multiply_adds", "bytes", "delegated_bytes",
//  "by_operator": [{"op", "total", "delegated", "multiply_adds", "bytes"}],
//  "by_module": [{"module", "total", "delegated", "multiply_adds", "delegated_multiply_adds", "bytes"}],
//  "by_module_path": the same,
//  "not_delegated": [{"op", "count", "reason", "fix", "where", "multiply_adds", "bytes"}]}
// Bytes are those of results. Each of the three tables counts every node once, so their sums are the totals; rows stand
// in the order in which the program has them. `by_module` takes the first two levels of module paths ("layer1.0"),
// `by_module_path` whole ones; "" stands for nodes outside any module.
nlohmann::json toJson(const backends::Coverage& coverage);

}  // namespace exportdeck::driver
