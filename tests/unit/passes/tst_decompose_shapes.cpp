// Decompositions of operators that move elements.
#include <QTest>

#include "pass_support.h"

class TestDecomposeShapes : public QObject {
  Q_OBJECT

 private slots:
  void nodes_data() {
    exportdeck::tests::addNodeColumns();
    const QString x = "  input %x : f32[2,3,4]\n";
    QTest::newRow("reshape") << x << "%y : f32[6,4] = aten.reshape.default(%x, [-1, 4])"
                             << "%view_copy : f32[6,4] = aten.view_copy.default(%x, [6, 4])";
    QTest::newRow("transpose") << x << "%y : f32[2,4,3] = aten.transpose.int(%x, -1, 1)"
                               << "%permute_copy : f32[2,4,3] = aten.permute_copy.default(%x, [0, 2, 1])";
    QTest::newRow("movedim") << x << "%y : f32[3,4,2] = aten.movedim.int(%x, 0, -1)"
                             << "%permute_copy : f32[3,4,2] = aten.permute_copy.default(%x, [1, 2, 0])";
    QTest::newRow("slice to the end") << x << "%y : f32[2,3,3] = aten.slice.Tensor(%x, -1, -3, 9223372036854775807, 1)"
                                      << "%slice_copy : f32[2,3,3] = aten.slice_copy.Tensor(%x, 2, 1, 4, 1)";
    QTest::newRow("select from the end") << x << "%y : f32[2,4] = aten.select.int(%x, 1, -1)"
                                         << "%select_copy : f32[2,4] = aten.select_copy.int(%x, 1, 2)";
    QTest::newRow("select of the only one") << "  input %x : f32[2,1,4]\n"
                                            << "%y : f32[2,4] = aten.select.int(%x, 1, 0)"
                                            << "%view_copy : f32[2,4] = aten.view_copy.default(%x, [2, 4])";
    QTest::newRow("expand") << "  input %x : f32[3,1]\n"
                            << "%y : f32[2,3,4] = aten.expand.default(%x, [2, -1, 4], false)"
                            << "%expand_copy : f32[2,3,4] = aten.expand_copy.default(%x, [2, 3, 4], false)";
    QTest::newRow("stack") << "  input %x : f32[3]\n"
                           << "%y : f32[3,2] = aten.stack.default({%x, %x}, -1)"
                           << "%view_copy : f32[3,1] = aten.view_copy.default(%x, [3, 1])\n"
                              "%view_copy_1 : f32[3,1] = aten.view_copy.default(%x, [3, 1])\n"
                              "%cat : f32[3,2] = aten.cat.default({%view_copy, %view_copy_1}, 1)";
    // Places among all elements, in the order of the values.
    QTest::newRow("diagonal written")
        << "  input %x : f32[2,3]\n  input %v : f32[1]\n"
        << "%y : f32[2,3] = aten.diagonal_scatter.default(%x, %v, -1, 0, 1)"
        << "const %diagonal : i64[1] = \"diagonal\" [3]\n"
           "%view_copy : f32[6] = aten.view_copy.default(%x, [6])\n"
           "%index_put : f32[6] = aten.index_put.default(%view_copy, {%diagonal}, %v, false)\n"
           "%view_copy_1 : f32[2,3] = aten.view_copy.default(%index_put, [2, 3])";
    QTest::newRow("diagonal written across rows")
        << "  input %x : f32[2,2,3]\n  input %v : f32[2,2]\n"
        << "%y : f32[2,2,3] = aten.diagonal_scatter.default(%x, %v, 1, 0, -1)"
        << "const %diagonal : i64[4] = \"diagonal\" [1, 8, 4, 11]\n"
           "%view_copy : f32[12] = aten.view_copy.default(%x, [12])\n"
           "%view_copy_1 : f32[4] = aten.view_copy.default(%v, [4])\n"
           "%index_put : f32[12] = aten.index_put.default(%view_copy, {%diagonal}, %view_copy_1, false)\n"
           "%view_copy_2 : f32[2,2,3] = aten.view_copy.default(%index_put, [2, 2, 3])";
    QTest::newRow("repeat_interleave")
        << "  input %x : f32[2,3]\n"
        << "%y : f32[2,6] = aten.repeat_interleave.self_int(%x, 2, 1, none)"
        << "%view_copy : f32[2,3,1] = aten.view_copy.default(%x, [2, 3, 1])\n"
           "%expand_copy : f32[2,3,2] = aten.expand_copy.default(%view_copy, [2, 3, 2], false)\n"
           "%view_copy_1 : f32[2,6] = aten.view_copy.default(%expand_copy, [2, 6])";
    QTest::newRow("concat is cat") << x << "%y : f32[4,3,4] = aten.concat.default({%x, %x}, 0)"
                                   << "%cat : f32[4,3,4] = aten.cat.default({%x, %x}, 0)";
    QTest::newRow("unpooled maxima go where they came from")
        << "  input %x : f32[1,2,1,1]\n  input %i : i64[1,2,1,1]\n"
        << "%y : f32[1,2,2,2] = aten.max_unpool2d.default(%x, %i, [2, 2])"
        << "const %full_0 : f32[2,4] = \"full_0\" [0, 0, 0, 0, 0, 0, 0, 0]\n"
           "%view_copy : i64[2,1] = aten.view_copy.default(%i, [2, 1])\n"
           "%view_copy_1 : f32[2,1] = aten.view_copy.default(%x, [2, 1])\n"
           "%scatter : f32[2,4] = aten.scatter.src(%full_0, 1, %view_copy, %view_copy_1)\n"
           "%view_copy_2 : f32[1,2,2,2] = aten.view_copy.default(%scatter, [1, 2, 2, 2])";
    QTest::newRow("roll") << "  input %x : f32[5]\n"
                          << "%y : f32[5] = aten.roll.default(%x, [2], [0])"
                          << "%slice_copy : f32[2] = aten.slice_copy.Tensor(%x, 0, 3, 5, 1)\n"
                             "%slice_copy_1 : f32[3] = aten.slice_copy.Tensor(%x, 0, 0, 3, 1)\n"
                             "%cat : f32[5] = aten.cat.default({%slice_copy, %slice_copy_1}, 0)";
    QTest::newRow("negative pads cut")
        << "  input %x : f32[4]\n"
        << "%y : f32[5] = aten.pad.default(%x, [-1, 2], \"constant\", 0.5)"
        << "%slice_copy : f32[3] = aten.slice_copy.Tensor(%x, 0, 1, 4, 1)\n"
           "%constant_pad_nd : f32[5] = aten.constant_pad_nd.default(%slice_copy, [0, 2], 0.5)";
    QTest::newRow("a permuted weight is a weight")
        << "  const %w : f32[2,3] = \"w\" [1, 2, 3, 4, 5, 6]\n"
        << "%y : f32[3,2] = aten.t.default(%w)"
        << "const %w.permuted : f32[3,2] = \"w.permuted\" [1, 4, 2, 5, 3, 6]";
    QTest::newRow("a sliced weight is a weight") << "  const %w : f32[2,3] = \"w\" [1, 2, 3, 4, 5, 6]\n"
                                                 << "%y : f32[2,2] = aten.slice.Tensor(%w, 1, 1, 9, 1)"
                                                 << "const %w.sliced : f32[2,2] = \"w.sliced\" [2, 3, 5, 6]";
    QTest::newRow("arange") << x << "%y : i64[3] = aten.arange.start_step(1, 6, 2, none, none, none, none)"
                            << "const %y_1 : i64[3] = \"y\" [1, 3, 5]";
    QTest::newRow("eye") << x << "%y : f32[2,3] = aten.eye.m(2, 3, none, none, none, none)"
                         << "const %y_1 : f32[2,3] = \"y\" [1, 0, 0, 0, 1, 0]";
    QTest::newRow("ones like") << x << "%y : i32[2] = aten.new_ones.default(%x, [2], dtype:i32, none, none, none)"
                               << "const %full_1 : i32[2] = \"full_1\" [1, 1]";
    QTest::newRow("as_strided of what is no input stays")
        << x << "%a : f32[2,3,4] = aten.neg.default(%x)\n  %y : f32[2] = aten.as_strided.default(%a, [2], [3], none)"
        << "%a : f32[2,3,4] = aten.neg.default(%x)\n%y : f32[2] = aten.as_strided.default(%a, [2], [3], none)";
  }
  void nodes() { exportdeck::tests::compareNode(); }
};

QTEST_APPLESS_MAIN(TestDecomposeShapes)
#include "tst_decompose_shapes.moc"
