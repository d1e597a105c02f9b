// Files for tests: a folder of their own, the repository's, and the larger collection of cases beside it.
#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace exportdeck::tests {

// A folder that is removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  std::string path() const { return folder_.path().toStdString(); }
  std::string file(std::string_view name) const;
  // Writes a file in it and returns its path.
  std::string write(std::string_view name, std::string_view content) const;
  // Names of all entries, sorted and separated by spaces; also hidden ones.
  std::string listing() const;

 private:
  QTemporaryDir folder_;
};

Bytes readBytes(const std::string& path);       // throws FileNotFound, FileUnreadable
std::string readText(const std::string& path);  // as above
void writeBytes(const std::string& path, std::span<const std::byte> bytes);

// A path inside the repository: repositoryFile("tests/cases/mlp").
std::string repositoryFile(std::string_view relative);
// A case of the collection that may lie beside the repository (../shared/cases); see SKIP_WITHOUT_SHARED_CASE.
std::string sharedCase(std::string_view name);
bool sharedCaseExists(std::string_view name);

}  // namespace exportdeck::tests

// In a test function: skips it, naming the case, where the collection is not there.
#define SKIP_WITHOUT_SHARED_CASE(name)                                          \
  do {                                                                          \
    if (!exportdeck::tests::sharedCaseExists(name))                             \
      QSKIP(("../shared/cases/" + std::string(name) + " is not here").c_str()); \
  } while (false)
