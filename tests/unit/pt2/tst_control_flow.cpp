// Loops and choices: written out where that is right, kept (and refused later, by name) where not.
#include <QRegularExpression>
#include <QTest>

#include "pt2/reader.h"
#include "support/files.h"
#include "unit/pt2/program_builder.h"

using namespace exportdeck;
using namespace exportdeck::tests;

namespace {

const Context kContext{silentProgress(), {}};

// {x [sizes], more…} -> {r}: r = OP(x), of the same type.
std::string body(const std::string& op, const std::vector<int>& sizes, const std::string& more = {}) {
  const std::string meta = tensorMeta(ints(sizes), ints(std::vector<int>(sizes.size(), 1)));
  return R"({"name": "", "arg": {"as_graph": {"name": "body", "graph": {"inputs": [{"as_tensor": {"name": "a"}})" +
         more + R"(], "outputs": [{"as_tensor": {"name": "r"}}], "nodes": [{"target": "torch.ops.aten.)" + op +
         R"(", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "a"}}, "kind": 1}],
         "outputs": [{"as_tensor": {"name": "r"}}], "metadata": {}, "name": "r"}],
         "tensor_values": {"a": )" +
         meta + R"(, "r": )" + meta + R"(}}}}, "kind": 1})";
}

std::string tensorArgument(const std::string& name) {
  return R"(, {"name": "", "arg": {"as_tensor": {"name": ")" + name + R"("}}, "kind": 1})";
}

std::string tensorsArgument(const std::string& name) {
  const std::string item = name.empty() ? "" : R"({"name": ")" + name + R"("})";
  return R"(, {"name": "", "arg": {"as_tensors": [)" + item + R"(]}, "kind": 1})";
}

// add = OP(inputs), of shape [2, 3] as x and w are.
std::string program(const std::string& op, const std::string& inputs) {
  ProgramBuilder builder;
  builder.program = replaced(builder.program, "torch.ops.aten.add.Tensor", "torch.ops.higher_order." + op);
  const std::string last = R"("other", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1})";
  const auto from = builder.program.find(R"("inputs": [{"name": "self")");
  const auto to = builder.program.find(last) + last.size();
  builder.program.replace(from, to - from, R"("inputs": [)" + inputs);
  return builder.archive();
}

}  // namespace

class TestControlFlow : public QObject {
  Q_OBJECT

 private slots:
  void readsPrograms_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("inputs");
    QTest::addColumn<QString>("operators");
    const auto row = [](const char* name, const char* op, const std::string& inputs, const char* operators) {
      QTest::newRow(name) << op << QString::fromStdString(inputs) << operators;
    };
    row("a map over two rows", "map_impl", body("relu.default", {3}) + tensorsArgument("x") + tensorsArgument(""),
        "select.int relu.default select.int relu.default stack.default");
    const std::string both = tensorArgument("x").substr(2) + ", " + body("relu.default", {2, 3});
    row("a choice", "cond", both + ", " + body("neg.default", {2, 3}) + tensorsArgument("x"),
        "relu.default neg.default where.self");
    row("a choice whose side may fail", "cond", both + ", " + body("index.Tensor", {2, 3}) + tensorsArgument("x"),
        "higher_order.cond");
    row("a loop of unknown length", "while_loop", body("relu.default", {3}) + tensorsArgument("x"),
        "higher_order.while_loop");
  }
  void readsPrograms() {
    QFETCH(QString, op);
    QFETCH(QString, inputs);
    QFETCH(QString, operators);
    const auto read =
        pt2::readProgram(folder_.write("net.pt2", program(op.toStdString(), inputs.toStdString())), kContext);
    ir::verify(*read.graph);
    QStringList found;
    for (const ir::Node* node : read.graph->nodeList())
      found += QString::fromStdString(node->op()).replace(QRegularExpression("^aten\\."), "");
    QCOMPARE(found.join(' '), operators);
    QCOMPARE(std::get<ir::Value*>(read.graph->outputs()[0]), read.graph->nodes().back()->output());
    QCOMPARE(read.graph->nodes().back()->origin().sourceLine, 12);
  }

 private:
  TemporaryFolder folder_;
};

QTEST_APPLESS_MAIN(TestControlFlow)
#include "tst_control_flow.moc"
