#include <QTest>

#include "base/text.h"
#include "ir/graph.h"
#include "support/errors.h"

using namespace exportdeck;
using namespace exportdeck::ir;
using exportdeck::tests::errorCode;

namespace {

constexpr const char* kText = R"(graph forward {
  input %x : f32[2,3]
  input %n : int
  input "mode" = "fast"
  const %w : f32[4,3] = "fc.weight"
  const %k : i64[2] = "index" [9223372036854775807, -1]
  %y : f32[2,4] = aten.linear.default(%x, %w, none)
  %v : f32[2,1], %i : i64[2,1] = aten.topk.default(%y, 1, -1, true, false)
  () = aten._assert_scalar.default(true, "a text")
  %z : f32[2,4] = aten.index.Tensor(%y, {none, %i})
  %c : f32[2,4] = test.kinds(%z, dtype:f16, format:channels_last, opaque:"cpu", [1, %n], floats[0.5, -inf], bools[true, false], 2.0, none)
  return (%c, %x, none, 3)
}
)";

}  // namespace

class TestGraph : public QObject {
  Q_OBJECT
 private slots:
  void textRoundTrips() {
    const auto graph = parse(kText);
    verify(*graph);
    // Larger constants lose their data but not their name; everything else comes back.
    QCOMPARE(QString::fromStdString(print(*graph)),
             QString::fromLatin1(kText).replace("\"fc.weight\"", "\"fc.weight\" " + invented(*graph)));
    QCOMPARE(print(*parse(print(*graph))), print(*graph));
  }

