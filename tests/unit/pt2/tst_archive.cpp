// The zip container: what it gives, and that every damage is told as such.
#include <QTest>
#include <filesystem>

#include "pt2/archive.h"
#include "support/errors.h"
#include "support/files.h"
#include "unit/pt2/program_builder.h"

using namespace exportdeck;
using namespace exportdeck::tests;
using pt2::Archive;

namespace {

std::string messageOf(const std::string& path) {
  const auto diagnostic = errorOf([&] { return Archive::open(path); });
  return diagnostic ? diagnostic->message : "none";
}

// A zip that holds a zip, as the example inputs of an exported program are.
std::string nestedZip() {
  ZipBuilder inner, outer;
  inner.add("archive/data.pkl", "inner payload");
  outer.add("top/models/model.json", "{}");
  outer.add("top/data/sample_inputs/model.pt", inner.finish());
  outer.add("top/archive_format", "pt2");
  return outer.finish();
}

}  // namespace

class TestArchive : public QObject {
  Q_OBJECT

 private slots:
  void givesEntriesAsFileRanges();
  void readsFlatZips();
  void readsDeflatedEntries();
  void opensNestedZips();
  void refusesWhatIsNoArchive();
  void refusesTruncationAtEveryByte();
  void refusesBrokenDirectories_data();
  void refusesBrokenDirectories();
  void refusesWrongChecksums();
  void refusesDamagedCompression();
  void boundsTexts();

 private:
  TemporaryFolder folder_;
};

void TestArchive::givesEntriesAsFileRanges() {
  const auto path = folder_.write("a.zip", nestedZip());
  const auto archive = Archive::open(path);
  QCOMPARE(archive->top(), std::string("top"));
  QCOMPARE(archive->names().size(), size_t{3});
  QCOMPARE(archive->text("archive_format", 10), std::string("pt2"));
  const auto range = archive->bytes("archive_format")->fileRange();
  QVERIFY(range.has_value());
  QCOMPARE(readText(path).substr(range->offset, range->size), std::string("pt2"));
  QVERIFY(archive->find("top/archive_format") == nullptr);
  QCOMPARE(errorCode([&] { return archive->bytes("missing"); }), std::string("archive.invalid"));
}

void TestArchive::readsFlatZips() {
  ZipBuilder zip;
  zip.add("version", "8.7");
  zip.add("extra_files/note", "hello");
  const auto archive = Archive::open(folder_.write("flat.zip", zip.finish()));
  QCOMPARE(archive->top(), std::string());
  QCOMPARE(archive->text("version", 10), std::string("8.7"));
}

void TestArchive::readsDeflatedEntries() {
  const auto archive = Archive::open(repositoryFile("tests/cases/x01_deflated_archive/model.pt2"));
  const auto* entry = archive->find("data/weights/weight_0");
  QVERIFY(entry != nullptr && entry->deflated);
  const auto source = archive->bytes("data/weights/weight_0");
  QVERIFY(!source->fileRange());
  QCOMPARE(source->materialise().size(), size_t{960});
  QCOMPARE(archive->text("archive_format", 10), std::string("pt2"));
}

void TestArchive::opensNestedZips() {
  const auto archive = Archive::open(folder_.write("b.zip", nestedZip()));
  QCOMPARE(archive->openNested("data/sample_inputs/model.pt", 1 << 20)->text("data.pkl", 100),
           std::string("inner payload"));
  const auto deflated = Archive::open(repositoryFile("tests/cases/x01_deflated_archive/model.pt2"));
  QCOMPARE(deflated->openNested("data/sample_inputs/model.pt", 1 << 20)->text("byteorder", 100), std::string("little"));
}

void TestArchive::refusesWhatIsNoArchive() {
  QCOMPARE(errorCode([&] { return Archive::open(folder_.file("missing.pt2")); }), std::string("file.not-found"));
  QCOMPARE(errorCode([&] { return Archive::open(folder_.path()); }), std::string("file.unreadable"));
  for (const std::string content : {"", "x", "hello, this is a text and no archive at all", "PK\x03\x04"}) {
    QCOMPARE(errorCode([&] { return Archive::open(folder_.write("no.pt2", content)); }),
             std::string("archive.invalid"));
  }
  QVERIFY(messageOf(folder_.write("empty.pt2", "")).find("empty") != std::string::npos);
  QVERIFY(messageOf(folder_.write("a.pte",
                                  "\x20\x01\x01\x01"
                                  "ET12 and so on"))
              .find(".pte") != std::string::npos);
  QVERIFY(messageOf(folder_.write("lfs.pt2", "version https://git-lfs.github.com/spec/v1\n")).find("LFS") !=
          std::string::npos);
}

