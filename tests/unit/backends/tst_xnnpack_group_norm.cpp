// Group norm and instance norm between convolutions.
#include <QTest>

#include "xnnpack_support.h"

using exportdeck::tests::judged;
using exportdeck::tests::lowered;

class TestXnnpackGroupNorm : public QObject {
  Q_OBJECT

 private slots:
  // Nothing is transposed between the convolution and the norm, and the activation behind it is fused.
  void betweenConvolutions() {
    QCOMPARE(lowered(R"(graph g {
  input %x : f32[1,8,8,4]
  const %w : f32[6,4,1,1] = "w"
  const %s : f32[6] = "s"
  const %b : f32[6] = "b"
  %i : f32[1,4,8,8] = aten.permute_copy.default(%x, [0,3,1,2])
  %a : f32[1,6,8,8] = aten.convolution.default(%i, %w, none, [1,1], [0,0], [1,1], false, [0,0], 1)
  %n : f32[1,6,8,8] = aten.group_norm.default(%a, 2, %s, %b, 0.001, true)
  %r : f32[1,6,8,8] = aten.relu.default(%n)
  %o : f32[1,8,8,6] = aten.permute_copy.default(%r, [0,2,3,1])
  return (%o)
})"),
             QString(R"(v0: input 0 f32[1,8,8,4]
v1: static f32[6,1,1,4]
v7: input 1 f32[1,3]
v18: input 2 f32[]
v21: input 3 f32[6]
v23: input 4 f32[6]
v2 = conv2d(v0, v1, none) f32[1,8,8,6] kernel 1x1 stride 1x1 dilation 1x1 pad 0,0,0,0 groups 1x(4->6)
v3 = global_avg_pool2d(v2) f32[1,1,1,6] flags 64
v4 = reshape(v3) f32[2,1,3,1] [2,1,3,1]
v5 = global_avg_pool2d(v4) f32[2,1,1,1] flags 64
v6 = reshape(v5) f32[2,1] [2,1]
v8 = multiply(v6, v7) f32[2,3]
v9 = reshape(v8) f32[1,1,1,6] [1,1,1,6]
v10 = subtract(v2, v9) f32[1,8,8,6]
v11 = square(v10) f32[1,8,8,6]
v12 = global_avg_pool2d(v11) f32[1,1,1,6] flags 64
v13 = reshape(v12) f32[2,1,3,1] [2,1,3,1]
v14 = global_avg_pool2d(v13) f32[2,1,1,1] flags 64
v15 = reshape(v14) f32[2,1] [2,1]
v16 = multiply(v15, v7) f32[2,3]
v17 = reshape(v16) f32[1,1,1,6] [1,1,1,6]
v19 = add(v17, v18) f32[1,1,1,6]
v20 = sqrt(v19) f32[1,1,1,6]
v22 = div(v21, v20) f32[1,1,1,6]
v24 = multiply(v10, v22) f32[1,8,8,6]
v25 = add(v24, v23) f32[1,8,8,6] range 0..inf
output 5: v25
)"));
  }

  void instanceNormNeedsNoGroups() {
    const QString text = lowered(R"(graph g {
  input %x : f32[2,3,5]
  %n : f32[2,3,5] = aten.instance_norm.default(%x, none, none, none, none, true, 0.1, 0.00001, true)
  return (%n)
})");
    QCOMPARE(text.count("global_avg_pool2d("), 2);
    QCOMPARE(text.count("transpose("), 2);
  }

  void verdicts() {
    const std::string head = "graph g {\n  input %x : ", tail = "\n  return (%y)\n}";
    QVERIFY(
        judged(head + "f32[2,4,3]\n  %y : f32[2,4,3] = aten.group_norm.default(%x, 2, none, none, 0.001, true)" + tail)
            .taken);
    QVERIFY(!judged(head + "f32[2,4]\n  %y : f32[2,4] = aten.group_norm.default(%x, 2, none, none, 0.001, true)" + tail)
                 .taken);
    QVERIFY(!judged(head +
                    "f32[2,4,3]\n  input %w : f32[4]\n"
                    "  %y : f32[2,4,3] = aten.group_norm.default(%x, 2, %w, none, 0.001, true)" +
                    tail)
                 .taken);
    QVERIFY(!judged(head +
                    "f32[2,4,3]\n  const %m : f32[4] = \"m\"\n  const %v : f32[4] = \"v\"\n"
                    "  %y : f32[2,4,3] = aten.instance_norm.default(%x, none, none, %m, %v, false, 0.1, 0.001, true)" +
                    tail)
                 .taken);
  }
};

QTEST_APPLESS_MAIN(TestXnnpackGroupNorm)
#include "tst_xnnpack_group_norm.moc"
