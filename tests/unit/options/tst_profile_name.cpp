// What may be a profile's name, and what the nearest one is to what may not.
#include <QTest>

#include "options/profile.h"
#include "options/profile_name.h"
#include "support/errors.h"

using namespace exportdeck::options;
using exportdeck::tests::errorOf;

class TestProfileName : public QObject {
  Q_OBJECT

 private slots:
  void good_data() {
    QTest::addColumn<QByteArray>("name");
    for (const char* name : {"Phone CPU", "a", "Größe 8", "電話", "v1.2", "a-b", "con cern", "comet", "My defaults",
                             "x.json5", "50 % (new)", "it's \"quoted\""})
      QTest::newRow(name) << QByteArray(name);
    QTest::newRow("80 characters") << QByteArray("ä").repeated(80);
  }
  void good() {
    QFETCH(QByteArray, name);
    QCOMPARE(whyNoProfileName(name.toStdString()), std::string());
    QCOMPARE(nearestProfileName(name.toStdString()), name.toStdString());
    requireProfileName(name.toStdString());
  }

  void bad_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QByteArray>("nearest");
    const auto row = [](const char* what, const QByteArray& name, const char* reason, const char* nearest) {
      QTest::newRow(what) << name << QString::fromUtf8(reason) << QByteArray(nearest);
    };
    row("nothing", "", "it is empty", "");
    row("spaces", "  ", "it holds nothing but spaces", "");
    row("space before", " a", "it begins with a space", "a");
    row("space after", "a ", "it ends with a space", "a");
    row("wide space after", "a\u3000", "it ends with a space", "a");
    row("path", "Phone / CPU", "it holds \"/\", so it would be taken for a path", "Phone CPU");
    row("path of Windows", "a\\b", "it holds \"\\\", so it would be taken for a path", "a b");
    row("line break", "a\nb", "it holds a line break", "a b");
    row("line break of Windows", "a\r\nb", "it holds a line break", "a b");
    row("line separator", "a\u2028b", "it holds a line break", "a b");
    row("tab", "a\tb", "it holds a tab", "a b");
    row("null", QByteArray("a\0b", 3), "it holds a control character", "a b");
    row("escape", "a\x1b[31m", "it holds a control character", "a [31m");
    row("delete", "a\x7f", "it holds a control character", "a");
    row("no width", "a\u200b", "it holds a character that cannot be seen", "a");
    row("turned round",
        "a\u202e"
        "b",
        "it holds a character that cannot be seen", "ab");
    row("option", "--set", "it begins with \"-\", so it would be taken for a word of the command line", "set");
    row("file", "mine.JSON", "it ends with \".json\", so it would be taken for a file", "mine");
    row("folder", "..", "\"..\" stands for a folder", "My ..");
    row("none", "Defaults", "\"Defaults\" stands for no profile at all", "My Defaults");
    row("device", "CON", "\"CON\" is the name of a device on Windows", "My CON");
    row("numbered device", "com1.a", "\"com1.a\" is the name of a device on Windows", "My com1.a");
    row("no text", "a\xff", "it is no UTF-8 text", "");
    const QByteArray longest = QByteArray("x").repeated(80);
    row("long", longest + "yz", "it has 82 characters, and 80 are the most", longest.constData());
  }
  void bad() {
    QFETCH(QByteArray, name);
    QFETCH(QString, reason);
    QFETCH(QByteArray, nearest);
    QCOMPARE(QString::fromStdString(whyNoProfileName(name.toStdString())), reason);
    QCOMPARE(nearestProfileName(name.toStdString()), nearest.toStdString());
    const auto error = errorOf([&] {
      requireProfileName(name.toStdString());
      return 0;
    });
    QVERIFY(error.has_value());
    QCOMPARE(error->code, exportdeck::Code::Usage);
    QVERIFY(QString::fromStdString(error->message).contains(reason));
  }

  // A file's own name is judged like a typed one: the nearest is taken in its place, and it is said.
  void inAFile() {
    const ProfileResult result = readProfile(
        R"({"exportdeck_profile": 1, "name": "Phone / CPU\n", "backend": "xnnpack"})", Catalogue::builtIn());
    QCOMPARE(result.problems.size(), size_t{1});
    QCOMPARE(result.problems[0].key, std::string("name"));
    QCOMPARE(result.problems[0].given, std::string("\"Phone / CPU\\n\""));
    QCOMPARE(result.problems[0].taken, std::string("\"Phone CPU\""));
    QCOMPARE(result.profile.name, std::string("Phone CPU"));
  }
};

QTEST_MAIN(TestProfileName)
#include "tst_profile_name.moc"
