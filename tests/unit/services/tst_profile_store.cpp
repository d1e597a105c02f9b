// Profiles by name and by file.
#include <QDir>
#include <QTest>

#include "services/profile_store.h"
#include "support/errors.h"
#include "support/files.h"

using namespace exportdeck;
using namespace exportdeck::services;
using exportdeck::tests::errorCode;
using exportdeck::tests::errorOf;
using exportdeck::tests::TemporaryFolder;

namespace {

options::Profile profileNamed(const char* name, int64_t alignment = 64) {
  options::Profile profile;
  const auto& entry = *options::Catalogue::builtIn().find("xnnpack");
  profile.name = name;
  profile.backend = entry.id;
  profile.exportOptions = options::OptionSet(entry.exportOptions);
  profile.runtimeOptions = options::OptionSet(entry.runtimeOptions);
  profile.exportOptions.set("alignment", alignment);
  return profile;
}

QStringList namesIn(const ProfileStore& store) {
  QStringList names;
  for (const ProfileStore::Item& item : store.list()) names << item.name + (item.builtIn() ? "*" : "");
  return names;
}

}  // namespace

class TestProfileStore : public QObject {
  Q_OBJECT

 private slots:
  void builtInsAreThere() {
    const TemporaryFolder folder;
    const ProfileStore store(QString::fromStdString(folder.file("none")));
    QCOMPARE(namesIn(store), (QStringList{"Find the culprit*", "Phone CPU*", "Portable runtime*", "Several models*",
                                          "Smallest arena*"}));
    QVERIFY(!store.load("Smallest arena").exportOptions.boolean("plan_inputs"));
    QCOMPARE(folder.listing(), std::string());  // looking makes no folder
  }

  void savesAndFinds() {
    const TemporaryFolder folder;
    const ProfileStore store(QString::fromStdString(folder.file("deep/profiles")));
    const QString path = store.save(profileNamed("My CPU"), false);
    QCOMPARE(path, QString::fromStdString(folder.file("deep/profiles/My CPU.json")));
    QCOMPARE(namesIn(store), (QStringList{"Find the culprit*", "My CPU", "Phone CPU*", "Portable runtime*",
                                          "Several models*", "Smallest arena*"}));
    QCOMPARE(store.load("My CPU").exportOptions.integer("alignment"), 64);
    QCOMPARE(store.load(path).exportOptions.integer("alignment"), 64);
  }

  void keepsWhatIsThere() {
    const TemporaryFolder folder;
    const ProfileStore store(QString::fromStdString(folder.path()));
    store.save(profileNamed("Mine"), false);
    QCOMPARE(errorCode([&] { return store.save(profileNamed("Mine", 32), false); }), std::string("file.exists"));
    QCOMPARE(store.load("Mine").exportOptions.integer("alignment"), 64);
    store.save(profileNamed("Mine", 32), true);
    QCOMPARE(store.load("Mine").exportOptions.integer("alignment"), 32);
    QCOMPARE(folder.listing(), std::string("Mine.json"));
  }

  void renames() {
    const TemporaryFolder folder;
    const ProfileStore store(QString::fromStdString(folder.path()));
    store.save(profileNamed("Mine"), false);
    store.save(profileNamed("Other", 32), false);
    const auto rename = [&](const char* from, const char* to) {
      return errorCode([&] {
        store.rename(from, to);
        return 0;
      });
    };
    QCOMPARE(rename("Mine", "Other"), std::string("file.exists"));
    QCOMPARE(rename("Mine", "Phone CPU"), std::string("file.exists"));
    QCOMPARE(rename("Nobody", "New"), std::string("file.not-found"));
    QCOMPARE(rename("Mine", "Yours"), std::string("none"));
    QCOMPARE(folder.listing(), std::string("Other.json Yours.json"));
    QCOMPARE(store.load("Yours").exportOptions.integer("alignment"), 64);
    // A built-in one stays as it is.
    QCOMPARE(rename("Phone CPU", "New"), std::string("file.not-found"));
    QCOMPARE(folder.listing(), std::string("Other.json Yours.json"));
  }

  void usersHideBuiltIns() {
    const TemporaryFolder folder;
    const ProfileStore store(QString::fromStdString(folder.path()));
    store.save(profileNamed("Phone CPU", 4096), false);
    QCOMPARE(namesIn(store), (QStringList{"Find the culprit*", "Phone CPU", "Portable runtime*", "Several models*",
                                          "Smallest arena*"}));
    QCOMPARE(store.load("Phone CPU").exportOptions.integer("alignment"), 4096);
    store.remove("Phone CPU");
    QCOMPARE(namesIn(store), (QStringList{"Find the culprit*", "Phone CPU*", "Portable runtime*", "Several models*",
                                          "Smallest arena*"}));
    QCOMPARE(errorCode([&] {
               store.remove("Phone CPU");
               return 0;
             }),
             std::string("file.not-found"));
  }

