// readProgramInfo on damaged and foreign files: a clear refusal or a description, never a crash.
#include <sys/mman.h>
#include <unistd.h>

#include <QTest>
#include <cstring>
#include <string_view>

#include "base/text.h"
#include "pte/reader.h"
#include "pte/writer.h"
#include "sample_graph.h"
#include "support/errors.h"

using namespace exportdeck;
using namespace exportdeck::pte;
using namespace exportdeck::tests;

namespace {

Bytes sampleProgram() {
  MemorySink sink;
  writeProgram({ir::parse(tests::kSampleGraph).get()}, {}, sink, {silentProgress(), {}});
  return sink.bytes();
}

// A file in memory, since thousands are read here and a disk is slow to replace them.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("program", MFD_CLOEXEC)) {}
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return concat("/proc/self/fd/", descriptor_); }
  void hold(std::span<const std::byte> bytes) const {
    const bool held = ftruncate(descriptor_, static_cast<off_t>(bytes.size())) == 0 &&
                      pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    if (!held) qFatal("no file in memory");
  }

 private:
  int descriptor_;
};

// What reading these bytes as a program says, or "".
std::string refusal(std::span<const std::byte> bytes) {
  static const MemoryFile file;
  file.hold(bytes);
  const auto diagnostic = errorOf([] { return readProgramInfo(file.path()); });
  if (!diagnostic) return {};
  return diagnostic->code == Code::ProgramInvalid ? diagnostic->message : "another error: " + diagnostic->message;
}

std::string refusal(const std::string& text) {
  return refusal(std::as_bytes(std::span(text)));
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class ReadProgramTest : public QObject {
  Q_OBJECT

 private slots:
  void wholeProgramsAreRead() { QCOMPARE(refusal(sampleProgram()), std::string()); }

  void missingFiles() {
    QCOMPARE(errorCode([] { return readProgramInfo("/nonexistent/a.pte"); }),
             std::string(codeInfo(Code::FileNotFound).id));
  }

  void foreignFiles() {
    QVERIFY(has(refusal(""), "ends at byte 0"));
    QVERIFY(has(refusal("PK\3\4 and more of a zip archive"), "zip archive"));
    QVERIFY(has(refusal("some text that is no program at all"), "ET12 was expected at byte 4"));
    Bytes newer = sampleProgram();
    newer[7] = std::byte{'3'};
    QVERIFY(has(refusal(newer), "its format is ET13 (byte 4)"));
  }

  void headersThatContradictTheFile() {
    const Bytes whole = sampleProgram();
    const auto with = [&](size_t at, uint64_t number, size_t size) {
      Bytes bytes = whole;
      std::memcpy(bytes.data() + at, &number, size);
      return refusal(bytes);
    };
    QVERIFY(has(with(12, 8, 4), "(byte 12) claims 8 bytes"));
    QVERIFY(has(with(16, 1u << 30, 8), "(byte 16) gives the program 1073741824 bytes"));
    QVERIFY(has(with(16, 8, 8), "fewer than the header"));
    QVERIFY(has(with(24, 1u << 30, 8), "(byte 24) puts the segments at byte 1073741824"));
    QVERIFY(has(with(32, ~uint64_t{0}, 8), "(byte 32) gives the segments"));
    QVERIFY(has(with(32, 0, 8), "segment 0 has 32 bytes"));
  }

  void truncatedAtEveryByte() {
    const Bytes whole = sampleProgram();
    for (size_t length = 0; length < whole.size(); ++length) {
      const std::string message = refusal(std::span(whole).first(length));
      QVERIFY2(has(message, "is no ExecuTorch program that can be read"),
               qPrintable(QString("%1: %2").arg(length).arg(message.c_str())));
    }
  }

  // Any verdict will do but a crash; the asan preset makes reads outside the bytes one.
  void changedAtEveryByte() {
    Bytes bytes = sampleProgram();
    int refused = 0;
    for (size_t at = 0; at < bytes.size(); ++at) {
      for (const int change : {0x01, 0x80, 0xff}) {
        bytes[at] ^= static_cast<std::byte>(change);
        const std::string message = refusal(bytes);
        QVERIFY2(message.empty() || has(message, "is no ExecuTorch program"), message.c_str());
        refused += !message.empty();
        bytes[at] ^= static_cast<std::byte>(change);
      }
    }
    QVERIFY(refused > static_cast<int>(bytes.size()) / 2);
  }

  void xnnpackBlobsThatAreNone() {
    for (const std::string_view text : {"", "short", "....XH00", "....XN01 and then nothing that is a FlatBuffer"}) {
      auto blob = std::make_shared<ir::DelegateBlob>();
      blob->backendId = "XnnpackBackend";
      blob->processed.resize(60);
      std::memcpy(blob->processed.data(), text.data(), text.size());
      MemorySink sink;
      writeProgram({tests::delegateGraph({blob}).get()}, {}, sink, {silentProgress(), {}});
      const std::string message = refusal(sink.bytes());
      QVERIFY2(has(message, "is no XNNPACK program"), message.c_str());
    }
  }
};

QTEST_APPLESS_MAIN(ReadProgramTest)
#include "tst_read_program.moc"
