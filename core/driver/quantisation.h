// The options that quantise weights, and what the report says of what they did.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "options/option_set.h"
#include "passes/quantise.h"

namespace exportdeck::driver {

// Nothing where the options leave the weights as they are.
std::optional<passes::Quantisation> quantisationOf(const options::OptionSet& options);

// The same options without quantisation.
options::OptionSet withoutQuantisation(options::OptionSet options);

// {"weights": [{weight, module, op, form, reason, bytes_before, bytes_after}], "quantised": N, "kept": N,
// "bytes_before": N, "bytes_after": N}. The sums count a weight that two operators share once.
nlohmann::json quantisationToJson(const std::vector<passes::QuantisedWeight>& weights);

}  // namespace exportdeck::driver
