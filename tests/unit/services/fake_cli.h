// A shell script in the place of the command-line program.
#pragma once

#include <QDir>
#include <QFile>

#include "support/files.h"

namespace exportdeck::tests {

// Points EXPORTDECK_CLI at a script with this body for the object's life.
class FakeCli {
 public:
  explicit FakeCli(const std::string& body) {
    const std::string path = folder_.write("exportdeck", "#!/bin/sh\n" + body + "\n");
    QFile::setPermissions(QString::fromStdString(path), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("EXPORTDECK_CLI", QByteArray::fromStdString(path));
  }
  ~FakeCli() { qunsetenv("EXPORTDECK_CLI"); }
  FakeCli(const FakeCli&) = delete;
  FakeCli& operator=(const FakeCli&) = delete;
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

}  // namespace exportdeck::tests
