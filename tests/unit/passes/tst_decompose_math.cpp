// Decompositions of operators that compute.
#include <QTest>

#include "pass_support.h"
#include "passes/decomposition.h"
#include "support/errors.h"

using namespace exportdeck;
using exportdeck::tests::decomposed;
using exportdeck::tests::errorOf;
using exportdeck::tests::graphAfter;

class TestDecomposeMath : public QObject {
  Q_OBJECT

 private slots:
  void nodes_data() {
    exportdeck::tests::addNodeColumns();
    const QString x = "  input %x : f32[2,3]\n";
    const QString i = "  input %x : i64[3]\n";
    QTest::newRow("silu") << x << "%y : f32[2,3] = aten.silu.default(%x)"
                          << "%sigmoid : f32[2,3] = aten.sigmoid.default(%x)\n"
                             "%mul : f32[2,3] = aten.mul.Tensor(%x, %sigmoid)";
    QTest::newRow("relu6") << x << "%y : f32[2,3] = aten.relu6.default(%x)"
                           << "%hardtanh : f32[2,3] = aten.hardtanh.default(%x, 0.0, 6.0)";
    QTest::newRow("another name") << x << "%y : bool[2,3] = aten.less.Scalar(%x, 2)"
                                  << "%lt : bool[2,3] = aten.lt.Scalar(%x, 2)";
    QTest::newRow("another name of what needs nothing else")
        << x << "%y : f32[2,3] = aten.subtract.Tensor(%x, %x)" << "%sub : f32[2,3] = aten.sub.Tensor(%x, %x, 1)";
    QTest::newRow("alpha is the kernel's") << x << "%y : f32[2,3] = aten.sub.Tensor(%x, %x, 0.5)"
                                           << "%y : f32[2,3] = aten.sub.Tensor(%x, %x, 0.5)";
    // An optimized kernel scales the wrong operand there.
    QTest::newRow("alpha beside a single element")
        << "  input %x : f32[2]\n  input %k : f32[]\n"
        << "%y : f32[2] = aten.add.Tensor(%k, %x, 2)"
        << "const %scalar_2 : f32[] = \"scalar_2\" [2]\n%mul : f32[2] = aten.mul.Tensor(%x, %scalar_2)\n"
           "%add : f32[2] = aten.add.Tensor(%k, %mul, 1)";
    QTest::newRow("alpha") << x << "%y : f32[2,3] = aten.sub.Scalar(%x, 3, 0.5)"
                           << "const %scalar_3 : f32[] = \"scalar_3\" [3]\n"
                              "const %scalar_0.5 : f32[] = \"scalar_0.5\" [0.5]\n"
                              "%mul : f32[] = aten.mul.Tensor(%scalar_3, %scalar_0.5)\n"
                              "%sub : f32[2,3] = aten.sub.Tensor(%x, %mul, 1)";
    QTest::newRow("number first") << x << "%y : f32[2,3] = aten.rsub.Scalar(%x, 1, 1)"
                                  << "const %scalar_1 : f32[] = \"scalar_1\" [1]\n"
                                     "%sub : f32[2,3] = aten.sub.Tensor(%scalar_1, %x, 1)";
    QTest::newRow("cube") << i << "%y : i64[3] = aten.pow.Tensor_Scalar(%x, 3)"
                          << "%mul : i64[3] = aten.mul.Tensor(%x, %x)\n"
                             "%mul_1 : i64[3] = aten.mul.Tensor(%mul, %x)";
    QTest::newRow("square root") << x << "%y : f32[2,3] = aten.pow.Tensor_Scalar(%x, 0.5)"
                                 << "%sqrt : f32[2,3] = aten.sqrt.default(%x)";
    // The kernel gives an integer remainder the sign of the dividend.
    QTest::newRow("integer remainder") << i << "%y : i64[3] = aten.remainder.Scalar(%x, 3)"
                                       << "const %scalar_3 : i64[] = \"scalar_3\" [3]\n"
                                          "%div : i64[3] = aten.div.Tensor_mode(%x, %scalar_3, \"floor\")\n"
                                          "%mul : i64[3] = aten.mul.Tensor(%div, %scalar_3)\n"
                                          "%sub : i64[3] = aten.sub.Tensor(%x, %mul, 1)";
    QTest::newRow("integer division") << i << "%y : i64[3] = aten.floor_divide.default(%x, 2)"
                                      << "const %scalar_2 : i64[] = \"scalar_2\" [2]\n"
                                         "%div : i64[3] = aten.div.Tensor_mode(%x, %scalar_2, \"floor\")";
    QTest::newRow("masked fill") << x + "  input %m : bool[3]\n"
                                 << "%y : f32[2,3] = aten.masked_fill.Scalar(%x, %m, -inf)"
                                 << "const %scalar__inf : f32[] = \"scalar_-inf\" [-inf]\n"
                                    "%where : f32[2,3] = aten.where.self(%m, %scalar__inf, %x)";
    // The kernel rounds sums to float32: more than 2^24 needs running sums, which are exact.
    QTest::newRow("sum of bools")
        << "  input %x : bool[2,3]\n"
        << "%y : i64[] = aten.sum.default(%x, none)"
        << "%_to_copy : i64[2,3] = aten._to_copy.default(%x, dtype:i64, none, none, none, false, none)\n"
           "%sum : i64[] = aten.sum.dim_IntList(%_to_copy, [0, 1], false, none)";
    QTest::newRow("sum of integers") << "  input %x : i64[2,3,4]\n"
                                     << "%y : i64[1,3,1] = aten.sum.dim_IntList(%x, [0, -1], true, none)"
                                     << "%permute_copy : i64[3,2,4] = aten.permute_copy.default(%x, [1, 0, 2])\n"
                                        "%view_copy : i64[3,8] = aten.view_copy.default(%permute_copy, [3, 8])\n"
                                        "%cumsum : i64[3,8] = aten.cumsum.default(%view_copy, 1, none)\n"
                                        "%select_copy : i64[3] = aten.select_copy.int(%cumsum, 1, 7)\n"
                                        "%view_copy_1 : i64[1,3,1] = aten.view_copy.default(%select_copy, [1, 3, 1])";
    QTest::newRow("sum of doubles") << "  input %x : f64[3]\n"
                                    << "%y : f64[] = aten.sum.default(%x, none)"
                                    << "%view_copy : f64[1,3] = aten.view_copy.default(%x, [1, 3])\n"
                                       "%cumsum : f64[1,3] = aten.cumsum.default(%view_copy, 1, none)\n"
                                       "%select_copy : f64[1] = aten.select_copy.int(%cumsum, 1, 2)\n"
                                       "%view_copy_1 : f64[] = aten.view_copy.default(%select_copy, [])";
    QTest::newRow("sum of nothing") << "  input %x : f32[0,2]\n"
                                    << "%y : f32[2] = aten.sum.dim_IntList(%x, [0], false, none)"
                                    << "const %full_0 : f32[2] = \"full_0\" [0, 0]";
    QTest::newRow("mean of nothing") << "  input %x : f32[0,2]\n"
                                     << "%y : f32[2] = aten.mean.dim(%x, [0], false, none)"
                                     << "const %full_nan : f32[2] = \"full_nan\" [nan, nan]";
    QTest::newRow("difference of bools") << "  input %x : bool[3]\n"
                                         << "%y : bool[2] = aten.diff.default(%x, 1, -1, none, none)"
                                         << "%slice_copy : bool[2] = aten.slice_copy.Tensor(%x, 0, 1, 3, 1)\n"
                                            "%slice_copy_1 : bool[2] = aten.slice_copy.Tensor(%x, 0, 0, 2, 1)\n"
                                            "%ne : bool[2] = aten.ne.Tensor(%slice_copy, %slice_copy_1)";
    QTest::newRow("running sum of one number") << "  input %x : f32[]\n"
                                               << "%y : f32[] = aten.cumsum.default(%x, 0, none)" << "";
    QTest::newRow("all bytes")
        << "  input %x : u8[3]\n"
        << "%y : u8[] = aten.all.default(%x)"
        << "%ne : bool[3] = aten.ne.Scalar(%x, 0)\n"
           "%logical_not : bool[3] = aten.logical_not.default(%ne)\n"
           "%any : bool[] = aten.any.default(%logical_not)\n"
           "%logical_not_1 : bool[] = aten.logical_not.default(%any)\n"
           "%_to_copy : u8[] = aten._to_copy.default(%logical_not_1, dtype:u8, none, none, none, false, none)";
    // The kernel goes through doubles, which do not hold every 64-bit integer.
    QTest::newRow("integer division towards zero")
        << i << "%y : i64[3] = aten.div.Tensor_mode(%x, %x, \"trunc\")"
        << "%div : i64[3] = aten.div.Tensor_mode(%x, %x, \"floor\")\n"
           "%mul : i64[3] = aten.mul.Tensor(%div, %x)\n"
           "%ne : bool[3] = aten.ne.Tensor(%mul, %x)\n"
           "%lt : bool[3] = aten.lt.Scalar(%div, 0)\n"
           "%logical_and : bool[3] = aten.logical_and.default(%ne, %lt)\n"
           "%_to_copy : i64[3] = aten._to_copy.default(%logical_and, dtype:i64, none, none, none, false, none)\n"
           "%add : i64[3] = aten.add.Tensor(%div, %_to_copy, 1)";
    QTest::newRow("number divided") << i << "%y : i64[3] = aten.div.Tensor_mode(7, %x, \"floor\")"
                                    << "const %scalar_7 : i64[] = \"scalar_7\" [7]\n"
                                       "%div : i64[3] = aten.div.Tensor_mode(%scalar_7, %x, \"floor\")";
    QTest::newRow("remainder of a number") << x << "%y : f32[2,3] = aten.remainder.Scalar_Tensor(7, %x)"
                                           << "const %scalar_7 : f32[] = \"scalar_7\" [7]\n"
                                              "%remainder : f32[2,3] = aten.remainder.Tensor(%scalar_7, %x)";
    QTest::newRow("maximum without NaN") << x << "%y : f32[2,3] = aten.fmax.default(%x, %x)"
                                         << "%maximum : f32[2,3] = aten.maximum.default(%x, %x)\n"
                                            "%ne : bool[2,3] = aten.ne.Tensor(%x, %x)\n"
                                            "%where : f32[2,3] = aten.where.self(%ne, %x, %maximum)\n"
                                            "%ne_1 : bool[2,3] = aten.ne.Tensor(%x, %x)\n"
                                            "%where_1 : f32[2,3] = aten.where.self(%ne_1, %x, %where)";
    QTest::newRow("sum of one number") << "  input %x : f32[]\n"
                                       << "%y : f32[] = aten.sum.default(%x, none)" << "";
    QTest::newRow("all") << "  input %x : bool[2,3]\n"
                         << "%y : bool[2] = aten.all.dim(%x, 1, false)"
                         << "%logical_not : bool[2,3] = aten.logical_not.default(%x)\n"
                            "%any : bool[2] = aten.any.dims(%logical_not, [1], false)\n"
                            "%logical_not_1 : bool[2] = aten.logical_not.default(%any)";
    QTest::newRow("only the values of a maximum") << x << "%y : f32[2], %i : i64[2] = aten.max.dim(%x, 1, false)"
                                                  << "%amax : f32[2] = aten.amax.default(%x, [1], false)";
    QTest::newRow("product with a known matrix") << x + "  const %w : f32[3,2] = \"w\" [1, 2, 3, 4, 5, 6]\n"
                                                 << "%y : f32[2,2] = aten.matmul.default(%x, %w)"
                                                 << "const %w.permuted : f32[2,3] = \"w.permuted\" [1, 3, 5, 2, 4, 6]\n"
                                                    "%linear : f32[2,2] = aten.linear.default(%x, %w.permuted, none)";
    QTest::newRow("batched product")
        << "  input %a : f32[5,2,3]\n  input %b : f32[4,1,3,2]\n"
        << "%y : f32[4,5,2,2] = aten.matmul.default(%a, %b)"
        << "%expand_copy : f32[4,5,2,3] = aten.expand_copy.default(%a, [4, 5, 2, 3], false)\n"
           "%view_copy : f32[20,2,3] = aten.view_copy.default(%expand_copy, [20, 2, 3])\n"
           "%expand_copy_1 : f32[4,5,3,2] = aten.expand_copy.default(%b, [4, 5, 3, 2], false)\n"
           "%view_copy_1 : f32[20,3,2] = aten.view_copy.default(%expand_copy_1, [20, 3, 2])\n"
           "%bmm : f32[20,2,2] = aten.bmm.default(%view_copy, %view_copy_1)\n"
           "%view_copy_2 : f32[4,5,2,2] = aten.view_copy.default(%bmm, [4, 5, 2, 2])";
    QTest::newRow("uneven same padding")
        << "  input %x : f32[1,1,5]\n  const %w : f32[1,1,2] = \"w\" [1, 2]\n"
        << "%y : f32[1,1,5] = aten.conv1d.padding(%x, %w, none, [1], \"same\", [1], 1)"
        << "const %w : f32[1,1,2] = \"w\" [1, 2]\n"
           "%constant_pad_nd : f32[1,1,6] = aten.constant_pad_nd.default(%x, [0, 1], 0)\n"
           "%convolution : f32[1,1,5] = aten.convolution.default(%constant_pad_nd, %w, none, [1], [0], [1], false, "
           "[0], 1)";
    QTest::newRow("adaptive mean")
        << "  input %x : f32[1,2,4,6]\n"
        << "%y : f32[1,2,2,3] = aten.adaptive_avg_pool2d.default(%x, [2, 3])"
        << "%avg_pool2d : f32[1,2,2,3] = aten.avg_pool2d.default(%x, [2, 2], [2, 2], [0, 0], false, true, none)";
    QTest::newRow("layer norm of long rows")
        << "  input %x : f32[2,300]\n"
        << "%y : f32[2,300] = aten.layer_norm.default(%x, [300], none, none, 1e-05, false)"
        << "%native_layer_norm : f32[2,300], %native_layer_norm_1 : f32[2,1], %native_layer_norm_2 : f32[2,1] = "
           "aten.native_layer_norm.default(%x, [300], none, none, 1e-05)";
    QTest::newRow("layer norm of short rows")
        << x << "%y : f32[2,3] = aten.layer_norm.default(%x, [3], none, none, 1e-05, false)"
        << "%mean : f32[2,1] = aten.mean.dim(%x, [1], true, none)\n"
           "%sub : f32[2,3] = aten.sub.Tensor(%x, %mean, 1)\n"
           "%native_layer_norm : f32[2,3], %native_layer_norm_1 : f32[2,1], %native_layer_norm_2 : f32[2,1] = "
           "aten.native_layer_norm.default(%sub, [3], none, none, 1e-05)";
  }
  void nodes() { exportdeck::tests::compareNode(); }

