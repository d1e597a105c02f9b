// Decompositions that compare all pairs, or go step by step: experts, running extremes, scattered reductions.
#include <QTest>

#include "pass_support.h"

using exportdeck::tests::decomposed;

class TestDecomposePairs : public QObject {
  Q_OBJECT

 private slots:
  void nodes_data() {
    QTest::addColumn<QString>("head");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("expected");
    const QString x = "  input %x : f32[2]\n";
    const QString scatter = "  input %x : f32[2]\n  input %i : i64[3]\n  input %s : f32[3]\n";
    QTest::newRow("sign") << x << "%y : bool[2] = aten.signbit.default(%x)"
                          << "%lt : bool[2] = aten.lt.Scalar(%x, 0)\n"
                             "%reciprocal : f32[2] = aten.reciprocal.default(%x)\n"
                             "%lt_1 : bool[2] = aten.lt.Scalar(%reciprocal, 0)\n"
                             "%logical_or : bool[2] = aten.logical_or.default(%lt, %lt_1)";
    QTest::newRow("sign of another") << x + "  input %z : i64[2]\n"
                                     << "%y : f32[2] = aten.copysign.Tensor(%x, %z)"
                                     << "%abs : f32[2] = aten.abs.default(%x)\n"
                                        "%lt : bool[2] = aten.lt.Scalar(%z, 0)\n"
                                        "%neg : f32[2] = aten.neg.default(%abs)\n"
                                        "%where : f32[2] = aten.where.self(%lt, %neg, %abs)";
    QTest::newRow("histogram")
        << x << "%y : f32[3] = aten.histc.default(%x, 3, 0, 2)"
        << "const %scalar_0 : f32[] = \"scalar_0\" [0]\n"
           "const %scalar_3 : f32[] = \"scalar_3\" [3]\n"
           "const %scalar_2 : f32[] = \"scalar_2\" [2]\n"
           "const %numbers : f32[3] = \"numbers\" [0, 1, 2]\n"
           "%view_copy : f32[2,1] = aten.view_copy.default(%x, [2, 1])\n"
           "%ge : bool[2,1] = aten.ge.Scalar(%view_copy, 0.0)\n"
           "%le : bool[2,1] = aten.le.Scalar(%view_copy, 2.0)\n"
           "%logical_and : bool[2,1] = aten.logical_and.default(%ge, %le)\n"
           "%sub : f32[2,1] = aten.sub.Tensor(%view_copy, %scalar_0, 1)\n"
           "%mul : f32[2,1] = aten.mul.Tensor(%sub, %scalar_3)\n"
           "%div : f32[2,1] = aten.div.Tensor(%mul, %scalar_2)\n"
           "%floor : f32[2,1] = aten.floor.default(%div)\n"
           "%clamp : f32[2,1] = aten.clamp.default(%floor, 0.0, 2.0)\n"
           "%eq : bool[2,3] = aten.eq.Tensor(%clamp, %numbers)\n"
           "%logical_and_1 : bool[2,3] = aten.logical_and.default(%eq, %logical_and)\n"
           "%_to_copy : f32[2,3] = aten._to_copy.default(%logical_and_1, dtype:f32, none, none, none, false, none)\n"
           "%sum : f32[3] = aten.sum.dim_IntList(%_to_copy, [0], false, none)";
    QTest::newRow("grouped product")
        << "  input %x : f32[4,2]\n  input %w : f32[2,2,3]\n  input %e : i64[2]\n"
        << "%y : f32[4,3] = transformers.grouped_mm_fallback.default(%x, %w, %e)"
        << "const %numbers : i64[4] = \"numbers\" [0, 1, 2, 3]\n"
           "const %numbers_1 : i64[4,1] = \"numbers\" [0, 1, 2, 3]\n"
           "const %scalar_1 : i64[] = \"scalar_1\" [1]\n"
           "const %scalar_0 : f32[] = \"scalar_0\" [0]\n"
           "%view_copy : f32[1,4,2] = aten.view_copy.default(%x, [1, 4, 2])\n"
           "%expand_copy : f32[2,4,2] = aten.expand_copy.default(%view_copy, [2, 4, 2], false)\n"
           "%bmm : f32[2,4,3] = aten.bmm.default(%expand_copy, %w)\n"
           "%le : bool[4,2] = aten.le.Tensor(%e, %numbers_1)\n"
           "%_to_copy : i64[4,2] = aten._to_copy.default(%le, dtype:i64, none, none, none, false, none)\n"
           "%sum : i64[4] = aten.sum.dim_IntList(%_to_copy, [1], false, none)\n"
           "%gt : bool[4] = aten.gt.Tensor(%sum, %scalar_1)\n"
           "%view_copy_1 : bool[4,1] = aten.view_copy.default(%gt, [4, 1])\n"
           "%minimum : i64[4] = aten.minimum.default(%sum, %scalar_1)\n"
           "%index : f32[4,3] = aten.index.Tensor(%bmm, {%minimum, %numbers})\n"
           "%where : f32[4,3] = aten.where.self(%view_copy_1, %scalar_0, %index)";
    QTest::newRow("running maximum") << x << "%y : f32[2], %j : i64[2] = aten.cummax.default(%x, 0)"
                                     << "const %full_0 : i64[1] = \"full_0\" [0]\n"
                                        "const %scalar_1 : i64[] = \"scalar_1\" [1]\n"
                                        "%slice_copy : f32[1] = aten.slice_copy.Tensor(%x, 0, 0, 1, 1)\n"
                                        "%slice_copy_1 : f32[1] = aten.slice_copy.Tensor(%x, 0, 1, 2, 1)\n"
                                        "%ge : bool[1] = aten.ge.Tensor(%slice_copy_1, %slice_copy)\n"
                                        "%ne : bool[1] = aten.ne.Tensor(%slice_copy_1, %slice_copy_1)\n"
                                        "%logical_or : bool[1] = aten.logical_or.default(%ge, %ne)\n"
                                        "%where : f32[1] = aten.where.self(%logical_or, %slice_copy_1, %slice_copy)\n"
                                        "%where_1 : i64[1] = aten.where.self(%logical_or, %scalar_1, %full_0)\n"
                                        "%cat : f32[2] = aten.cat.default({%slice_copy, %where}, 0)\n"
                                        "%cat_1 : i64[2] = aten.cat.default({%full_0, %where_1}, 0)";
    QTest::newRow("running minimum of integers")
        << "  input %x : i64[2]\n"
        << "%y : i64[2], %j : i64[2] = aten.cummin.default(%x, 0)"
        << "const %full_0 : i64[1] = \"full_0\" [0]\n"
           "const %scalar_1 : i64[] = \"scalar_1\" [1]\n"
           "%slice_copy : i64[1] = aten.slice_copy.Tensor(%x, 0, 0, 1, 1)\n"
           "%slice_copy_1 : i64[1] = aten.slice_copy.Tensor(%x, 0, 1, 2, 1)\n"
           "%le : bool[1] = aten.le.Tensor(%slice_copy_1, %slice_copy)\n"
           "%where : i64[1] = aten.where.self(%le, %slice_copy_1, %slice_copy)\n"
           "%where_1 : i64[1] = aten.where.self(%le, %scalar_1, %full_0)\n"
           "%cat : i64[2] = aten.cat.default({%slice_copy, %where}, 0)\n"
           "%cat_1 : i64[2] = aten.cat.default({%full_0, %where_1}, 0)";
    QTest::newRow("scattered sum") << scatter << "%y : f32[2] = aten.scatter_reduce.two(%x, 0, %i, %s, \"sum\", true)"
                                   << "%scatter_add : f32[2] = aten.scatter_add.default(%x, 0, %i, %s)";
    QTest::newRow("scattered maximum")
        << scatter << "%y : f32[2] = aten.scatter_reduce.two(%x, 0, %i, %s, \"amax\", true)"
        << "const %places : i64[2,1] = \"places\" [0, 1]\n"
           "const %scalar__inf : f32[] = \"scalar_-inf\" [-inf]\n"
           "%view_copy : i64[1,3] = aten.view_copy.default(%i, [1, 3])\n"
           "%eq : bool[2,3] = aten.eq.Tensor(%view_copy, %places)\n"
           "%view_copy_1 : f32[1,3] = aten.view_copy.default(%s, [1, 3])\n"
           "%where : f32[2,3] = aten.where.self(%eq, %view_copy_1, %scalar__inf)\n"
           "%amax : f32[2] = aten.amax.default(%where, [1], false)\n"
           "%_to_copy : f32[2,3] = aten._to_copy.default(%eq, dtype:f32, none, none, none, false, none)\n"
           "%sum : f32[2] = aten.sum.dim_IntList(%_to_copy, [1], false, none)\n"
           "%gt : bool[2] = aten.gt.Scalar(%sum, 0)\n"
           "%maximum : f32[2] = aten.maximum.default(%x, %amax)\n"
           "%where_1 : f32[2] = aten.where.self(%gt, %maximum, %x)";
    QTest::newRow("scattered mean alone")
        << scatter << "%y : f32[2] = aten.scatter_reduce.two(%x, 0, %i, %s, \"mean\", false)"
        << "const %places : i64[2,1] = \"places\" [0, 1]\n"
           "const %scalar_0 : f32[] = \"scalar_0\" [0]\n"
           "%view_copy : i64[1,3] = aten.view_copy.default(%i, [1, 3])\n"
           "%eq : bool[2,3] = aten.eq.Tensor(%view_copy, %places)\n"
           "%view_copy_1 : f32[1,3] = aten.view_copy.default(%s, [1, 3])\n"
           "%where : f32[2,3] = aten.where.self(%eq, %view_copy_1, %scalar_0)\n"
           "%sum : f32[2] = aten.sum.dim_IntList(%where, [1], false, none)\n"
           "%_to_copy : f32[2,3] = aten._to_copy.default(%eq, dtype:f32, none, none, none, false, none)\n"
           "%sum_1 : f32[2] = aten.sum.dim_IntList(%_to_copy, [1], false, none)\n"
           "%gt : bool[2] = aten.gt.Scalar(%sum_1, 0)\n"
           "%div : f32[2] = aten.div.Tensor(%sum, %sum_1)\n"
           "%where_1 : f32[2] = aten.where.self(%gt, %div, %x)";
    QTest::newRow("running sum of what is converted first")
        << x << "%y : i32[2] = aten.cumsum.default(%x, 0, dtype:i32)"
        << "%_to_copy : i32[2] = aten._to_copy.default(%x, dtype:i32, none, none, none, false, none)\n"
           "%cumsum : i32[2] = aten.cumsum.default(%_to_copy, 0, none)";
    // Left to legalisation, which refuses them.
    QTest::newRow("bounds of the data") << x << "%y : f32[3] = aten.histc.default(%x, 3, 0, 0)"
                                        << "%y : f32[3] = aten.histc.default(%x, 3, 0, 0)";
    QTest::newRow("scattered integers") << "  input %x : i64[2]\n  input %i : i64[3]\n  input %s : i64[3]\n"
                                        << "%y : i64[2] = aten.scatter_reduce.two(%x, 0, %i, %s, \"mean\", true)"
                                        << "%y : i64[2] = aten.scatter_reduce.two(%x, 0, %i, %s, \"mean\", true)";
  }
  void nodes() {
    QFETCH(QString, head);
    QFETCH(QString, node);
    QFETCH(QString, expected);
    QCOMPARE(decomposed(head.toStdString(), node.toStdString(), "%y"), expected);
  }
};

QTEST_APPLESS_MAIN(TestDecomposePairs)
#include "tst_decompose_pairs.moc"
