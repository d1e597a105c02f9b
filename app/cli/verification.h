// The check of a written program before it gets its name: run, or compared with a case, in a child process.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>

#include "driver/export.h"

namespace exportdeck::cli {

using Verification = std::function<nlohmann::json(const driver::Unpublished&)>;

// `how` is "none", "run" or a case folder, which is of the method `first`; other methods are run then. Empty for
// "none". The call throws VerifyLoadFailed, VerifyMismatch, RunCrashed … and returns the report's "verification".
// Throws FileNotFound at once for a folder that is not there.
Verification makeVerification(const std::string& how, const std::string& first, std::stop_token stop);

using Difference = std::function<nlohmann::json(const driver::Unpublished& quantised, const std::string& floats)>;

// Runs a quantised program and the one that it was made from on the same inputs, in a child: the archive's own example
// inputs where they can be read, else random ones. Returns {"inputs", "snr_db", "max_abs_error", "outputs": [{"snr_db",
// "max_abs_error", "cosine"}], "seconds"}; ratios are null where outputs are equal.
Difference makeComparison(std::stop_token stop);

}  // namespace exportdeck::cli
