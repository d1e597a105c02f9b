// Inputs to run a program on when the user gave none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "runtime/program.h"

namespace exportdeck::cli {

// For a program that nothing is known about: 0 and 1 are valid as masks and in nearly every table.
inline constexpr int64_t kSafeIndexLimit = 2;
// For a graph that indexes nothing.
inline constexpr int64_t kFreeIndexLimit = 100;

// The least size that any integer input may index (tables of embeddings, index_select, gather …), exclusive;
// kFreeIndexLimit where nothing is indexed. One limit for all inputs: an input may reach a table through other
// operators.
int64_t indexLimit(const ir::Graph& graph);

// The example inputs that a .pt2 holds, for a program with these input slots; none where they cannot be read without
// running pickle code, or do not fit.
std::optional<std::vector<runtime::HostValue>> sampleInputs(const std::string& archive,
                                                            const std::vector<runtime::SlotInfo>& slots);

}  // namespace exportdeck::cli