// Also right after the nested zip, where the file ends as a zip does.
void TestArchive::refusesTruncationAtEveryByte() {
  for (const std::string& whole : {nestedZip(), ProgramBuilder().archive(),
                                   readText(repositoryFile("tests/cases/x01_deflated_archive/model.pt2"))}) {
    const auto path = folder_.write("cut.pt2", whole);
    QCOMPARE(errorCode([&] { return Archive::open(path); }), std::string("none"));
    for (size_t size = whole.size(); size-- > 0;) {
      std::filesystem::resize_file(path, size);
      const auto code = errorCode([&] { return Archive::open(path); });
      QVERIFY2(code == "archive.invalid",
               qPrintable(QString("%1 of %2 bytes: %3").arg(size).arg(whole.size()).arg(code.c_str())));
    }
  }
}

void TestArchive::refusesBrokenDirectories_data() {
  QTest::addColumn<QString>("breakage");
  QTest::addColumn<QString>("words");
  QTest::newRow("duplicate") << "duplicate" << "there twice";
  QTest::newRow("absolute name") << "absolute" << "not a relative path";
  QTest::newRow("name with ..") << "dots" << "not a relative path";
  QTest::newRow("control character") << "control" << "not a relative path";
  QTest::newRow("no UTF-8") << "latin" << "not a relative path";
  QTest::newRow("past the end") << "long" << "past the end";
  QTest::newRow("two sizes") << "sizes" << "two sizes";
  QTest::newRow("overlap") << "overlap" << "overlaps";
  QTest::newRow("encrypted") << "encrypted" << "encrypted";
  QTest::newRow("unknown method") << "method" << "method 99";
  QTest::newRow("impossible ratio") << "bomb" << "claims";
  QTest::newRow("data before") << "prefix" << "before";
  QTest::newRow("data after") << "suffix" << "end record";
}

void TestArchive::refusesBrokenDirectories() {
  QFETCH(QString, breakage);
  QFETCH(QString, words);
  ZipBuilder zip;
  zip.add("top/first", "0123456789");
  auto& entry = zip.add(breakage == "absolute"    ? "/top/second"
                        : breakage == "dots"      ? "top/../second"
                        : breakage == "control"   ? "top/\n"
                        : breakage == "latin"     ? "top/\xe4"
                        : breakage == "duplicate" ? "top/first"
                                                  : "top/second",
                        "abcdefghij");
  if (breakage == "long") entry.size = entry.storedSize = 100'000;
  if (breakage == "sizes") entry.size = 11;
  if (breakage == "overlap") entry.headerOffset = 0;
  if (breakage == "encrypted") entry.flags = 1;
  if (breakage == "method") entry.method = 99;
  if (breakage == "bomb") entry.method = 8, entry.size = 1u << 30;
  std::string file = zip.finish();
  if (breakage == "prefix") file = "junk" + file;
  if (breakage == "suffix") file += "junk";
  const auto path = folder_.write("broken.pt2", file);
  const auto diagnostic = errorOf([&] { return Archive::open(path); });
  QVERIFY(diagnostic.has_value());
  QCOMPARE(diagnostic->code, Code::ArchiveInvalid);
  // minizip itself refuses headers that contradict the directory; then the entry is named as damaged.
  const bool named = diagnostic->message.find(words.toStdString()) != std::string::npos ||
                     diagnostic->message.find("damaged header") != std::string::npos;
  QVERIFY2(named, diagnostic->message.c_str());
}

void TestArchive::refusesWrongChecksums() {
  ZipBuilder zip;
  zip.add("top/models/model.json", "{}");
  const auto path = folder_.write("crc.pt2", replaced(zip.finish(), "{}", "[]"));
  QCOMPARE(errorCode([&] { return Archive::open(path)->text("models/model.json", 100); }),
           std::string("archive.invalid"));
}

void TestArchive::refusesDamagedCompression() {
  const auto path = repositoryFile("tests/cases/x01_deflated_archive/model.pt2");
  const uint64_t offset = Archive::open(path)->find("models/model.json")->offset;
  std::string file = readText(path);
  for (size_t i = 200; i < 220; ++i) file[offset + i] ^= 0x5a;
  const auto broken = Archive::open(folder_.write("damaged.pt2", file));
  QCOMPARE(errorCode([&] { return broken->text("models/model.json", 1 << 20); }), std::string("archive.invalid"));
}

void TestArchive::boundsTexts() {
  const auto archive = Archive::open(folder_.write("limit.zip", nestedZip()));
  QCOMPARE(errorCode([&] { return archive->text("archive_format", 2); }), std::string("archive.invalid"));
}

QTEST_APPLESS_MAIN(TestArchive)
#include "tst_archive.moc"
