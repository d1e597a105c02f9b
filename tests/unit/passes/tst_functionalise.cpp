// In-place operators: what they write is seen by all that looks at the same memory, and by nothing else.
#include <QTest>

#include "pass_support.h"
#include "support/errors.h"

using namespace exportdeck;
using exportdeck::passes::functionalise;
using exportdeck::tests::after;
using exportdeck::tests::errorOf;
using exportdeck::tests::graphAfter;

class TestFunctionalise : public QObject {
  Q_OBJECT

 private slots:
  // Both names of the written tensor mean the new value.
  void inPlaceBecomesFunctional() {
    QCOMPARE(after(functionalise, R"(graph g {
  input %x : f32[4]
  %a : f32[4] = aten.clone.default(%x, none)
  %b : f32[4] = aten.relu_.default(%a)
  %c : f32[4] = aten.add.Tensor(%a, %b, 1)
  return (%c, %a)
})"),
             QString(R"(graph g {
  input %x : f32[4]
  %a : f32[4] = aten.clone.default(%x, none)
  %b_1 : f32[4] = aten.relu.default(%a)
  %c : f32[4] = aten.add.Tensor(%b_1, %b_1, 1)
  return (%c, %b_1)
}
)"));
  }

  // The value read before the write stays what it was.
  void earlierReadsKeepTheOldValue() {
    QCOMPARE(after(functionalise, R"(graph g {
  input %x : f32[4]
  %a : f32[4] = aten.clone.default(%x, none)
  %old : f32[4] = aten.neg.default(%a)
  %b : f32[4] = aten.mul_.Tensor(%a, 2)
  %sum : f32[4] = aten.add.Tensor(%old, %a, 1)
  return (%sum)
})"),
             QString(R"(graph g {
  input %x : f32[4]
  %a : f32[4] = aten.clone.default(%x, none)
  %old : f32[4] = aten.neg.default(%a)
  %b_1 : f32[4] = aten.mul.Tensor(%a, 2)
  %sum : f32[4] = aten.add.Tensor(%old, %b_1, 1)
  return (%sum)
}
)"));
  }

  // A write to a row reaches the whole, and another view of the whole is derived anew.
  void writesThroughViewsReachTheBase() {
    QCOMPARE(after(functionalise, R"(graph g {
  input %x : f32[2,3]
  %a : f32[2,3] = aten.clone.default(%x, none)
  %t : f32[3,2] = aten.transpose.int(%a, 0, 1)
  %row : f32[3] = aten.select.int(%a, 0, 1)
  %w : f32[3] = aten.fill_.Scalar(%row, 7)
  return (%a, %t, %row)
})"),
             QString(R"(graph g {
  input %x : f32[2,3]
  %a : f32[2,3] = aten.clone.default(%x, none)
  %t : f32[3,2] = aten.transpose.int(%a, 0, 1)
  %row : f32[3] = aten.select.int(%a, 0, 1)
  %w_1 : f32[3] = aten.fill.Scalar(%row, 7)
  %select_scatter : f32[2,3] = aten.select_scatter.default(%a, %w_1, 0, 1)
  %transpose : f32[3,2] = aten.transpose.int(%select_scatter, 0, 1)
  return (%select_scatter, %transpose, %w_1)
}
)"));
  }

  void chainsOfViewsAreUndoneStepByStep() {
    const QString text = after(functionalise, R"(graph g {
  input %x : f32[2,3,4]
  %a : f32[2,3,4] = aten.clone.default(%x, none)
  %p : f32[4,2,3] = aten.permute.default(%a, [2,0,1])
  %v : f32[4,6] = aten.view.default(%a, [4,6])
  %s : f32[2,2,3] = aten.slice.Tensor(%p, 0, 1, 3, 1)
  %w : f32[2,2,3] = aten.zero_.default(%s)
  return (%a, %v)
})");
    QVERIFY(text.contains("aten.zero.default(%s)"));
    QVERIFY2(text.contains("%slice_scatter : f32[4,2,3] = aten.slice_scatter.default(%permute, %w_1, 0, 1, 3, 1)"),
             qPrintable(text));
    QVERIFY2(text.contains(": f32[2,3,4] = aten.permute.default(%slice_scatter, [1, 2, 0])"), qPrintable(text));
    QVERIFY2(text.contains("return (%permute_1, %view)"), qPrintable(text));
  }

  // The written tensor keeps its dtype whatever is computed.
  void resultsAreStoredInTheDtypeOfTheTarget() {
    const QString text = after(functionalise, R"(graph g {
  input %x : f16[4]
  input %y : f32[4]
  %a : f16[4] = aten.clone.default(%x, none)
  %b : f16[4] = aten.add_.Tensor(%a, %y, 1)
  %c : f16[4] = aten.gt_.Scalar(%b, 0)
  return (%c)
})");
    QVERIFY2(text.contains("f32[4] = aten.add.Tensor(%a, %y, 1)"), qPrintable(text));
    QVERIFY2(text.contains("f16[4] = aten._to_copy.default(%b_1, dtype:f16"), qPrintable(text));
    QVERIFY2(text.contains("bool[4] = aten.gt.Scalar("), qPrintable(text));
  }

  // Dropout in evaluation gives back its operand, so a write to its result is a write to the operand.
  void evaluatedDropoutSharesMemory() {
    const QString text = after(functionalise, R"(graph g {
  input %x : f32[4]
  %a : f32[4] = aten.clone.default(%x, none)
  %d : f32[4] = aten.dropout.default(%a, 0.5, false)
  %b : f32[4] = aten.neg_.default(%d)
  return (%a)
})");
    QVERIFY2(text.contains("return (%b_1)"), qPrintable(text));
  }

  // What was a constant becomes state, and its update is what its memory holds at the end.
  void changedBuffersBecomeState() {
    QCOMPARE(after(functionalise, R"(graph g {
  input %x : f32[4]
  const %c : f32[2,4] = "cache" [1, 2, 3, 4, 5, 6, 7, 8]
  %first : f32[4] = aten.select.int(%c, 0, 0)
  %old : f32[4] = aten.neg.default(%first)
  %b : f32[4] = aten.copy_.default(%first, %x, false)
  %same : f32[2,4] = aten.to.dtype(%c, dtype:f32, false, false, none)
  %d : f32[2,4] = aten.relu_.default(%same)
  return (%c, %old)
})"),
             QString(R"(graph g {
  input %x : f32[4]
  state %c : f32[2,4] = "cache" [1, 2, 3, 4, 5, 6, 7, 8]
  %first : f32[4] = aten.select.int(%c, 0, 0)
  %old : f32[4] = aten.neg.default(%first)
  %b_1 : f32[4] = aten.copy.default(%first, %x, false)
  %select_scatter : f32[2,4] = aten.select_scatter.default(%c, %b_1, 0, 0)
  %same : f32[2,4] = aten.to.dtype(%select_scatter, dtype:f32, false, false, none)
  %d_1 : f32[2,4] = aten.relu.default(%same)
  update %c = %d_1
  return (%d_1, %old)
}
)"));
  }

  void writesGoThroughEveryView_data() {
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("written");
    const auto row = [](const char* name, const char* view, const char* written) {
      QTest::newRow(name) << view << written;
    };
    row("dimensions moved", "%v : f32[4,2,3] = aten.movedim.int(%c, 2, 0)", "aten.permute.default(%w_1, [1, 2, 0])");
    row("dimensions reversed", "%v : f32[4,3,2] = aten.numpy_T.default(%c)", "aten.permute.default(%w_1, [2, 1, 0])");
    row("columns", "%u : f32[2,1,4], %v : f32[2,2,4] = aten.hsplit.array(%c, [1])",
        "aten.slice_scatter.default(%c, %w_1, 1, 1, 3, 1)");
    row("depth", "%u : f32[2,3,2], %v : f32[2,3,2] = aten.dsplit.int(%c, 2)",
        "aten.slice_scatter.default(%c, %w_1, 2, 2, 4, 1)");
    row("rows", "%v : f32[1,3,4], %u : f32[1,3,4] = aten.vsplit.int(%c, 2)",
        "aten.slice_scatter.default(%c, %w_1, 0, 0, 1, 1)");
    row("parts", "%u : f32[2,1,4], %v : f32[2,2,4] = aten.tensor_split.indices(%c, [1], 1)",
        "aten.slice_scatter.default(%c, %w_1, 1, 1, 3, 1)");
    row("diagonal", "%v : f32[4,2] = aten.diagonal.default(%c, 1, 0, 1)",
        "aten.diagonal_scatter.default(%c, %w_1, 1, 0, 1)");
  }
  void writesGoThroughEveryView() {
    QFETCH(QString, view);
    QFETCH(QString, written);
    const QString sizes = view.mid(view.indexOf("%v : ") + 5).section(']', 0, 0) + "]";
    const QString text = after(functionalise, ("graph g {\n const %c : f32[2,3,4] = \"c\"\n " + view +
                                               "\n %w : " + sizes + " = aten.neg_.default(%v)\n return ()\n}")
                                                  .toStdString());
    QVERIFY2(text.contains(" : f32[2,3,4] = " + written), qPrintable(text));
    QVERIFY2(text.contains("update %c = "), qPrintable(text));
  }

  // What the archive states stays; a value in it that was written meanwhile is brought up to date.
  void statedUpdatesAreKept() {
    const QString text = after(functionalise, R"(graph g {
  input %x : f32[4]
  state %c : f32[4] = "c" [0, 0, 0, 0]
  %a : f32[4] = aten.add.Tensor(%c, %x, 1)
  %b : f32[4] = aten.relu_.default(%a)
  update %c = %a
  return (%x)
})");
    QVERIFY2(text.contains("update %c = %b_1\n  return (%x)"), qPrintable(text));
  }

  void changedInputsAreUpdated() {
    QCOMPARE(after(functionalise, R"(graph g {
  input %x : f32[2,4]
  %row : f32[4] = aten.select.int(%x, 0, 0)
  %a : f32[4] = aten.zero_.default(%row)
  %b : f32[2,4] = aten.relu_.default(%x)
  return (%x)
})"),
             QString(R"(graph g {
  input %x : f32[2,4]
  %row : f32[4] = aten.select.int(%x, 0, 0)
  %a_1 : f32[4] = aten.zero.default(%row)
  %select_scatter : f32[2,4] = aten.select_scatter.default(%x, %a_1, 0, 0)
  %b_1 : f32[2,4] = aten.relu.default(%select_scatter)
  update %x = %b_1
  return (%b_1)
}
)"));
  }

  // In PyTorch a write to the one changes the other, and no name in the program tells.
  void buffersThatShareMemoryAreRefused() {
    const auto graph = ir::parse(R"(graph g {
  input %x : f32[2]
  const %all : f32[4] = "all" [0, 1, 2, 3]
  const %half : f32[2] = "half" [2, 3]
  %w : f32[4] = aten.zero_.default(%all)
  %y : f32[2] = aten.add.Tensor(%half, %x, 1)
  return (%y)
})");
    const auto lieIn = [&](size_t index, uint64_t begin, uint64_t end) {
      ir::Value* value = graph->constants().at(index);
      auto moved = std::make_shared<ir::Constant>(*value->constant());
      moved->memory = {"weight_0", begin, end, true};
      value->setConstant(std::move(moved));
    };
    lieIn(0, 0, 16);
    lieIn(1, 8, 16);
    DiagnosticSink diagnostics;
    const Context context{silentProgress(), {}};
    passes::PassContext passContext{context, diagnostics};
    const auto error = errorOf([&] { functionalise(*graph, passContext); });
    QVERIFY(error);
    QCOMPARE(error->code, Code::MutationUnsupported);
    QVERIFY(error->message.find("half") != std::string::npos);
  }

  // A reshape of a transposed buffer copies in PyTorch, though its bytes are row-major here.
  void reshapesOfStridedBuffersAreDoubtful() {
    const auto graph = ir::parse(R"(graph g {
  const %c : f32[2,2] = "c" [0, 1, 2, 3]
  %r : f32[4] = aten.reshape.default(%c, [4])
  %a : f32[4] = aten.zero_.default(%r)
  return (%a)
})");
    auto strided = std::make_shared<ir::Constant>(*graph->constants()[0]->constant());
    strided->memory = {"weight_0", 0, 16, false};
    graph->constants()[0]->setConstant(std::move(strided));
    DiagnosticSink diagnostics;
    const Context context{silentProgress(), {}};
    passes::PassContext passContext{context, diagnostics};
    const auto error = errorOf([&] { functionalise(*graph, passContext); });
    QVERIFY(error);
    QCOMPARE(error->code, Code::MutationUnsupported);
  }

  // A write to the whole needs no sizes, one to a part does.
  void writesToPartsOfSizesKnownAtRunTimeAreRefused() {
    const QString whole = after(functionalise, R"(graph g {
  input %x : f32[s0]
  %b : f32[s0] = aten.relu_.default(%x)
  return (%b)
})");
    QVERIFY2(whole.contains("%b_1 : f32[s0] = aten.relu.default(%x)\n  update %x = %b_1"), qPrintable(whole));
    const auto error = errorOf([] {
      return graphAfter(functionalise, R"(graph g {
  input %x : f32[s0,4]
  %a : f32[4] = aten.select.int(%x, 0, 0)
  %b : f32[4] = aten.relu_.default(%a)
  return (%b)
})");
    });
    QVERIFY(error);
    QCOMPARE(error->code, Code::ShapeUnsupported);
  }

  // Where only PyTorch knows whether a view was made, a write is refused if the rest is read afterwards.
  void doubtfulSharingIsRefused() {
    const std::string text = R"(graph g {
  input %x : f32[2,3]
  %a : f32[2,3] = aten.clone.default(%x, none)
  %e : f32[3,2] = aten.einsum.default("ij->ji", {%a}, none)
  %b : f32[2,3] = aten.neg_.default(%a)
  return (%b, %e)
})";
    const auto error = errorOf([&] { return graphAfter(functionalise, text); });
    QVERIFY(error);
    QCOMPARE(error->code, Code::MutationUnsupported);
    std::string unread = text;
    unread.replace(unread.find("(%b, %e)"), 8, "(%b)");
    QVERIFY(!errorOf([&] { return graphAfter(functionalise, unread); }));
  }

  void sizesAreNotChangedInPlace() {
    const auto error = errorOf([] {
      return graphAfter(functionalise, R"(graph g {
  input %x : f32[2,2]
  %a : f32[2,2] = aten.clone.default(%x, none)
  %b : f32[2,2] = aten.t_.default(%a)
  return (%b)
})");
    });
    QVERIFY(error);
    QCOMPARE(error->code, Code::MutationUnsupported);
  }

  void trainingModeIsRefused_data() {
    QTest::addColumn<QString>("node");
    QTest::newRow("dropout") << "%y : f32[2,3] = aten.dropout.default(%x, 0.5, true)";
    QTest::newRow("batch norm")
        << "%y : f32[2,3] = aten.batch_norm.default(%x, none, none, %m, %m, true, 0.1, 1e-05, false)";
  }
  void trainingModeIsRefused() {
    QFETCH(QString, node);
    const auto error = errorOf([&] {
      return graphAfter(functionalise, "graph g {\n  input %x : f32[2,3]\n  const %m : f32[3] = \"m\"\n  " +
                                           node.toStdString() + "\n  return (%y)\n}");
    });
    QVERIFY(error);
    QCOMPARE(error->code, Code::TrainingMode);
  }
};

QTEST_APPLESS_MAIN(TestFunctionalise)
#include "tst_functionalise.moc"
