#include "services/profile_store.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUrl>

#include "base/text.h"
#include "options/profile_name.h"
#include "options/resources.h"

namespace exportdeck::services {

namespace {

constexpr qint64 kLargestProfile = 1 << 20;
constexpr int kLongestFileName = 200;  // of the 255 bytes that file systems take; QSaveFile adds some
constexpr std::string_view kBuiltInFolder = "profiles/";

bool isFile(const QString& fileOrName) {
  return fileOrName.contains(QLatin1Char('/')) || fileOrName.endsWith(QLatin1String(".json"));
}

std::string readFile(const QString& path) {
  QFile file(path);
  if (!file.exists())
    throw ExportError(Code::FileNotFound, concat("There is no profile ", path.toStdString()), {"check the path"});
  if (!file.open(QIODevice::ReadOnly)) {
    throw ExportError(Code::FileUnreadable, concat("The profile ", path.toStdString(),
                                                   " cannot be read: ", file.errorString().toStdString()));
  }
  const QByteArray content = file.read(kLargestProfile + 1);
  if (content.size() > kLargestProfile) {
    throw ExportError(Code::FileUnreadable,
                      concat("The profile ", path.toStdString(), " is larger than a profile can be (1 MiB)"));
  }
  return content.toStdString();
}

// The name that a profile gives itself, or "" for what is no profile.
QString nameIn(std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("exportdeck_profile")) return {};
  const auto name = json.find("name");
  return name != json.end() && name->is_string() ? QString::fromStdString(name->get<std::string>()) : QString();
}

std::string_view builtInText(const QString& name) {
  for (const options::Resource& resource : options::builtInResources()) {
    if (resource.name.starts_with(kBuiltInFolder) && nameIn(resource.text) == name) return resource.text;
  }
  return {};
}

}  // namespace

ProfileStore::ProfileStore(QString folder) : folder_(std::move(folder)) {}

QString ProfileStore::defaultFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
         QStringLiteral("/exportdeck/profiles");
}

QList<ProfileStore::Item> ProfileStore::list() const {
  QMap<QString, Item> items;
  for (const options::Resource& resource : options::builtInResources()) {
    if (!resource.name.starts_with(kBuiltInFolder)) continue;
    const QString name = nameIn(resource.text);
    items.insert(name, {name, {}});
  }
  const QDir folder(folder_);
  for (const QString& file : folder.entryList({QStringLiteral("*.json")}, QDir::Files | QDir::Readable, QDir::Name)) {
    try {
      const QString path = folder.filePath(file);
      const QString name = nameIn(readFile(path));
      if (!name.isEmpty()) items.insert(name, {name, path});
    } catch (const ExportError&) {
      continue;  // unreadable: reported when somebody asks for it by its path
    }
  }
  return items.values();
}

std::string ProfileStore::text(const QString& fileOrName) const {
  if (isFile(fileOrName)) return readFile(fileOrName);
  std::vector<std::string> names;
  for (const Item& item : list()) {
    if (item.name == fileOrName) return item.builtIn() ? std::string(builtInText(item.name)) : readFile(item.path);
    names.push_back(item.name.toStdString());
  }
  if (QFile::exists(fileOrName)) return readFile(fileOrName);
  const std::string wanted = fileOrName.toStdString();
  std::vector<std::string> fixes;
  if (const std::string near = nearestMatch(wanted, names); !near.empty())
    fixes.push_back(concat("use --profile '", near, "'"));
  fixes.push_back("give the path of a profile file");
  Diagnostic diagnostic{
      Code::FileNotFound, Severity::Error, concat("There is no profile named \"", wanted, "\""), {}, {},
      std::move(fixes)};
  diagnostic.why = concat("The profiles here are ", join(names, ", "));
  throw ExportError(std::move(diagnostic));
}

options::ProfileResult ProfileStore::read(const QString& fileOrName) const {
  return options::readProfile(text(fileOrName), options::Catalogue::builtIn());
}

options::Profile ProfileStore::load(const QString& fileOrName) const {
  return options::loadProfile(text(fileOrName), options::Catalogue::builtIn());
}

QString ProfileStore::pathFor(const QString& name) const {
  QByteArray encoded = QUrl::toPercentEncoding(name, " ");
  if (encoded.startsWith('.')) encoded.replace(0, 1, "%2E");  // no hidden file
  // A name of other letters takes many times its length: the file's own name only has to be one of its own.
  if (encoded.size() > kLongestFileName) {
    const QByteArray hash = QCryptographicHash::hash(name.toUtf8(), QCryptographicHash::Sha256).toHex();
    encoded = encoded.left(kLongestFileName / 2) + '-' + hash.left(32);
  }
  return folder_ + QLatin1Char('/') + QString::fromLatin1(encoded) + QStringLiteral(".json");
}

QString ProfileStore::save(const options::Profile& profile, bool replace) const {
  const QString name = QString::fromStdString(profile.name);
  options::requireProfileName(profile.name);
  if (!QDir().mkpath(folder_)) {
    throw ExportError(Code::FileUnwritable, concat("The folder ", folder_.toStdString(), " cannot be made"),
                      {"check its permissions"});
  }
  // A file of the user's that gives itself this name is the one to replace, wherever its own name came from.
  QString path = pathFor(name);
  for (const Item& item : list()) {
    if (item.name == name && !item.builtIn()) path = item.path;
  }
  if (!replace && QFile::exists(path)) {
    throw ExportError(Code::OutputExists, concat("A profile named \"", profile.name, "\" exists"),
                      {"choose another name", "replace it"});
  }
  saveTo(profile, path);
  return path;
}

void ProfileStore::saveTo(const options::Profile& profile, const QString& path) {
  writeText(options::writeProfile(profile), path);
}

void ProfileStore::writeText(const std::string& text, const QString& path) {
  QSaveFile file(path);
  const auto size = static_cast<qint64>(text.size());
  if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), size) != size || !file.commit()) {
    throw ExportError(
        Code::FileUnwritable,
        concat("The profile ", path.toStdString(), " cannot be written: ", file.errorString().toStdString()),
        {"choose another folder"});
  }
}

QString ProfileStore::remove(const QString& name) const {
  for (const Item& item : list()) {
    if (item.name != name || item.builtIn()) continue;
    if (!QFile::remove(item.path)) {
      throw ExportError(Code::FileUnwritable, concat("The profile ", item.path.toStdString(), " cannot be removed"));
    }
    return item.path;
  }
  throw ExportError(Code::FileNotFound, concat("There is no profile of yours named \"", name.toStdString(), "\""));
}

// The new one is there before the old one goes.
void ProfileStore::rename(const QString& from, const QString& to) const {
  options::Profile profile = load(from);
  profile.name = to.toStdString();
  bool own = false;
  for (const Item& item : list()) {
    own = own || (item.name == from && !item.builtIn());
    if (item.name == to)
      throw ExportError(Code::OutputExists, concat("A profile named \"", profile.name, "\" exists"),
                        {"choose another name"});
  }
  if (!own)
    throw ExportError(Code::FileNotFound, concat("There is no profile of yours named \"", from.toStdString(), "\""));
  save(profile, false);
  remove(from);
}

}  // namespace exportdeck::services
