// Which recorded strides mean channels last.
#include <QTest>

#include "ir/memory_order.h"

using namespace exportdeck;

class TestMemoryOrder : public QObject {
  Q_OBJECT

 private slots:
  void strides_data() {
    QTest::addColumn<ir::Sizes>("sizes");
    QTest::addColumn<ir::Sizes>("strides");
    QTest::addColumn<bool>("last");
    QTest::newRow("channels last") << ir::Sizes{2, 3, 4, 5} << ir::Sizes{60, 1, 15, 3} << true;
    QTest::newRow("none recorded") << ir::Sizes{2, 3, 4, 5} << ir::Sizes{} << false;
    QTest::newRow("another order") << ir::Sizes{2, 3, 4, 5} << ir::Sizes{60, 20, 1, 4} << false;
    QTest::newRow("with a gap") << ir::Sizes{2, 3, 4, 5} << ir::Sizes{120, 1, 15, 3} << false;
    QTest::newRow("three dimensions") << ir::Sizes{2, 3, 4} << ir::Sizes{12, 1, 3} << false;
    QTest::newRow("one channel") << ir::Sizes{2, 1, 4, 5} << ir::Sizes{20, 1, 5, 1} << false;
    QTest::newRow("one place") << ir::Sizes{2, 3, 1, 1} << ir::Sizes{3, 1, 3, 3} << false;
  }

  void strides() {
    QFETCH(const ir::Sizes, sizes);
    QFETCH(const ir::Sizes, strides);
    ir::TensorType type(ir::DType::Float32, sizes);
    type.strides = strides;
    QTEST(ir::isChannelsLast(type), "last");
  }
};

QTEST_APPLESS_MAIN(TestMemoryOrder)
#include "tst_memory_order.moc"
