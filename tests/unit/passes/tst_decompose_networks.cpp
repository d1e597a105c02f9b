// Decompositions of operators of networks: ordering, losses, three spatial dimensions.
#include <QTest>

#include "pass_support.h"

class TestDecomposeNetworks : public QObject {
  Q_OBJECT

 private slots:
  void nodes_data() {
    exportdeck::tests::addNodeColumns();
    const QString x = "  input %x : f32[2,3]\n";
    QTest::newRow("maxima in three dimensions, places unread")
        << "  input %x : f32[1,1,2,2,2]\n"
        << "%y : f32[1,1,1,1,1], %i : i64[1,1,1,1,1] = aten.max_pool3d_with_indices.default(%x, [2, 2, 2], [], [0, 0, "
           "0], [1, 1, 1], false)"
        << "%view_copy : f32[1,2,2,2] = aten.view_copy.default(%x, [1, 2, 2, 2])\n"
           "%max_pool2d_with_indices : f32[1,2,1,1], %max_pool2d_with_indices_1 : i64[1,2,1,1] = "
           "aten.max_pool2d_with_indices.default(%view_copy, [2, 2], [2, 2], [0, 0], [1, 1], false)\n"
           "%view_copy_1 : f32[1,1,2,1] = aten.view_copy.default(%max_pool2d_with_indices, [1, 1, 2, 1])\n"
           "%max_pool2d_with_indices_2 : f32[1,1,1,1], %max_pool2d_with_indices_3 : i64[1,1,1,1] = "
           "aten.max_pool2d_with_indices.default(%view_copy_1, [2, 1], [2, 1], [0, 0], [1, 1], false)\n"
           "%view_copy_2 : f32[1,1,1,1,1] = aten.view_copy.default(%max_pool2d_with_indices_2, [1, 1, 1, 1, 1])";
    QTest::newRow("kth value") << "  input %x : i64[2,3]\n"
                               << "%y : i64[2], %i : i64[2] = aten.kthvalue.default(%x, 2, 1, false)"
                               << "%topk : i64[2,3], %topk_1 : i64[2,3] = aten.topk.default(%x, 3, 1, false, true)\n"
                                  "%slice_copy : i64[2,1] = aten.slice_copy.Tensor(%topk, 1, 1, 2, 1)\n"
                                  "%view_copy : i64[2] = aten.view_copy.default(%slice_copy, [2])";
    QTest::newRow("the lower median, and NaN before it")
        << "  input %x : f32[4]\n"
        << "%y : f32[] = aten.median.default(%x)"
        << "const %scalar_nan : f32[] = \"scalar_nan\" [nan]\n"
           "%topk : f32[4], %topk_1 : i64[4] = aten.topk.default(%x, 4, 0, false, true)\n"
           "%slice_copy : f32[1] = aten.slice_copy.Tensor(%topk, 0, 1, 2, 1)\n"
           "%ne : bool[4] = aten.ne.Tensor(%x, %x)\n"
           "%any : bool[1] = aten.any.dim(%ne, 0, true)\n"
           "%where : f32[1] = aten.where.self(%any, %scalar_nan, %slice_copy)\n"
           "%view_copy : f32[] = aten.view_copy.default(%where, [])";
    QTest::newRow("a stable sort counts what comes before")
        << "  input %x : i64[2]\n"
        << "%y : i64[2] = aten.argsort.stable(%x, true, 0, false)"
        << "const %earlier : bool[2,2] = \"earlier\" [0, 0, 1, 0]\n"
           "const %places : i64[2] = \"places\" [0, 1]\n"
           "const %full_0 : i64[2] = \"full_0\" [0, 0]\n"
           "%view_copy : i64[2,1] = aten.view_copy.default(%x, [2, 1])\n"
           "%view_copy_1 : i64[1,2] = aten.view_copy.default(%x, [1, 2])\n"
           "%lt : bool[2,2] = aten.lt.Tensor(%view_copy, %view_copy_1)\n"
           "%logical_not : bool[2,2] = aten.logical_not.default(%lt)\n"
           "%lt_1 : bool[2,2] = aten.lt.Tensor(%view_copy_1, %view_copy)\n"
           "%where : bool[2,2] = aten.where.self(%earlier, %logical_not, %lt_1)\n"
           "%_to_copy : i64[2,2] = aten._to_copy.default(%where, dtype:i64, none, none, none, false, none)\n"
           "%sum : i64[2] = aten.sum.dim_IntList(%_to_copy, [1], false, none)\n"
           "%scatter : i64[2] = aten.scatter.src(%full_0, 0, %sum, %places)";
    QTest::newRow("loss of each element") << x << "%y : f32[2,3] = aten.huber_loss.default(%x, %x, 0, 0.5)"
                                          << "const %scalar_0.5 : f32[] = \"scalar_0.5\" [0.5]\n"
                                             "const %scalar__0.25 : f32[] = \"scalar_-0.25\" [-0.25]\n"
                                             "%sub : f32[2,3] = aten.sub.Tensor(%x, %x, 1)\n"
                                             "%abs : f32[2,3] = aten.abs.default(%sub)\n"
                                             "%mul : f32[2,3] = aten.mul.Tensor(%abs, %abs)\n"
                                             "%mul_1 : f32[2,3] = aten.mul.Tensor(%mul, %scalar_0.5)\n"
                                             "%add : f32[2,3] = aten.add.Tensor(%abs, %scalar__0.25, 1)\n"
                                             "%mul_2 : f32[2,3] = aten.mul.Tensor(%add, %scalar_0.5)\n"
                                             "%lt : bool[2,3] = aten.lt.Scalar(%abs, 0.5)\n"
                                             "%where : f32[2,3] = aten.where.self(%lt, %mul_1, %mul_2)";
    QTest::newRow("adaptive means of the depth, then of the planes")
        << "  input %x : f32[1,2,3,4,4]\n"
        << "%y : f32[1,2,2,2,2] = aten.adaptive_avg_pool3d.default(%x, [2, 2, 2])"
        << "%slice_copy : f32[1,2,2,4,4] = aten.slice_copy.Tensor(%x, 2, 0, 2, 1)\n"
           "%mean : f32[1,2,1,4,4] = aten.mean.dim(%slice_copy, [-3], true, none)\n"
           "%slice_copy_1 : f32[1,2,2,4,4] = aten.slice_copy.Tensor(%x, 2, 1, 3, 1)\n"
           "%mean_1 : f32[1,2,1,4,4] = aten.mean.dim(%slice_copy_1, [-3], true, none)\n"
           "%cat : f32[1,2,2,4,4] = aten.cat.default({%mean, %mean_1}, 2)\n"
           "%view_copy : f32[2,2,4,4] = aten.view_copy.default(%cat, [2, 2, 4, 4])\n"
           "%avg_pool2d : f32[2,2,2,2] = aten.avg_pool2d.default(%view_copy, [2, 2], [2, 2], [0, 0], false, true, "
           "none)\n"
           "%view_copy_1 : f32[1,2,2,2,2] = aten.view_copy.default(%avg_pool2d, [1, 2, 2, 2, 2])";
    QTest::newRow("a transposed convolution of each tap")
        << "  input %x : f32[1,1,2,2,2]\n  const %w : f32[1,1,2,1,1] = \"w\" [1, 2]\n"
        << "%y : f32[1,1,3,2,2] = aten.conv_transpose3d.input(%x, %w, none, [1, 1, 1], [0, 0, 0], [0, 0, 0], 1, "
           "[1, 1, 1])"
        << "const %w.selected : f32[1,1,1,1] = \"w.selected\" [1]\n"
           "const %w.selected_1 : f32[1,1,1,1] = \"w.selected\" [2]\n"
           "%permute_copy : f32[1,2,1,2,2] = aten.permute_copy.default(%x, [0, 2, 1, 3, 4])\n"
           "%view_copy : f32[2,1,2,2] = aten.view_copy.default(%permute_copy, [2, 1, 2, 2])\n"
           "%convolution : f32[2,1,2,2] = aten.convolution.default(%view_copy, %w.selected, none, [1, 1], [0, 0], [1, "
           "1], true, [0, 0], 1)\n"
           "%view_copy_1 : f32[1,2,1,2,2] = aten.view_copy.default(%convolution, [1, 2, 1, 2, 2])\n"
           "%permute_copy_1 : f32[1,1,2,2,2] = aten.permute_copy.default(%view_copy_1, [0, 2, 1, 3, 4])\n"
           "%constant_pad_nd : f32[1,1,3,2,2] = aten.constant_pad_nd.default(%permute_copy_1, [0, 0, 0, 0, 0, 1], 0)\n"
           "%convolution_1 : f32[2,1,2,2] = aten.convolution.default(%view_copy, %w.selected_1, none, [1, 1], [0, 0], "
           "[1, 1], true, [0, 0], 1)\n"
           "%view_copy_2 : f32[1,2,1,2,2] = aten.view_copy.default(%convolution_1, [1, 2, 1, 2, 2])\n"
           "%permute_copy_2 : f32[1,1,2,2,2] = aten.permute_copy.default(%view_copy_2, [0, 2, 1, 3, 4])\n"
           "%constant_pad_nd_1 : f32[1,1,3,2,2] = aten.constant_pad_nd.default(%permute_copy_2, [0, 0, 0, 0, 1, 0], "
           "0)\n"
           "%add : f32[1,1,3,2,2] = aten.add.Tensor(%constant_pad_nd, %constant_pad_nd_1, 1)";
  }
  void nodes() { exportdeck::tests::compareNode(); }
};

QTEST_APPLESS_MAIN(TestDecomposeNetworks)
#include "tst_decompose_networks.moc"
