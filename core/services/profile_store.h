// Profiles by name: the user's own in the configuration folder, then the built-in ones.
#pragma once

#include <QList>
#include <QString>

#include "options/profile.h"

namespace exportdeck::services {

class ProfileStore {
 public:
  // Default: "exportdeck/profiles" in the user's XDG configuration folder. It need not exist.
  explicit ProfileStore(QString folder = defaultFolder());
  static QString defaultFolder();

  struct Item {
    QString name;
    QString path;  // empty: built in
    bool builtIn() const { return path.isEmpty(); }
  };
  // Sorted by name; a user's profile hides a built-in one of the same name. Files that are no profile are left out.
  QList<Item> list() const;
  const QString& folder() const { return folder_; }

  // The JSON text of a file (a path with '/', or ending in ".json") or of a named profile.
  // Throws FileNotFound naming the nearest profile, FileUnreadable.
  std::string text(const QString& fileOrName) const;
  // options::readProfile / loadProfile of that text.
  options::ProfileResult read(const QString& fileOrName) const;
  options::Profile load(const QString& fileOrName) const;

  // Writes the profile under its name and returns the path. Throws OutputExists without `replace`, FileUnwritable,
  // Usage (what it is called cannot be a name: see options/profile_name.h).
  QString save(const options::Profile& profile, bool replace) const;
  // Writes to any file, whole or not at all. Throws FileUnwritable.
  static void saveTo(const options::Profile& profile, const QString& path);
  static void writeText(const std::string& text, const QString& path);
  // Returns the path that the profile had. Throws FileNotFound for a name that is not the user's.
  QString remove(const QString& name) const;
  // Throws OutputExists where another has the name, ProfileInvalid, and what save() and remove() throw.
  void rename(const QString& from, const QString& to) const;

 private:
  QString pathFor(const QString& name) const;
  QString folder_;
};

}  // namespace exportdeck::services
