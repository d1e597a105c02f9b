// Which kernels each runtime profile has, and which lists are refused.
#include <QTest>

#include "ops/runtime_profile.h"
#include "support/errors.h"
#include "support/files.h"

using namespace exportdeck;
using ops::RuntimeProfile;

class TestRuntimeProfile : public QObject {
  Q_OBJECT
 private slots:
  void groupsNest_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<bool>("portable");
    QTest::addColumn<bool>("optimized");
    QTest::addColumn<bool>("quantized");
    QTest::newRow("prim") << "executorch_prim::add.Scalar" << true << true << true;
    QTest::newRow("prim of other exporters") << "executorch_prim::et_view.default" << true << true << true;
    QTest::newRow("portable") << "aten::add.out" << true << true << true;
    QTest::newRow("portable, no overload") << "aten::copy_" << true << true << true;
    QTest::newRow("layout") << "dim_order_ops::_clone_dim_order.out" << true << true << true;
    QTest::newRow("optimized only") << "aten::linear.out" << false << true << true;
    QTest::newRow("quantized only") << "quantized_decomposed::add.out" << false << false << true;
    QTest::newRow("none") << "aten::sort.values" << false << false << false;
  }
  void groupsNest() {
    QFETCH(QString, kernel);
    QFETCH(bool, portable);
    QFETCH(bool, optimized);
    QFETCH(bool, quantized);
    for (const auto& [name, expected] :
         {std::pair{"portable", portable}, {"optimized", optimized}, {"quantized", quantized}}) {
      const RuntimeProfile profile = RuntimeProfile::find(name);
      QCOMPARE(profile.name(), std::string(name));
      QCOMPARE(profile.has(kernel.toStdString()), expected);
      QVERIFY(profile.meaning() != RuntimeProfile::fromList("", "").meaning());
    }
  }

  void theStandardOneHasEveryKernel() {
    const auto kernels = ops::allKernels();
    QVERIFY(kernels.size() > 250);
    for (const ops::KernelInfo* kernel : kernels)
      QVERIFY2(RuntimeProfile::standard().has(*kernel), kernel->name.c_str());
  }

  void groups() {
    QCOMPARE(ops::kernelGroup("executorch_prim::et_copy_index.tensor"), std::string("prim"));
    QCOMPARE(ops::kernelGroup("aten::add.out"), std::string("portable"));
    QCOMPARE(ops::kernelGroup("aten::linear.out"), std::string("optimized"));
    QCOMPARE(ops::kernelGroup("quantized_decomposed::add.out"), std::string("quantized"));
    QCOMPARE(ops::kernelGroup("mine::op"), std::string());
  }

  void smallestProfile() {
    QCOMPARE(RuntimeProfile::namesWith({}), (std::vector<std::string>{"portable", "optimized", "quantized"}));
    QCOMPARE(RuntimeProfile::namesWith({"aten::add.out", "aten::linear.out"}),
             (std::vector<std::string>{"optimized", "quantized"}));
    QCOMPARE(RuntimeProfile::namesWith({"mine::op.out"}), std::vector<std::string>());
  }

  void lists() {
    const auto profile = RuntimeProfile::fromList("my.txt",
                                                  "# a selective build\r\n"
                                                  "aten::add.out\r\n"
                                                  "  aten::mm.out, mine::op  # two\n\naten::copy_");
    for (const char* kernel :
         {"aten::add.out", "aten::mm.out", "mine::op", "aten::copy_", "executorch_prim::add.Scalar"})
      QVERIFY2(profile.has(kernel), kernel);
    QVERIFY(!profile.has("aten::mul.out"));
    QVERIFY(!profile.has("two"));
    const tests::TemporaryFolder folder;
    QVERIFY(RuntimeProfile::find(folder.write("ops.txt", "aten::add.out\n")).has("aten::add.out"));
    // The words for the libraries are not taken from a file of that name.
    QVERIFY(RuntimeProfile::find("portable").has("aten::add.out"));
  }

  void badLists_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("dots") << QByteArray("aten::add.out\naten.add.out\n") << "line 2: \"aten.add.out\"";
    QTest::newRow("no name") << QByteArray("aten::\n") << "line 1";
    QTest::newRow("no namespace") << QByteArray("::add\n") << "line 1";
    QTest::newRow("an empty overload") << QByteArray("aten::add.\n") << "line 1";
    QTest::newRow("two overloads") << QByteArray("aten::add.a.b\n") << "line 1";
    QTest::newRow("words") << QByteArray("aten::add out\n") << "line 1";
    QTest::newRow("bytes") << QByteArray("PK\x03\x04\xff\x00::x", 9) << "line 1: \"PK???";
  }
  void badLists() {
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    const auto error = tests::errorOf([&] { return RuntimeProfile::fromList("my.txt", text.toStdString()); });
    QVERIFY(error.has_value());
    QVERIFY(error->code == Code::ProfileInvalid);
    QVERIFY2(QString::fromStdString(error->message).contains(says), error->message.c_str());
  }

  void wordsThatNameNothing() {
    const auto mistyped = tests::errorOf([] { return RuntimeProfile::find("optimised"); });
    QVERIFY(mistyped && mistyped->code == Code::Usage);
    QCOMPARE(mistyped->fixes.front(), std::string("use --runtime-profile optimized"));
    const auto absent = tests::errorOf([] { return RuntimeProfile::find("/nonexistent/ops.txt"); });
    QVERIFY(absent && absent->code == Code::FileNotFound);
  }
};

QTEST_APPLESS_MAIN(TestRuntimeProfile)
#include "tst_runtime_profile.moc"
