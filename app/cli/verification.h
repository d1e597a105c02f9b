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

}  // namespace exportdeck::cli