  void nestedGraphsRoundTrip() {
    const std::string text = R"(graph forward {
  input %x : f32[2]
  %y : f32[2] = exportdeck.delegate(%x)
  body graph part {
    input %a : f32[2]
    %b : f32[2] = aten.relu.default(%a)
    return (%b)
  }
  return (%y)
}
)";
    const auto graph = parse(text);
    verify(*graph);
    QCOMPARE(print(*graph), text);
  }

  void stateRoundTrips() {
    const std::string text = R"(graph g {
  input %x : f32[2]
  state %n : f32[2] = "count" [1, 2]
  %y : f32[2] = aten.add.Tensor(%n, %x, 1)
  %z : f32[2] = aten.mul.Tensor(%y, %x)
  update %n = %y
  update %x = %z
  return (%z)
}
)";
    const auto graph = parse(text);
    verify(*graph);
    QCOMPARE(print(*graph), text);
    const Value* state = graph->states().at(0);
    QVERIFY(state->isState() && !state->isConstant() && !state->isInput());
    QCOMPARE(state->initial()->name, std::string("count"));
    QVERIFY(graph->constants().empty());
    QVERIFY(graph->isUpdated(state));
    QVERIFY(!graph->isUpdated(graph->updates()[0].value));
  }

  // What an update leaves behind is in use, and follows when it is replaced.
  void updatesUseTheirValues() {
    const auto graph = parse(R"(graph g {
  state %n : f32[2] = "count" [1, 2]
  %y : f32[2] = aten.neg.default(%n)
  %z : f32[2] = aten.abs.default(%n)
  update %n = %y
  return ()
})");
    Value *y = graph->nodes().front()->output(), *z = graph->nodes().back()->output();
    QVERIFY(graph->isOutput(y) && !graph->isUnused(y));
    graph->setOutputs({});
    QVERIFY(graph->isOutput(y));
    graph->replaceAllUses(y, z);
    QCOMPARE(graph->updates()[0].value, z);
    QVERIFY(graph->isUnused(y) && !graph->isUnused(z));
    graph->eraseUnusedConstants();
    QCOMPARE(graph->states().size(), size_t{1});
  }

  void updatesThatDoNotFitAreRefused_data() {
    QTest::addColumn<QString>("updates");
    QTest::newRow("of a constant") << "update %k = %y";
    QTest::newRow("of a computed value") << "update %y = %n";
    QTest::newRow("of another size") << "update %n = %one";
    QTest::newRow("of another element type") << "update %n = %i";
    QTest::newRow("twice") << "update %n = %y\n update %n = %k";
  }
  void updatesThatDoNotFitAreRefused() {
    QFETCH(QString, updates);
    const std::string text = R"(graph g {
  input %one : f32[1]
  input %i : i64[2]
  const %k : f32[2] = "k" [1, 2]
  state %n : f32[2] = "count" [1, 2]
  %y : f32[2] = aten.neg.default(%n)
  )" + updates.toStdString() +
                             "\n return ()\n}";
    QCOMPARE(errorCode([&] { verify(*parse(text)); }), std::string(codeInfo(Code::GraphInvalid).id));
  }

  void textsAreEscaped() {
    const std::string text = "graph g {\n  () = test.op(\"a \\\"quoted\\\" \\\\ text\\n\")\n  return ()\n}\n";
    const auto graph = parse(text);
    QCOMPARE(graph->nodes().front()->stringArg(0), std::string("a \"quoted\" \\ text\n"));
    QCOMPARE(print(*graph), text);
  }

  void symbolicSizesRoundTrip() {
    const std::string text = "graph g {\n  input %x : f32[s0,\"2*s0 + 1\",3]\n  return (%x)\n}\n";
    QCOMPARE(print(*parse(text)), text);
    QVERIFY(!parse(text)->inputs()[0].value->type().isStatic());
  }

  void sizesOfAnyTextRoundTrip() {
    const std::string text = "graph g {\n  input %x : f32[\"a#b\",\"\\\"\"]\n  return (%x)\n}\n";
    QCOMPARE(print(*parse(text)), text);
  }

  void valuesOutsideTheElementTypeAreRefused() {
    for (const char* constant :
         {"i64[1] = \"k\" [9223372036854775808]", "u8[1] = \"k\" [256]", "i8[1] = \"k\" [nan]"}) {
      const std::string text = concat("graph g {\n  const %k : ", constant, "\n  return (%k)\n}\n");
      QCOMPARE(errorCode([&] { return parse(text); }), std::string("graph.invalid"));
    }
  }

  void everyPrefixIsRefusedCleanly() {
    const std::string text = kText;
    for (size_t length = 0; length + 2 < text.size(); ++length) {
      QCOMPARE(errorCode([&] { return parse(std::string_view(text).substr(0, length)); }),
               std::string("graph.invalid"));
    }
  }

  void replacingUsesMovesOperandsAndOutputs() {
    const auto graph = parse(
        "graph g { input %x : f32[2]\n input %z : f32[2]\n %a : f32[2] = aten.add.Tensor(%x, %x, 1)\n return (%a, %x) "
        "}");
    graph->replaceAllUses(graph->inputs()[0].value, graph->inputs()[1].value);
    verify(*graph);
    QVERIFY(graph->isUnused(graph->inputs()[0].value));
    QCOMPARE(graph->inputs()[1].value->users().size(), size_t{2});
    QVERIFY(graph->isOutput(graph->inputs()[1].value));
  }

  void erasingChecksThatResultsAreUnused() {
    const auto graph = parse("graph g { input %x : f32[2]\n %a : f32[2] = aten.relu.default(%x)\n return (%a) }");
    Node* relu = graph->nodes().front().get();
    QCOMPARE(errorCode([&] {
               graph->erase(relu);
               return 0;
             }),
             std::string("internal.fault"));
    graph->setOutputs({graph->inputs()[0].value});
    graph->erase(relu);
    verify(*graph);
    QVERIFY(graph->nodes().empty());
  }

  void namesStayUniqueAndCheap() {
    Graph graph;
    Value* x = graph.addInput("x", TensorType(DType::Float32, {1}));
    for (int i = 0; i < 20'000; ++i) x = graph.addNode("aten.relu.default", {x}, {x->type()}, nullptr)->output();
    graph.setOutputs({x});
    verify(graph);
    QCOMPARE(x->name(), std::string("relu_19999"));
  }

  void verifyFindsUseBeforeDefinition() {
    const auto graph = parse(
        "graph g { input %x : f32[2]\n %a : f32[2] = aten.relu.default(%x)\n %b : f32[2] = aten.relu.default(%a)\n "
        "return (%b) }");
    graph->moveBefore(graph->nodes().back().get(), graph->nodes().front().get());
    QCOMPARE(errorCode([&] {
               verify(*graph);
               return 0;
             }),
             std::string("graph.invalid"));
  }

  void argumentsOfAWrongKindNameTheNode() {
    const auto graph = parse("graph g { input %x : f32[2]\n %a : f32[2] = test.op(%x, [1, 2], 0.5)\n return (%a) }");
    const Node& node = *graph->nodes().front();
    QCOMPARE(node.ints(1), (Sizes{1, 2}));
    QCOMPARE(node.floatArg(2), 0.5);
    QCOMPARE(errorCode([&] { return node.intArg(2); }), std::string("graph.invalid"));
    QCOMPARE(errorCode([&] { return node.value(7); }), std::string("graph.invalid"));
  }

  void dtypesPromoteAsPyTorchDoes_data() {
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<QString>("promoted");
    const char* rows[][3] = {{"u8", "i8", "i16"},    {"u8", "i32", "i32"},  {"bool", "u8", "u8"},
                             {"f16", "bf16", "f32"}, {"i64", "f16", "f16"}, {"f32", "f64", "f64"},
                             {"c64", "f64", "c128"}, {"i32", "i64", "i64"}};
    for (const auto& row : rows) QTest::addRow("%s+%s", row[0], row[1]) << row[0] << row[1] << row[2];
  }
  void dtypesPromoteAsPyTorchDoes() {
    QFETCH(QString, a);
    QFETCH(QString, b);
    QFETCH(QString, promoted);
    const DType left = *dtypeNamed(a.toStdString()), right = *dtypeNamed(b.toStdString());
    QCOMPARE(QString(info(promote(left, right)).name), promoted);
    QCOMPARE(promote(right, left), promote(left, right));
  }

  void elementCountsDoNotOverflow() {
    const TensorType huge(DType::Float32, {int64_t{1} << 40, int64_t{1} << 40});
    QCOMPARE(errorCode([&] { return huge.elements(); }), std::string("shape.unsupported"));
  }

 private:
  static QString invented(const Graph& graph) {
    const std::string text = print(graph);
    const size_t from = text.find('[', text.find("\"fc.weight\""));
    return QString::fromStdString(text.substr(from, text.find(']', from) - from + 1));
  }
};

QTEST_APPLESS_MAIN(TestGraph)
#include "tst_graph.moc"
