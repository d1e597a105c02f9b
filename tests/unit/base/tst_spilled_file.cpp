// Bytes that go to a temporary file: what is read back, and that nothing stays behind.
#include <QTest>

#include "base/diagnostic.h"
#include "support/errors.h"
#include "support/files.h"

using namespace exportdeck;
using namespace exportdeck::tests;

class TestSpilledFile : public QObject {
  Q_OBJECT

 private slots:
  void init() { qputenv("TMPDIR", folder_.path().c_str()); }
  void cleanup() { QCOMPARE(folder_.listing(), std::string()); }
  void givesTheBytes();
  void leavesNothingWhereTheSourceFails();
  void tellsWhereThereIsNoRoom();

 private:
  TemporaryFolder folder_;
};

void TestSpilledFile::givesTheBytes() {
  Bytes bytes(3'000'000);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7);
  const auto file = InputFile::spilled("model.pt2", *bytesInMemory(bytes));
  QCOMPARE(file->path(), std::string("model.pt2"));
  QCOMPARE(file->size(), uint64_t{bytes.size()});
  QCOMPARE(bytesInFile({file, 0, file->size()})->materialise(), bytes);
  QCOMPARE(folder_.listing(), std::string());
}

void TestSpilledFile::leavesNothingWhereTheSourceFails() {
  const auto source = bytesMade(10, []() -> Bytes { throw ExportError(Code::ArchiveInvalid, "damaged"); });
  QCOMPARE(errorCode([&] { return InputFile::spilled("model.pt2", *source); }), std::string("archive.invalid"));
}

void TestSpilledFile::tellsWhereThereIsNoRoom() {
  qputenv("TMPDIR", folder_.file("missing").c_str());
  const auto diagnostic = errorOf([] { return InputFile::spilled("model.pt2", *bytesInMemory(Bytes(10))); });
  QVERIFY(diagnostic && diagnostic->code == Code::FileUnwritable && !diagnostic->fixes.empty());
  QVERIFY2(diagnostic->message.find("missing/exportdeck-") != std::string::npos, diagnostic->message.c_str());
}

QTEST_APPLESS_MAIN(TestSpilledFile)
#include "tst_spilled_file.moc"
