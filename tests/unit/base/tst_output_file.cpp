#include <QFileInfo>
#include <QTest>

#include "base/diagnostic.h"
#include "base/sink.h"
#include "support/errors.h"
#include "support/fail_sink.h"
#include "support/files.h"

using namespace exportdeck;
using namespace exportdeck::tests;

namespace {

std::span<const std::byte> asBytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}
const Context kQuiet{silentProgress(), {}};

}  // namespace

class TestOutputFile : public QObject {
  Q_OBJECT
 private slots:
  void appearsWholeWhenPublished() {
    const TemporaryFolder folder;
    OutputFile file(folder.file("out.pte"));
    file.write(asBytes("hello"));
    QCOMPARE(readText(file.readablePath()), std::string("hello"));
    QVERIFY(!QFile::exists(QString::fromStdString(folder.file("out.pte"))));
    file.flush(kQuiet);
    file.publish(false);
    QCOMPARE(readText(folder.file("out.pte")), std::string("hello"));
    QCOMPARE(folder.listing(), std::string("out.pte"));
  }

  void leavesNothingWhenDropped() {
    const TemporaryFolder folder;
    {
      OutputFile file(folder.file("out.pte"));
      file.write(asBytes("half"));
    }
    QCOMPARE(folder.listing(), std::string());
  }

  void replacesOnlyWhenTold() {
    const TemporaryFolder folder;
    const std::string path = folder.write("out.pte", "old");
    OutputFile first(path);
    first.write(asBytes("new"));
    QCOMPARE(errorCode([&] {
               first.publish(false);
               return 0;
             }),
             std::string("file.exists"));
    QCOMPARE(readText(path), std::string("old"));
    first.publish(true);
    QCOMPARE(readText(path), std::string("new"));
    QCOMPARE(folder.listing(), std::string("out.pte"));
  }

  void saysWhyAFolderCannotTakeIt() {
    const TemporaryFolder folder;
    const std::string plain = folder.write("file", "");
    QCOMPARE(errorCode([&] { return OutputFile(folder.file("missing/out.pte")).position(); }),
             std::string("file.unwritable"));
    QCOMPARE(errorCode([&] { return OutputFile(plain + "/out.pte").position(); }), std::string("file.unwritable"));
    QCOMPARE(errorCode([&] { return OutputFile(folder.path()).position(); }), std::string("file.unwritable"));
    QCOMPARE(errorCode([&] { return OutputFile("/proc/out.pte").position(); }), std::string("file.unwritable"));
  }

  void aDeviceIsWrittenAndNeverReplaced() {
    OutputFile full("/dev/full");
    const auto diagnostic = errorOf([&] {
      full.write(asBytes("x"));
      return 0;
    });
    QVERIFY(diagnostic && diagnostic->message.find("No space left") != std::string::npos);
    OutputFile null("/dev/null");
    null.write(asBytes("x"));
    null.publish(true);
    QVERIFY(!QFileInfo("/dev/null").isFile());
    QVERIFY(!QFileInfo("/dev/full").isFile());
  }

  void copiesRangesOfFiles() {
    const TemporaryFolder folder;
    const auto source = InputFile::open(folder.write("in", "0123456789"));
    OutputFile file(folder.file("out"));
    file.write(asBytes("<"));
    file.write(*bytesInFile({source, 2, 5}), kQuiet);
    file.write(asBytes(">"));
    QCOMPARE(file.position(), uint64_t{7});
    file.publish(false);
    QCOMPARE(readText(folder.file("out")), std::string("<23456>"));
  }

  void aSourceThatShrankIsAnError() {
    const TemporaryFolder folder;
    const auto source = InputFile::open(folder.write("in", "0123456789"));
    folder.write("in", "01");
    OutputFile file(folder.file("out"));
    QCOMPARE(errorCode([&] {
               file.write(*bytesInFile({source, 0, 10}), kQuiet);
               return 0;
             }),
             std::string("file.unreadable"));
  }

  void stopsWhenAsked() {
    const TemporaryFolder folder;
    const auto source = InputFile::open(folder.write("in", "0123456789"));
    std::stop_source stop;
    stop.request_stop();
    const Context stopped{silentProgress(), stop.get_token()};
    OutputFile file(folder.file("out"));
    QCOMPARE(errorCode([&] {
               file.write(*bytesInFile({source, 0, 10}), stopped);
               return 0;
             }),
             std::string("cancelled"));
    QCOMPARE(errorCode([&] {
               file.flush(stopped);
               return 0;
             }),
             std::string("cancelled"));
  }

  void everySinkErrorSurfaces() {
    const auto bytes = bytesMade(10, [] { return Bytes(10); });
    for (uint64_t limit = 0; limit < 10; ++limit) {
      FailSink sink(limit);
      QCOMPARE(errorCode([&] {
                 sink.Sink::write(*bytes, kQuiet);
                 return 0;
               }),
               std::string("file.unwritable"));
    }
    FailSink enough(10);
    enough.Sink::write(*bytes, kQuiet);
    QCOMPARE(enough.position(), uint64_t{10});
  }

  void hashesDependOnBytesAlone() {
    const TemporaryFolder folder;
    const auto source = InputFile::open(folder.write("in", "abc"));
    const Bytes same{std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
    QCOMPARE(bytesInFile({source, 0, 3})->hash(), bytesInMemory(same)->hash());
    QVERIFY(bytesInFile({source, 0, 2})->hash() != bytesInMemory(same)->hash());
    QCOMPARE(bytesInMemory(same)->hash().size(), size_t{32});
  }
};

QTEST_APPLESS_MAIN(TestOutputFile)
#include "tst_output_file.moc"
