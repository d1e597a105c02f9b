#include "options/profile_difference.h"

#include <algorithm>

#include "base/text.h"

namespace exportdeck::options {

namespace {

void addRows(const OptionSet& left, const OptionSet& right, const std::string& prefix, std::vector<ProfileRow>& rows) {
  const auto row = [&](const OptionSpec& spec) { return ProfileRow{prefix + spec.key, spec.title, &spec, {}, {}}; };
  for (const OptionSpec& spec : left.specs()) {
    rows.push_back(row(spec));
    rows.back().left = left.value(spec.key);
    if (right.find(spec.key) != nullptr) rows.back().right = right.value(spec.key);
  }
  for (const OptionSpec& spec : right.specs()) {
    if (left.find(spec.key) != nullptr) continue;
    rows.push_back(row(spec));
    rows.back().right = right.value(spec.key);
  }
}

std::string runtimeName(const Profile& profile) {
  const BackendEntry* entry = Catalogue::builtIn().find(profile.backend);
  return entry != nullptr && !entry->runtimeId.empty() ? entry->runtimeId : profile.backend;
}

}  // namespace

std::vector<ProfileRow> compareProfiles(const Profile& left, const Profile& right) {
  std::vector<ProfileRow> rows{{"backend", "Backend", nullptr, left.backend, right.backend}};
  addRows(left.exportOptions, right.exportOptions, "", rows);
  const std::string leftName = runtimeName(left), rightName = runtimeName(right);
  if (leftName == rightName) {
    addRows(left.runtimeOptions, right.runtimeOptions, leftName + ".", rows);
  } else {
    addRows(left.runtimeOptions, {}, leftName + ".", rows);
    addRows({}, right.runtimeOptions, rightName + ".", rows);
  }
  return rows;
}

}  // namespace exportdeck::options
