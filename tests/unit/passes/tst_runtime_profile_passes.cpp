// Passes under a runtime profile: what it lacks is written otherwise or refused.
#include <QTest>

#include "pass_support.h"
#include "support/errors.h"

using namespace exportdeck;

namespace {

std::string run(tests::PassFunction pass, const std::string& text, const ops::RuntimeProfile* runtime,
                bool keepsWhole = false) {
  auto graph = ir::parse(text);
  DiagnosticSink diagnostics;
  const Context context{silentProgress(), {}};
  passes::PassContext passContext{context, diagnostics, [&](const ir::Node&) { return keepsWhole; }};
  passContext.runtime = runtime;
  passContext.advise = [](const ir::Node& node) {
    return passes::PassContext::Advice{"it is " + node.op(), {"Do without"}};
  };
  pass(*graph, passContext);
  ir::verify(*graph);
  return ir::print(*graph);
}

const std::string kLinear = R"(graph g {
  input %x : f32[2,5,3]
  input %w : f32[4,3]
  input %b : f32[4]
  %y : f32[2,5,4] = aten.linear.default(%x, %w, %b)
  %z : f32[2,5,4] = aten.linear.default(%x, %w, none)
  return (%y, %z)
}
)";

}  // namespace

class TestRuntimeProfilePasses : public QObject {
  Q_OBJECT
 private slots:
  void linearBecomesAProduct() {
    const auto portable = ops::RuntimeProfile::find("portable");
    QCOMPARE(QString::fromStdString(run(passes::replaceMissing, kLinear, &portable)), QString(R"(graph g {
  input %x : f32[2,5,3]
  input %w : f32[4,3]
  input %b : f32[4]
  %view_copy : f32[10,3] = aten.view_copy.default(%x, [10, 3])
  %permute_copy : f32[3,4] = aten.permute_copy.default(%w, [1, 0])
  %addmm : f32[10,4] = aten.addmm.default(%b, %view_copy, %permute_copy, 1, 1)
  %view_copy_1 : f32[2,5,4] = aten.view_copy.default(%addmm, [2, 5, 4])
  %view_copy_2 : f32[10,3] = aten.view_copy.default(%x, [10, 3])
  %permute_copy_1 : f32[3,4] = aten.permute_copy.default(%w, [1, 0])
  %mm : f32[10,4] = aten.mm.default(%view_copy_2, %permute_copy_1)
  %view_copy_3 : f32[2,5,4] = aten.view_copy.default(%mm, [2, 5, 4])
  return (%view_copy_1, %view_copy_3)
}
)"));
  }

  void linearStaysWhereItCan() {
    const auto portable = ops::RuntimeProfile::find("portable"), standard = ops::RuntimeProfile::standard();
    QCOMPARE(run(passes::replaceMissing, kLinear, &standard), kLinear);
    QCOMPARE(run(passes::replaceMissing, kLinear, nullptr), kLinear);
    QCOMPARE(run(passes::replaceMissing, kLinear, &portable, true), kLinear);
  }

  void missingKernelsAreRefused_data() {
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("fix");
    QTest::newRow("operator") << "%a : f32[2,3] = aten.mul.Tensor(%x, %x)" << "aten::mul.out"
                              << "Use --runtime-profile portable";
    QTest::newRow("cast")
        << "%a : f16[2,3] = aten._to_copy.default(%x, dtype:f16, none, none, none, false, format:preserve)"
        << "dim_order_ops::_to_dim_order_copy.out" << "Use --runtime-profile portable";
    QTest::newRow("copy") << "%a : f32[2,3] = aten.clone.default(%x, format:contiguous)"
                          << "dim_order_ops::_clone_dim_order.out" << "Use --runtime-profile portable";
    QTest::newRow("optimized") << "%a : f32[2,2] = aten.linear.default(%x, %x, none)" << "aten::linear.out"
                               << "Use --runtime-profile optimized";
  }
  void missingKernelsAreRefused() {
    QFETCH(QString, node);
    QFETCH(QString, kernel);
    QFETCH(QString, fix);
    const std::string text = "graph g {\n  input %x : f32[2,3]\n  " + node.toStdString() + "\n  return (%a)\n}";
    const auto list = ops::RuntimeProfile::fromList("mine.txt", "aten::add.out");
    const auto error = tests::errorOf([&] { return run(passes::toKernels, text, &list); });
    QVERIFY(error.has_value());
    QVERIFY(error->code == Code::OperatorUnsupported);
    QVERIFY2(QString::fromStdString(error->message).contains("mine.txt has no kernel " + kernel + ","),
             error->message.c_str());
    QVERIFY(error->why.find("it is aten.") != std::string::npos);
    QCOMPARE(error->fixes.size(), size_t(3));
    QCOMPARE(error->fixes[0], std::string("Do without"));
    QVERIFY2(QString::fromStdString(error->fixes[1]).startsWith(fix), error->fixes[1].c_str());
    QVERIFY(QString::fromStdString(error->fixes[2]).contains("Add " + kernel));
    // With the kernel in the list it goes through.
    const auto longer = ops::RuntimeProfile::fromList("mine.txt", kernel.toStdString());
    QVERIFY(!tests::errorOf([&] { return run(passes::toKernels, text, &longer); }));
  }
};

QTEST_APPLESS_MAIN(TestRuntimeProfilePasses)
#include "tst_runtime_profile_passes.moc"
