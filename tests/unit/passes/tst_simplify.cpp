// What changes nothing goes, and so does what nothing reads.
#include <QTest>

#include "pass_support.h"

using exportdeck::passes::simplify;
using exportdeck::tests::after;

class TestSimplify : public QObject {
  Q_OBJECT

 private slots:
  void identitiesGo() {
    QCOMPARE(after(simplify, R"(graph g {
  input %x : f32[2,3]
  () = aten._assert_tensor_metadata.default(%x, none, none, dtype:f32, none, none)
  %a : f32[2,3] = aten.clone.default(%x, none)
  %b : f32[2,3] = aten.dropout.default(%a, 0.5, false)
  %c : f32[2,3] = aten.to.dtype(%b, dtype:f32, false, false, none)
  %d : f32[2,3] = aten.slice.Tensor(%c, 1, 0, 9223372036854775807, 1)
  %e : f32[2,3] = aten.expand.default(%d, [-1, 3], false)
  %f : f32[2,3] = aten.permute_copy.default(%e, [0, 1])
  %g : f32[2,3] = aten.neg.default(%f)
  return (%g)
})"),
             QString(R"(graph g {
  input %x : f32[2,3]
  %g : f32[2,3] = aten.neg.default(%x)
  return (%g)
}
)"));
  }

  void castsStay() {
    QVERIFY(after(simplify, R"(graph g {
  input %x : f32[2]
  %a : f16[2] = aten._to_copy.default(%x, dtype:f16, none, none, none, false, none)
  return (%a)
})")
                .contains("aten._to_copy.default(%x"));
  }

  void viewsOfViewsBecomeOne() {
    QCOMPARE(after(simplify, R"(graph g {
  input %x : f32[2,3,4]
  %a : f32[6,4] = aten.view_copy.default(%x, [6, 4])
  %b : f32[24] = aten.view_copy.default(%a, [24])
  %p : f32[4,2,3] = aten.permute_copy.default(%x, [2, 0, 1])
  %q : f32[3,4,2] = aten.permute_copy.default(%p, [2, 0, 1])
  return (%b, %q)
})"),
             QString(R"(graph g {
  input %x : f32[2,3,4]
  %b : f32[24] = aten.view_copy.default(%x, [24])
  %q : f32[3,4,2] = aten.permute_copy.default(%x, [1, 2, 0])
  return (%b, %q)
}
)"));
  }

  // A view that is undone is the tensor itself.
  void viewsThatAreUndoneGo() {
    QVERIFY(after(simplify, R"(graph g {
  input %x : f32[2,3]
  %a : f32[6] = aten.view_copy.default(%x, [6])
  %b : f32[2,3] = aten.view_copy.default(%a, [2, 3])
  %p : f32[3,2] = aten.permute_copy.default(%b, [1, 0])
  %q : f32[2,3] = aten.permute_copy.default(%p, [1, 0])
  return (%q)
})")
                .contains("return (%x)"));
  }

  void unreadNodesAndConstantsGo() {
    QCOMPARE(after(simplify, R"(graph g {
  input %x : f32[2]
  const %w : f32[2] = "w"
  %a : f32[2] = aten.mul.Tensor(%x, %w)
  %b : f32[2] = aten.exp.default(%a)
  return (%x)
})"),
             QString("graph g {\n  input %x : f32[2]\n  return (%x)\n}\n"));
  }
};

QTEST_APPLESS_MAIN(TestSimplify)
#include "tst_simplify.moc"