  // A row that sees nothing gives zeros; where the mask is known and every row sees something there is nothing to do
  // for it.
  void rowsThatSeeNothing_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<bool>("zeroed");
    QTest::newRow("known, all see") << "const %m : bool[2,2] = \"m\" [1, 0, 1, 1]" << false;
    QTest::newRow("known, one is blind") << "const %m : bool[2,2] = \"m\" [0, 0, 1, 1]" << true;
    QTest::newRow("computed") << "input %m : bool[2,2]" << true;
    QTest::newRow("computed, added") << "input %m : f32[2,2]" << true;
  }
  void rowsThatSeeNothing() {
    QFETCH(QString, mask);
    QFETCH(bool, zeroed);
    const QString text = decomposed(
        "  input %q : f32[2,4]\n  " + mask.toStdString() + "\n",
        "%y : f32[2,4] = aten.scaled_dot_product_attention.default(%q, %q, %q, %m, 0.0, false, none, false)", "%y");
    QVERIFY(text.contains("aten._softmax.default"));
    QCOMPARE(text.mid(text.indexOf("aten._softmax.default")).contains("aten.mul.Tensor"), zeroed);
  }

  void recurrentLayersAreUnrolled() {
    const auto graph = graphAfter(passes::decompose, R"(graph g {
  input %x : f32[3,2,4]
  input %h : f32[1,2,5]
  const %wi : f32[15,4] = "wi"
  const %wh : f32[15,5] = "wh"
  %y : f32[3,2,5], %n : f32[1,2,5] = aten.gru.input(%x, %h, {%wi, %wh}, false, 1, 0.0, false, false, false)
  return (%y, %n)
})");
    size_t products = 0;
    for (const auto& node : graph->nodes()) products += node->is("aten.linear.default") ? 1 : 0;
    QCOMPARE(products, size_t(4));  // the input's share once, the state's at each step
  }

  void whatABackendTakesStaysWhole() {
    const std::string text =
        "graph g {\n  input %x : f32[2]\n  %y : f32[2] = aten.hardswish.default(%x)\n  return (%y)\n}";
    const auto kept =
        graphAfter(passes::decompose, text, [](const ir::Node& node) { return node.is("aten.hardswish.default"); });
    QVERIFY(kept->nodes().front()->is("aten.hardswish.default"));
    QVERIFY(!graphAfter(passes::decompose, text)->nodes().front()->is("aten.hardswish.default"));
  }

  // The archive's word on types is checked against what a decomposition gives.
  void contradictionsAreFaults() {
    const auto error = errorOf([] {
      return graphAfter(passes::decompose,
                        "graph g {\n  input %x : f32[2,3]\n  %y : f32[3,3] = aten.silu.default(%x)\n  return (%y)\n}");
    });
    QVERIFY(error);
    QCOMPARE(error->code, Code::Fault);
  }

  void sizesKnownAtRunTimeStaySymbols() {
    const auto graph =
        graphAfter(passes::decompose,
                   "graph g {\n  input %x : f32[s0,3]\n  %y : f32[s0,3] = aten.silu.default(%x)\n  return (%y)\n}");
    QCOMPARE(QString::fromStdString(std::get<ir::Value*>(graph->outputs()[0])->type().text()), QString("f32[s0,3]"));
  }

  // At the user's line, where a decomposition can do only with numbers.
  void sizesThatMustBeKnownAreRefused() {
    const auto error = errorOf([] {
      return graphAfter(passes::decompose,
                        "graph g {\n  input %x : f32[1,2,s0,4]\n  %y : f32[1,2,7,9] = "
                        "aten.upsample_bicubic2d.vec(%x, [7,9], false, none)\n  return (%y)\n}");
    });
    QVERIFY(error);
    QCOMPARE(error->code, Code::ShapeUnsupported);
    QCOMPARE(QString::fromStdString(error->where.op), QString("aten.upsample_bicubic2d.vec"));
  }

  void everyFamilyIsRegistered() {
    const auto operators = passes::DecompositionRegistry::instance().operators();
    QVERIFY(operators.size() > 250);
    QVERIFY(std::is_sorted(operators.begin(), operators.end()));
  }
};

QTEST_APPLESS_MAIN(TestDecomposeMath)
#include "tst_decompose_math.moc"
