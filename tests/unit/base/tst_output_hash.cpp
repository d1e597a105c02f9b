// The hash of a file that is still being written.
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "base/output_hash.h"
#include "base/sink.h"

using namespace exportdeck;

class TestOutputHash : public QObject {
  Q_OBJECT

 private slots:
  void sameAsOfTheWholeFile_data() {
    QTest::addColumn<int>("bytes");
    for (const int bytes : {0, 1, 4096, (1 << 20) - 1, 1 << 20, (5 << 20) + 3}) QTest::addRow("%d", bytes) << bytes;
  }

  void sameAsOfTheWholeFile() {
    QFETCH(const int, bytes);
    QTemporaryDir folder;
    OutputFile file(folder.filePath("out").toStdString());
    OutputHash hash(file.readablePath());
    file.observe([&](uint64_t position) { hash.reached(position); });
    std::mt19937 random(1);
    Bytes all;
    while (static_cast<int>(all.size()) < bytes) {
      Bytes piece(std::min<size_t>(1 + random() % 300000, static_cast<size_t>(bytes) - all.size()));
      for (std::byte& byte : piece) byte = static_cast<std::byte>(random());
      file.write(piece);
      all.insert(all.end(), piece.begin(), piece.end());
    }
    QCOMPARE(hash.finish(file.position()), bytesInMemory(std::move(all))->hash());
  }

  void endsWithoutBeingAsked() {
    QTemporaryDir folder;
    OutputFile file(folder.filePath("out").toStdString());
    const OutputHash hash(file.readablePath());
  }

  // A file that is cut while it is written is an error, not a wrong hash.
  void cutFile() {
    QTemporaryDir folder;
    QFile file(folder.filePath("out"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("abc");
    file.close();
    OutputHash hash(file.fileName().toStdString());
    QVERIFY_THROWS_EXCEPTION(std::exception, hash.finish(10));
  }
};

QTEST_APPLESS_MAIN(TestOutputHash)
#include "tst_output_hash.moc"