  // No name may leave the folder or hide its file.
  void oddNames() {
    const TemporaryFolder folder;
    const ProfileStore store(QString::fromStdString(folder.file("p")));
    for (const char* name : {".hidden", "...", "100 % ä", "con:fig?*", "trailing.json x"}) {
      const QString path = store.save(profileNamed(name), false);
      QCOMPARE(QFileInfo(path).absolutePath(), QString::fromStdString(folder.file("p")));
      QVERIFY(!QFileInfo(path).fileName().startsWith('.'));
      QVERIFY(namesIn(store).contains(name));
    }
    QCOMPARE(folder.listing(), std::string("p"));
    for (const char* name : {"", " ", "../escape", "a/b", "..", "a ", "a\nb", "Defaults"})
      QCOMPARE(errorCode([&] { return store.save(profileNamed(name), true); }), std::string("usage"));
    QCOMPARE(folder.listing(), std::string("p"));
  }

  // As a file's name each of these letters takes nine bytes.
  void longNamesOfOtherLetters() {
    const TemporaryFolder folder;
    const ProfileStore store(QString::fromStdString(folder.path()));
    const QString name = QStringLiteral("電").repeated(79);
    for (const char* last : {"話", "波"}) {
      const QString whole = name + QString::fromUtf8(last);
      store.save(profileNamed(whole.toUtf8().constData()), false);
      QVERIFY(namesIn(store).contains(whole));
    }
  }

  void foreignFilesAreLeftOut() {
    const TemporaryFolder folder;
    folder.write("broken.json", "{");
    folder.write("other.json", "{\"name\": \"Other\"}");
    folder.write("notes.txt", "hello");
    folder.write("renamed.json", options::writeProfile(profileNamed("Inner name")));
    const ProfileStore store(QString::fromStdString(folder.path()));
    QCOMPARE(namesIn(store), (QStringList{"Find the culprit*", "Inner name", "Phone CPU*", "Portable runtime*",
                                          "Several models*", "Smallest arena*"}));
    // Saved again it replaces the file that holds it.
    QCOMPARE(store.save(profileNamed("Inner name"), true), QString::fromStdString(folder.file("renamed.json")));
  }

  void missingOnes() {
    const TemporaryFolder folder;
    const ProfileStore store(QString::fromStdString(folder.path()));
    const auto error = errorOf([&] { return store.load("Phone cpu"); });
    QVERIFY(error->code == Code::FileNotFound);
    QCOMPARE(error->fixes.front(), std::string("use --profile 'Phone CPU'"));
    QCOMPARE(errorCode([&] { return store.load("./nothing.json"); }), std::string("file.not-found"));
    QCOMPARE(errorCode([&] { return store.load("nothing.json"); }), std::string("file.not-found"));
  }

  void badOnes() {
    const TemporaryFolder folder;
    const ProfileStore store(QString::fromStdString(folder.path()));
    const QString broken = QString::fromStdString(folder.write("broken.json", "{"));
    QCOMPARE(errorCode([&] { return store.load(broken); }), std::string("profile.invalid"));
    QCOMPARE(store.read(broken).problems.size(), size_t{1});
    const QString huge = QString::fromStdString(folder.write("huge.json", std::string(2 << 20, ' ')));
    QCOMPARE(errorCode([&] { return store.load(huge); }), std::string("file.unreadable"));
    QCOMPARE(errorCode([&] { return store.load("/proc/self/"); }), std::string("file.unreadable"));
  }

  void unwritableFolders() {
    const TemporaryFolder folder;
    const std::string file = folder.write("file", "x");
    const ProfileStore store(QString::fromStdString(file + "/profiles"));
    QCOMPARE(errorCode([&] { return store.save(profileNamed("A"), false); }), std::string("file.unwritable"));
    const auto saveTo = [](const char* path) {
      return errorCode([&] {
        ProfileStore::saveTo(profileNamed("A"), path);
        return 0;
      });
    };
    QCOMPARE(saveTo("/nonexistent/a.json"), std::string("file.unwritable"));
    QCOMPARE(saveTo("/proc/a.json"), std::string("file.unwritable"));
  }

  void folderFollowsXdg() {
    const QByteArray before = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", "/somewhere");
    QCOMPARE(ProfileStore::defaultFolder(), QString("/somewhere/exportdeck/profiles"));
    qputenv("XDG_CONFIG_HOME", before);
  }
};

QTEST_GUILESS_MAIN(TestProfileStore)
#include "tst_profile_store.moc"
