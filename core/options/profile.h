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
  bool fatal = false;  // nothing could be read (no JSON, newer, unknown backend)
};
struct ProfileResult {
  Profile profile;
  std::vector<ProfileProblem> problems;
};

// Keeps what is valid and lists the rest.
ProfileResult readProfile(std::string_view text, const Catalogue& catalogue);
// Strict: throws ProfileInvalid naming the first problem and how many there are.
Profile loadProfile(std::string_view text, const Catalogue& catalogue);
std::string writeProfile(const Profile& profile);  // pretty JSON, keys sorted, newline at the end

}  // namespace exportdeck::options
