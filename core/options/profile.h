// Option profiles: a backend and the options that differ from its defaults, as versioned JSON.
#pragma once

#include <string>
#include <vector>

#include "options/catalogue.h"

namespace exportdeck::options {

// { "exportdeck_profile": 1, "name": "...", "backend": "xnnpack", "export_options": {…}, "runtime_options":
// {"XnnpackBackend": {…}} }
struct Profile {
  static constexpr int kVersion = 1;
  std::string name;
  std::string backend;
  OptionSet exportOptions;
  OptionSet runtimeOptions;
};

// What was found wrong; the valid rest is in the profile.
struct ProfileProblem {
  std::string key;  // "export_options.alignment", or "" for the whole file
  std::string reason;
  bool fatal = false;  // nothing could be read (no JSON, no profile)
  std::string given;   // what stands there, as JSON; empty: nothing
  std::string taken;   // what is taken in its place, as JSON; empty: it is left out
};
struct ProfileResult {
  Profile profile;
  std::vector<ProfileProblem> problems;
  bool isFatal() const { return !problems.empty() && problems.back().fatal; }
};

// Keeps what is valid and lists the rest: also of a profile of a newer version, and of one for a backend that nobody
// knows, whose options are read as those of the nearest one.
ProfileResult readProfile(std::string_view text, const Catalogue& catalogue);
// Strict: throws ProfileInvalid naming the first problem and how many there are.
Profile loadProfile(std::string_view text, const Catalogue& catalogue);
std::string writeProfile(const Profile& profile);  // pretty JSON, keys sorted, newline at the end

}  // namespace exportdeck::options
