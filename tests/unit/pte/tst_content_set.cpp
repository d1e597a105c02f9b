// Equal bytes are found by reading as little as it takes.
#include <QTest>

#include "pte/content_set.h"
#include "support/files.h"

using namespace exportdeck;
using namespace exportdeck::pte;

namespace {

// Counts how often its bytes were asked for.
class Counting : public ByteSource {
 public:
  explicit Counting(Bytes bytes) : bytes_(std::move(bytes)) {}
  uint64_t size() const override { return bytes_.size(); }
  void produce(const ByteConsumer& consume) const override {
    ++reads;
    consume(bytes_);
  }
  mutable int reads = 0;

 private:
  Bytes bytes_;
};

std::shared_ptr<Counting> counting(size_t size, int fill) {
  return std::make_shared<Counting>(Bytes(size, static_cast<std::byte>(fill)));
}

}  // namespace

class ContentSetTest : public QObject {
  Q_OBJECT

 private slots:
  void numbersContents() {
    ContentSet set;
    const auto a = counting(10, 1), b = counting(10, 2), a2 = counting(10, 1), longer = counting(11, 1);
    QCOMPARE(set.add(a), size_t{0});
    QCOMPARE(set.add(longer), size_t{1});
    QCOMPARE(a->reads, 0);  // nothing else has its size yet
    QCOMPARE(set.add(b), size_t{2});
    QCOMPARE(set.add(a2), size_t{0});
    QCOMPARE(set.add(b), size_t{2});
    QCOMPARE(a->reads, 1);
    QCOMPARE(longer->reads, 0);
    QCOMPARE(set.distinct().size(), size_t{3});
  }

  void readsFilesToTheirEndOnlyWhereTheyBeginAlike() {
    const tests::TemporaryFolder folder;
    Bytes bytes(4 * 10000);
    for (size_t i = 0; i < 10000; ++i) bytes[i] = bytes[10000 + i] = bytes[20000 + i] = static_cast<std::byte>(i);
    bytes[19999] = std::byte{0xff};  // the second part differs from the first and third in its last byte only
    tests::writeBytes(folder.file("a"), bytes);
    const auto file = InputFile::open(folder.file("a"));
    const auto part = [&](uint64_t index) { return bytesInFile({file, index * 10000, 10000}); };
    ContentSet set;
    QCOMPARE(set.add(part(0)), size_t{0});
    QCOMPARE(set.add(part(1)), size_t{1});
    QCOMPARE(set.add(part(2)), size_t{0});
    QCOMPARE(set.add(part(3)), size_t{2});
    QCOMPARE(set.add(part(0)), size_t{0});
  }

  void largeRecipesAreNotComputedWhereThatIsAsked() {
    ContentSet set;
    const auto a = counting(100000, 1), same = counting(100000, 1), small = counting(10, 1),
               sameSmall = counting(10, 1);
    QCOMPARE(set.addUncomputed(a), size_t{0});
    QCOMPARE(set.addUncomputed(same), size_t{1});
    QCOMPARE(set.addUncomputed(a), size_t{0});
    QCOMPARE(a->reads + same->reads, 0);
    QCOMPARE(set.addUncomputed(small), size_t{2});
    QCOMPARE(set.addUncomputed(sameSmall), size_t{2});
  }

  void emptyOnesAreEqual() {
    ContentSet set;
    QCOMPARE(set.add(counting(0, 0)), size_t{0});
    QCOMPARE(set.add(counting(0, 0)), size_t{0});
  }
};

QTEST_APPLESS_MAIN(ContentSetTest)
#include "tst_content_set.moc"
