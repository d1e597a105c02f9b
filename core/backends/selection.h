// What the user's options say about which operators a backend may have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/graph.h"
#include "options/option_set.h"

namespace exportdeck::backends {

// Option values with a fallback for sets that lack the key: a backend's catalogue need not offer every option.
bool boolOption(const options::OptionSet& options, std::string_view key, bool fallback);
int64_t intOption(const options::OptionSet& options, std::string_view key, int64_t fallback);

// True where `exclude_ops` names the node's operator or the one in the user's program that it came from. A full name
// ("aten.conv2d.default") or its middle part ("conv2d", "convolution") is understood.
bool isExcluded(const ir::Node& node, const options::OptionSet& options);
// `exclude_ops` without the names that keep this node out.
std::vector<std::string> exclusionsWithout(const ir::Node& node, const options::OptionSet& options);

// Operators that only rearrange data: a delegate call for these alone would cost more than it saves.
bool onlyMovesData(const ir::Node& node);

}  // namespace exportdeck::backends
