// Files that belong together get their names together, or what was there stays.
#include <QDir>
#include <QTest>

#include "base/publish.h"
#include "support/errors.h"
#include "support/files.h"

using namespace exportdeck;
using namespace exportdeck::tests;

namespace {

void fill(OutputFile& file, const std::string& text) {
  file.write(std::as_bytes(std::span(text.data(), text.size())));
  file.flush(Context{silentProgress(), {}});
}

}  // namespace

class TestPublish : public QObject {
  Q_OBJECT
 private slots:
  void bothAppear() {
    const TemporaryFolder folder;
    OutputFile first(folder.file("a.ptd")), second(folder.file("a.pte"));
    fill(first, "data");
    fill(second, "program");
    publishTogether({&first, &second}, false);
    QCOMPARE(readText(folder.file("a.ptd")), std::string("data"));
    QCOMPARE(readText(folder.file("a.pte")), std::string("program"));
  }

  void bothAreReplaced() {
    const TemporaryFolder folder;
    folder.write("a.ptd", "old data");
    folder.write("a.pte", "old program");
    OutputFile first(folder.file("a.ptd")), second(folder.file("a.pte"));
    fill(first, "data");
    fill(second, "program");
    publishTogether({&first, &second}, true);
    QCOMPARE(readText(folder.file("a.ptd")), std::string("data"));
    QCOMPARE(readText(folder.file("a.pte")), std::string("program"));
    QCOMPARE(folder.listing(), std::string("a.ptd a.pte"));
  }

  // The second name is taken, so the first is taken back.
  void neitherAppears() {
    const TemporaryFolder folder;
    folder.write("a.pte", "old program");
    OutputFile first(folder.file("a.ptd")), second(folder.file("a.pte"));
    fill(first, "data");
    fill(second, "program");
    QCOMPARE(errorCode([&] {
               publishTogether({&first, &second}, false);
               return 0;
             }),
             std::string("file.exists"));
    QCOMPARE(readText(folder.file("a.pte")), std::string("old program"));
    QCOMPARE(folder.listing(), std::string("a.pte"));
  }

  // The second's folder is gone when the names are given.
  void theOldStaysWhereReplacingFails() {
    const TemporaryFolder folder;
    folder.write("a.ptd", "old data");
    QDir(QString::fromStdString(folder.path())).mkdir("sub");
    OutputFile first(folder.file("a.ptd")), second(folder.file("sub/a.pte"));
    fill(first, "data");
    fill(second, "program");
    QVERIFY(QDir(QString::fromStdString(folder.path())).rmdir("sub"));
    QCOMPARE(errorCode([&] {
               publishTogether({&first, &second}, true);
               return 0;
             }),
             std::string("file.unwritable"));
    QCOMPARE(readText(folder.file("a.ptd")), std::string("old data"));
    QCOMPARE(folder.listing(), std::string("a.ptd"));
  }
};

QTEST_GUILESS_MAIN(TestPublish)
#include "tst_publish.moc"
