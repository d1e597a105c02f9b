// Shapes of LSTM states that older releases recorded with a dimension too many, and all that follows from them.
#include <QTest>

#include "pt2/recorded_shapes.h"
#include "support/errors.h"

using namespace exportdeck;
using namespace exportdeck::tests;
using pt2::correctRecordedShapes;

namespace {

// A graph whose LSTM has states of [2, 3, 4], recorded as [2, 1, 3, 4]; `body` reads %h and defines %r.
std::unique_ptr<ir::Graph> graphWith(const std::string& body) {
  return ir::parse(
      "graph forward {\n"
      "  input %x : f32[5,3,6]\n"
      "  input %s : f32[2,3,4]\n"
      "  const %w : f32[7,4] = \"w\"\n"
      "  %y : f32[5,3,4], %h : f32[2,1,3,4], %c : f32[2,1,3,4] = "
      "aten.lstm.input(%x, {%s, %s}, {%w}, true, 2, 0.0, false, false, false)\n  " +
      body + "\n  return (%y, %r)\n}\n");
}

struct Log : ProgressSink {
  void stageStarted(std::string_view) override {}
  void stageAdvanced(std::string_view, uint64_t, uint64_t) override {}
  void stageFinished(std::string_view, double) override {}
  void log(LogLevel, std::string_view text) override { lines += std::string(text) + "\n"; }
  std::string lines;
};

std::string resultOf(ir::Graph& graph) {
  return std::get<ir::Value*>(graph.outputs()[1])->type().text();
}

}  // namespace

class TestRecordedShapes : public QObject {
  Q_OBJECT

 private slots:
  void follows_data();
  void follows();
  void leavesRightGraphsAlone();
  void refusesWhatItCannotTell_data();
  void refusesWhatItCannotTell();
  void warnsOfReshapes();
};

void TestRecordedShapes::follows_data() {
  QTest::addColumn<QString>("body");
  QTest::addColumn<QString>("type");
  const auto row = [](const char* body, const char* type) { QTest::newRow(body) << body << type; };
  row("%r : f32[1,3,4] = aten.select.int(%h, 0, -1)", "f32[3,4]");
  row("%r : f32[2,1,3,4] = aten.relu.default(%h)", "f32[2,3,4]");
  row("%r : f32[1,1,3,4] = aten.slice.Tensor(%h, 0, -1, 9223372036854775807, 1)", "f32[1,3,4]");
  row("%r : f32[2,1,1,4] = aten.slice.Tensor(%h, -2, none, 2, 2)", "f32[2,1,4]");
  row("%r : f32[1,2,1,3,4] = aten.unsqueeze.default(%h, 0)", "f32[1,2,3,4]");
  row("%r : f32[2,3,4] = aten.squeeze.dim(%h, 1)", "f32[2,3,4]");
  row("%r : f32[1,2,3,4] = aten.transpose.int(%h, 0, 1)", "f32[3,2,4]");
  row("%r : f32[1,2,4] = aten.permute.default(%h, [1, 0, 2])", "f32[3,2,4]");
  row("%r : f32[3,8] = aten.reshape.default(%h, [3, -1])", "f32[3,8]");
  row("%r : f32[2,3] = aten.flatten.using_ints(%h, 1, -1)", "f32[2,12]");
  row("%r : f32[4,1,3,4] = aten.cat.default({%h, %h}, 0)", "f32[4,3,4]");
  row("%r : f32[2,1,3,7] = aten.linear.default(%h, %w, none)", "f32[2,3,7]");
  row("%r : f32[2,1,3,4] = aten.add.Tensor(%h, %s, 1)", "f32[2,3,4]");
  row("%r : f32[2,3,4] = aten.mean.dim(%h, [1], false, none)", "f32[2,4]");
  row("%r : f32[2,1,1,4] = aten.sum.dim_IntList(%h, [-2], true, none)", "f32[2,1,4]");
  row("%r : f32[] = aten.sum.default(%h, none)", "f32[]");
  // As a classifier of the last state of both directions has it.
  row("%a : f32[1,3,4] = aten.select.int(%h, 0, 0)\n  %b : f32[1,3,4] = aten.select.int(%h, 0, 1)\n"
      "  %r : f32[1,6,4] = aten.cat.default({%a, %b}, 1)",
      "f32[3,8]");
}

void TestRecordedShapes::follows() {
  QFETCH(QString, body);
  QFETCH(QString, type);
  const auto graph = graphWith(body.toStdString());
  correctRecordedShapes(*graph, "2.7.1", Context{silentProgress(), {}});
  QCOMPARE(QString::fromStdString(resultOf(*graph)), type);
  const ir::Node& lstm = *graph->nodes().front();
  QCOMPARE(lstm.output(1)->type().text(), std::string("f32[2,3,4]"));
  QCOMPARE(lstm.output(2)->type().text(), std::string("f32[2,3,4]"));
}

void TestRecordedShapes::leavesRightGraphsAlone() {
  const auto graph = ir::parse(
      "graph forward {\n  input %x : f32[5,3,6]\n  input %s : f32[2,3,4]\n"
      "  %y : f32[5,3,4], %h : f32[2,3,4], %c : f32[2,3,4] = "
      "aten.lstm.input(%x, {%s, %s}, {%s}, true, 2, 0.0, false, false, false)\n"
      "  %r : f32[9] = aten.nonzero.default(%h)\n  return (%y, %r)\n}\n");
  const std::string before = ir::print(*graph);
  correctRecordedShapes(*graph, "2.13.0", Context{silentProgress(), {}});
  QCOMPARE(ir::print(*graph), before);
}

void TestRecordedShapes::refusesWhatItCannotTell_data() {
  QTest::addColumn<QString>("body");
  const auto row = [](const char* body) { QTest::newRow(body) << body; };
  row("%r : f32[2,1,3,4] = aten.sort.default(%h, -1, false)");
  row("%r : f32[1,3,4] = aten.select.int(%h, 3, 0)");  // the last dimension is no more
  row("%r : f32[5] = aten.view.default(%h, [5])");
  row("%r : f32[5] = aten.view.default(%h, [9223372036854775807, 9223372036854775807])");
  row("%r : f32[2,1,3,4] = aten.add.Tensor(%h, %x, 1)");
}

void TestRecordedShapes::refusesWhatItCannotTell() {
  QFETCH(QString, body);
  const auto graph = graphWith(body.toStdString());
  const auto diagnostic = errorOf([&] {
    correctRecordedShapes(*graph, "2.7.1", Context{silentProgress(), {}});
    return 0;
  });
  QVERIFY(diagnostic && diagnostic->code == Code::ShapeUnsupported && !diagnostic->fixes.empty());
  for (const char* words : {"torch 2.7.1", "f32[2,1,3,4] for f32[2,3,4]"})
    QVERIFY2(diagnostic->message.find(words) != std::string::npos, diagnostic->message.c_str());
}

void TestRecordedShapes::warnsOfReshapes() {
  Log log;
  const auto graph = graphWith("%r : f32[1,24] = aten.reshape.default(%h, [1, -1])");
  correctRecordedShapes(*graph, "2.7.1", Context{log, {}});
  QVERIFY2(log.lines.find("torch 2.9 or later") != std::string::npos, log.lines.c_str());
}

QTEST_APPLESS_MAIN(TestRecordedShapes)
#include "tst_recorded_shapes.moc"
