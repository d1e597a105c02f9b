// A disk that is full after any number of bytes is an error, never a program.
#include <QTest>

#include "pte/writer.h"
#include "sample_graph.h"
#include "support/errors.h"
#include "support/fail_sink.h"

using namespace exportdeck;
using namespace exportdeck::pte;

class FailSinkTest : public QObject {
  Q_OBJECT

 private slots:
  void failsAtEveryByte() {
    const Context context{silentProgress(), {}};
    const auto graph = ir::parse(tests::kSampleGraph);
    MemorySink whole;
    const uint64_t total = writeProgram({graph.get()}, {}, whole, context).totalBytes;
    for (uint64_t limit = 0; limit < total; ++limit) {
      tests::FailSink sink(limit);
      QCOMPARE(tests::errorCode([&] { return writeProgram({graph.get()}, {}, sink, context); }),
               std::string(codeInfo(Code::FileUnwritable).id));
    }
    tests::FailSink enough(total);
    QCOMPARE(tests::errorCode([&] { return writeProgram({graph.get()}, {}, enough, context); }), std::string("none"));
  }
};

QTEST_APPLESS_MAIN(FailSinkTest)
#include "tst_fail_sink.moc"
