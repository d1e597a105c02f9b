// Two profiles side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/profile.h"

namespace exportdeck::options {

struct ProfileRow {
  std::string key;                         // "backend", "alignment", "XnnpackBackend.weight_cache_enabled"
  std::string title;                       // for people
  const OptionSpec* spec = nullptr;        // of the option; null for the backend. Lives as long as the profiles.
  std::optional<OptionValue> left, right;  // empty: the backend has no such option
  bool same() const { return left == right; }
};

// The backend, then every option of either, in the catalogue's order. The name is no setting.
std::vector<ProfileRow> compareProfiles(const Profile& left, const Profile& right);

}  // namespace exportdeck::options
