#include "base/publish.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck {

namespace {

// Names that were taken, set aside until all goes well.
class SetAside {
 public:
  SetAside() = default;
  SetAside(const SetAside&) = delete;
  SetAside& operator=(const SetAside&) = delete;
  ~SetAside() {
    for (const auto& [path, aside] : names_) std::rename(aside.c_str(), path.c_str());
  }
  void add(const std::string& path) {
    const std::string aside = concat(path, ".old-", ::getpid());
    if (std::rename(path.c_str(), aside.c_str()) == 0) {
      names_.emplace_back(path, aside);
    } else if (errno != ENOENT) {
      throw ExportError(Code::FileUnwritable, concat("cannot replace ", path, ": ", std::strerror(errno)),
                        {"choose another output name"});
    }
  }
  void drop() {
    for (const auto& [path, aside] : names_) ::unlink(aside.c_str());
    names_.clear();
  }

 private:
  std::vector<std::pair<std::string, std::string>> names_;
};

}  // namespace

void publishTogether(const std::vector<OutputFile*>& files, bool replace) {
  SetAside old;
  if (replace) {
    for (const OutputFile* file : files) old.add(file->path());
  }
  size_t published = 0;
  try {
    for (; published < files.size(); ++published) files[published]->publish(false);
  } catch (...) {
    while (published > 0) ::unlink(files[--published]->path().c_str());
    throw;
  }
  old.drop();
}

}  // namespace exportdeck
