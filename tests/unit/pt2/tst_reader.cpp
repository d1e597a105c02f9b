// Exported programs: what the graph gets of them, and how each defect is told.
#include <QTest>
#include <cmath>
#include <cstring>

#include "pt2/reader.h"
#include "support/errors.h"
#include "support/files.h"
#include "unit/pt2/program_builder.h"

using namespace exportdeck;
using namespace exportdeck::tests;

namespace {

constexpr const char* kWeightArgument = R"({"as_tensor": {"name": "p_w"}}, "kind": 1}])";

pt2::ExportedProgram readFile(const std::string& path) {
  return pt2::readProgram(path, Context{silentProgress(), {}});
}

std::vector<float> floats(const ir::ConstantPtr& constant) {
  const Bytes bytes = constant->data->materialise();
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class TestReader : public QObject {
  Q_OBJECT

 private slots:
  void readsTheSmallProgram();
  void readsDeflatedArchives();
  void readsFixedInputs();
  void readsConstantAndRepeatedOutputs();
  void readsChanges();
  void readsSymbolicSizes();
  void keepsUnknownOperators();
  void keepsSubGraphsAsText();
  void readsRegionsInPlace();
  void keepsAutocastRegions();
  void refusesBrokenRegions();
  void recordsInputStrides();
  void gathersViews();
  void sharesTiedWeights();
  void unusedWeightsNeedNoRecord();
  void refusesDefects_data();
  void refusesDefects();
  void namesThePlaceOfADefect();
  void refusesOlderLayouts();
  void stopsWhenAsked();

 private:
  pt2::ExportedProgram read(const ProgramBuilder& builder) {
    return readFile(folder_.write("net.pt2", builder.archive()));
  }
  std::optional<Diagnostic> errorFrom(const ProgramBuilder& builder) {
    return errorOf([&] { return read(builder); });
  }
  TemporaryFolder folder_;
};

void TestReader::readsTheSmallProgram() {
  const auto program = read(ProgramBuilder());
  QCOMPARE(program.torchVersion, std::string("2.13.0+cpu"));
  QCOMPARE(program.schemaMajor, 8);
  QCOMPARE(program.schemaMinor, 20);
  QCOMPARE(program.dialect, std::string("TRAINING"));
  QCOMPARE(program.parameterCount, uint64_t{6});
  QCOMPARE(program.parameterBytes, uint64_t{24});
  QCOMPARE(program.operatorCounts.at("aten.add.Tensor"), 1);
  const ir::Graph& graph = *program.graph;
  ir::verify(graph);
  QCOMPARE(graph.inputs().size(), size_t{1});
  QCOMPARE(graph.inputs()[0].name, std::string("x"));
  QCOMPARE(graph.inputs()[0].value->type().text(), std::string("f32[2,3]"));
  QCOMPARE(graph.containers.input, std::string("[1, IN]"));
  QCOMPARE(graph.containers.output, std::string("[1, OUT]"));

  const ir::Node& node = *graph.nodes().front();
  QCOMPARE(node.op(), std::string("aten.add.Tensor"));
  QCOMPARE(node.argCount(), size_t{3});  // alpha has its default
  QCOMPARE(node.intArg(2), int64_t{1});
  QCOMPARE(node.value(1)->constant()->name, std::string("w"));
  QCOMPARE(floats(node.value(1)->constant()), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  QVERIFY(node.value(1)->constant()->data->fileRange().has_value());
  QCOMPARE(node.origin().sourceFile, std::string("/home/me/model.py"));
  QCOMPARE(node.origin().sourceLine, 12);
  QCOMPARE(node.origin().sourceText, std::string("return x + self.w"));
  QCOMPARE(node.origin().modulePath, std::string("head"));
  QCOMPARE(node.origin().moduleType, std::string("model.Head"));
  QCOMPARE(node.origin().node, std::string("add"));
}

void TestReader::readsDeflatedArchives() {
  const auto program = readFile(repositoryFile("tests/cases/x01_deflated_archive/model.pt2"));
  ir::verify(*program.graph);
  QCOMPARE(program.parameterCount, uint64_t{365});
  for (const ir::Value* constant : program.graph->constants()) {
    QCOMPARE(uint64_t{constant->constant()->data->materialise().size()}, constant->type().bytes());
  }
}

void TestReader::readsFixedInputs() {
  const auto program = readFile(repositoryFile("tests/cases/input_scalar_float_int/model.pt2"));
  const auto& inputs = program.graph->inputs();
  QCOMPARE(inputs.size(), size_t{3});
  QVERIFY(inputs[0].value != nullptr);
  QCOMPARE(inputs[1].name, std::string("a"));
  QVERIFY(inputs[1].value == nullptr && std::get<double>(inputs[1].fixed) == 2.5);
  QVERIFY(inputs[2].value == nullptr && std::get<int64_t>(inputs[2].fixed) == 3);
}

void TestReader::readsConstantAndRepeatedOutputs() {
  ProgramBuilder builder;
  builder.program =
      replaced(builder.program, R"("output_specs": [)",
               R"("output_specs": [{"user_output": {"arg": {"as_none": true}}}, {"user_output": {"arg": {"as_int": 5}}},
                             {"user_output": {"arg": {"as_tensor": {"name": "x"}}}}, {"user_output": {"arg": {"as_tensor": {"name": "p_w"}}}},
                             {"user_output": {"arg": {"as_float": "-Infinity"}}}, {"user_output": {"arg": {"as_tensor": {"name": "add"}}}}, )");
  const auto program = read(builder);
  const auto& outputs = program.graph->outputs();
  QCOMPARE(outputs.size(), size_t{7});
  QVERIFY(std::holds_alternative<ir::None>(outputs[0]));
  QCOMPARE(std::get<int64_t>(outputs[1]), int64_t{5});
  QVERIFY(std::get<ir::Value*>(outputs[2])->isInput());
  QVERIFY(std::get<ir::Value*>(outputs[3])->isConstant());
  QVERIFY(std::isinf(std::get<double>(outputs[4])));
  QCOMPARE(std::get<ir::Value*>(outputs[5]), std::get<ir::Value*>(outputs[6]));
}

// Programs that are functional already give what they change as further outputs.
void TestReader::readsChanges() {
  ProgramBuilder builder;
  builder.program =
      replaced(builder.program, R"({"user_output": {"arg")",
               R"({"user_input_mutation": {"arg": {"name": "add"}, "user_input_name": "x"}}, {"user_output": {"arg")");
  const auto input = read(builder);
  QCOMPARE(input.graph->outputs().size(), size_t{1});
  QCOMPARE(input.graph->updates().size(), size_t{1});
  QVERIFY(input.graph->updates()[0].target->isInput());
  QCOMPARE(input.graph->updates()[0].value, std::get<ir::Value*>(input.graph->outputs()[0]));

  builder.program =
      replaced(builder.program, R"("user_input_mutation": {"arg": {"name": "add"}, "user_input_name": "x")",
               R"("parameter_mutation": {"arg": {"name": "add"}, "parameter_name": "w")");
  const auto state = read(builder);
  QVERIFY(state.graph->constants().empty());
  QVERIFY(state.graph->updates().at(0).target->isState());
  QCOMPARE(state.graph->states().at(0)->initial()->name, std::string("w"));
}

void TestReader::readsSymbolicSizes() {
  ProgramBuilder builder;
  const std::string symbol = "Symbol('s7', positive=True, integer=True)";
  const std::string plain = R"({"as_expr": {"expr_str": ")" + symbol + R"(", "hint": {"as_int": 4}}})";
  const std::string twice = R"({"as_expr": {"expr_str": "Mul(Integer(2), )" + symbol + R"J()", "hint": null}})J";
  builder.program = replaced(builder.program, R"("x": )" + tensorMeta(ints({2, 3}), ints({3, 1})),
                             R"("x": )" + tensorMeta(twice + ", " + plain, plain + R"(, {"as_int": 1})"));
  builder.program = replaced(builder.program, R"("range_constraints": {})",
                             R"("range_constraints": {"s7": {"min_val": 2, "max_val": null}})");
  const auto program = read(builder);
  const auto& type = program.graph->inputs()[0].value->type();
  QVERIFY(!type.isStatic());
  QCOMPARE(type.shape[0].expr()->text, std::string("2*s7"));
  QCOMPARE(type.shape[1].expr()->text, std::string("s7"));
  QCOMPARE(type.shape[1].expr()->lower, std::optional<int64_t>(2));
  QVERIFY(!type.shape[1].expr()->upper);
}

void TestReader::keepsUnknownOperators() {
  ProgramBuilder builder;
  builder.program = replaced(builder.program, "torch.ops.aten.add.Tensor", "torch.ops.mylib.frobnicate.default");
  const auto program = read(builder);
  const ir::Node& node = *program.graph->nodes().front();
  QCOMPARE(node.op(), std::string("mylib.frobnicate.default"));
  QCOMPARE(node.argCount(), size_t{2});
  QCOMPARE(node.origin().sourceLine, 12);
}

void TestReader::keepsSubGraphsAsText() {
  ProgramBuilder builder;
  builder.program = replaced(builder.program, "torch.ops.aten.add.Tensor", "torch.ops.higher_order.cond");
  builder.program =
      replaced(builder.program, kWeightArgument,
               std::string(kWeightArgument).substr(0, strlen(kWeightArgument) - 1) +
                   R"(, {"name": "", "arg": {"as_graph": {"name": "true_graph_0", "graph": {}}}, "kind": 1}])");
  const auto program = read(builder);
  const ir::Node& node = *program.graph->nodes().front();
  QCOMPARE(node.op(), std::string("higher_order.cond"));
  QCOMPARE(std::get<ir::Opaque>(node.args()[2]).text, std::string("graph true_graph_0"));
}

namespace {

// y = x + w inside a region that `head` (the inputs before the graph) describes. Inside, names are used anew.
ProgramBuilder regionProgram(const std::string& op, const std::string& head, const std::string& operands) {
  const std::string meta = tensorMeta(ints({2, 3}), ints({3, 1}));
  const std::string region =
      R"({"inputs": [{"as_tensor": {"name": "x"}}, {"as_tensor": {"name": "p_w"}}], "outputs": [{"as_tensor": {"name": "mul"}}],
      "nodes": [{"target": "torch.ops.aten.mul.Tensor", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1},
        {"name": "other", "arg": {"as_tensor": {"name": "x"}}, "kind": 1}], "outputs": [{"as_tensor": {"name": "mul"}}],
        "metadata": {}, "name": "mul"}],
      "tensor_values": {"x": )" +
      meta + R"(, "p_w": )" + meta + R"(, "mul": )" + meta + "}}";
  ProgramBuilder builder;
  builder.program = replaced(builder.program, "torch.ops.aten.add.Tensor", "torch.ops.higher_order." + op);
  const auto from = builder.program.find(R"("inputs": [{"name": "self")");
  const auto to = builder.program.find(kWeightArgument) + strlen(kWeightArgument);
  builder.program.replace(from, to - from,
                          R"("inputs": [)" + head +
                              R"({"name": "", "arg": {"as_graph": {"name": "submod_1", "graph": )" + region +
                              R"(}}, "kind": 1})" + operands + "]");
  return builder;
}

constexpr const char* kRegionOperands =
    R"(, {"name": "", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1}, {"name": "", "arg": {"as_tensor": {"name": "x"}}, "kind": 1})";
constexpr const char* kGradOff = R"({"name": "", "arg": {"as_bool": false}, "kind": 1}, )";

std::string autocastHead(bool enabled) {
  return R"({"name": "", "arg": {"as_string": "cpu"}, "kind": 1}, {"name": "", "arg": {"as_scalar_type": 13}, "kind": 1},
    {"name": "", "arg": {"as_bool": )" +
         std::string(enabled ? "true" : "false") +
         R"(}, "kind": 1}, {"name": "", "arg": {"as_bool": true}, "kind": 1}, )";
}

}  // namespace

void TestReader::readsRegionsInPlace() {
  for (const ProgramBuilder& builder : {regionProgram("wrap_with_set_grad_enabled", kGradOff, kRegionOperands),
                                        regionProgram("wrap_with_autocast", autocastHead(false), kRegionOperands)}) {
    const auto program = read(builder);
    ir::verify(*program.graph);
    QCOMPARE(program.graph->nodes().size(), size_t{1});
    const ir::Node& node = *program.graph->nodes().front();
    QCOMPARE(node.op(), std::string("aten.mul.Tensor"));
    // The region calls its first operand x and its second p_w.
    QVERIFY(node.value(0)->isInput());
    QVERIFY(node.value(1)->isConstant());
    QCOMPARE(std::get<ir::Value*>(program.graph->outputs()[0]), node.output());
    QCOMPARE(program.operatorCounts.size(), size_t{1});
  }
}

void TestReader::keepsAutocastRegions() {
  const auto program = read(regionProgram("wrap_with_autocast", autocastHead(true), kRegionOperands));
  QCOMPARE(program.graph->nodes().front()->op(), std::string("higher_order.wrap_with_autocast"));
}

void TestReader::refusesBrokenRegions() {
  const auto missing = errorFrom(regionProgram("wrap_with_set_grad_enabled", kGradOff, ""));
  QVERIFY(missing && missing->code == Code::GraphInvalid);
  QVERIFY2(contains(missing->message, "operands"), missing->message.c_str());
  const auto noGraph =
      errorFrom(regionProgram("wrap_with_set_grad_enabled", std::string(kGradOff) + kGradOff, kRegionOperands));
  QVERIFY(noGraph && noGraph->code == Code::GraphInvalid);
  QVERIFY2(contains(noGraph->message, "no graph"), noGraph->message.c_str());
}

void TestReader::recordsInputStrides() {
  ProgramBuilder builder;
  builder.program = replaced(builder.program, R"("x": )" + tensorMeta(ints({2, 3}), ints({3, 1})),
                             R"("x": )" + tensorMeta(ints({2, 3}), ints({1, 2})));
  QCOMPARE(read(builder).graph->inputs()[0].value->type().strides, (ir::Sizes{1, 2}));
}

void TestReader::gathersViews() {
  struct View {
    std::vector<int> strides;
    int offset;
    std::vector<float> want;
  };
  for (const View& view : {View{{1, 2}, 0, {0, 2, 4, 1, 3, 5}}, View{{3, 1}, 4, {4, 5, 6, 7, 8, 9}},
                           View{{0, 1}, 2, {2, 3, 4, 2, 3, 4}}, View{{6, 2}, 1, {1, 3, 5, 7, 9, 11}}}) {
    ProgramBuilder builder;
    builder.records[0].second = rawFloats({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    builder.weights = replaced(builder.weights, tensorMeta(ints({2, 3}), ints({3, 1})),
                               tensorMeta(ints({2, 3}), ints(view.strides), view.offset));
    const auto program = read(builder);
    const auto constant = program.graph->constants().front()->constant();
    QCOMPARE(floats(constant), view.want);
    QCOMPARE(constant->data->size(), uint64_t{24});
    QVERIFY(constant->type.strides.empty());
  }
}

void TestReader::sharesTiedWeights() {
  ProgramBuilder builder;
  const std::string spec = R"({"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}})";
  builder.program =
      replaced(builder.program, spec, spec + R"(, {"parameter": {"arg": {"name": "p_v"}, "parameter_name": "v"}})");
  builder.program =
      replaced(builder.program, R"("x": {)", R"("p_v": )" + tensorMeta(ints({2, 3}), ints({3, 1})) + R"(, "x": {)");
  builder.program = replaced(builder.program, R"("arg": {"as_tensor": {"name": "x"}}, "kind": 1)",
                             R"("arg": {"as_tensor": {"name": "p_v"}}, "kind": 1)");
  const std::string weight = builder.weights.substr(std::string(R"({"config": {"w": )").size());
  builder.weights =
      replaced(builder.weights, R"({"config": {)", R"({"config": {"v": )" + weight.substr(0, weight.size() - 2) + ", ");
  const auto program = read(builder);
  const auto constants = program.graph->constants();
  QCOMPARE(constants.size(), size_t{2});
  QCOMPARE(constants[0]->constant()->data.get(), constants[1]->constant()->data.get());
  QCOMPARE(program.parameterCount, uint64_t{6});
}

void TestReader::unusedWeightsNeedNoRecord() {
  ProgramBuilder builder;
  builder.records.clear();
  builder.program = replaced(builder.program, kWeightArgument, R"({"as_float": 1.5}, "kind": 1}])");
  QVERIFY(read(builder).graph->constants().empty());
}

void TestReader::refusesDefects_data() {
  QTest::addColumn<QString>("from");
  QTest::addColumn<QString>("to");
  QTest::addColumn<QString>("code");
  QTest::addColumn<QString>("words");
  const QString meta = QString::fromStdString(tensorMeta(ints({2, 3}), ints({3, 1})));
  const auto metaWith = [](const std::string& sizes, const std::string& strides, int offset = 0, int dtype = 7) {
    return QString::fromStdString(tensorMeta(sizes, strides, offset, dtype));
  };
  const auto row = [](const char* name, const QString& from, const QString& to, const char* code, const char* words) {
    QTest::newRow(name) << from << to << code << words;
  };
  row("schema major", R"("major": 8)", R"("major": 9)", "archive.format", "9.20");
  row("no schema version", R"("schema_version")", R"("schema")", "graph.invalid", "schema_version is missing");
  row("text for a number", R"("major": 8)", R"("major": "8")", "graph.invalid", "64-bit integer");
  row("no JSON", R"({"graph_module")", R"({graph_module)", "archive.format", "not valid JSON");
  row("no object", R"({"graph_module")", R"([{"graph_module")", "archive.format", "not valid JSON");
  row("no graph", R"("graph":)", R"("grpah":)", "graph.invalid", "graph is missing");
  row("nodes are no list", R"("nodes": [)", R"("nodes": 3, "other": [)", "graph.invalid", "nodes is not a list");
  row("undefined operand", R"({"as_tensor": {"name": "p_w"}}, "kind": 1}])",
      R"({"as_tensor": {"name": "q"}}, "kind": 1}])", "graph.invalid", "q is read but nothing defines it");
  row("defined twice", R"("outputs": [{"as_tensor": {"name": "add"}}],
      "meta)",
      R"("outputs": [{"as_tensor": {"name": "x"}}], "meta)", "graph.invalid", "x is defined twice");
  row("two kinds in one union", R"({"as_tensor": {"name": "p_w"}}, "kind": 1}])",
      R"({"as_tensor": {"name": "p_w"}, "as_int": 1}, "kind": 1}])", "graph.invalid", "exactly one key");
  row("unknown argument name", R"("name": "other")", R"("name": "another")", "graph.invalid", "another");
  row("unknown dtype", R"("x": )" + meta, R"("x": )" + metaWith(ints({2, 3}), ints({3, 1}), 0, 99), "dtype.unsupported",
      "99");
  row("negative size", R"("x": )" + meta, R"("x": )" + metaWith(ints({-2, 3}), ints({3, 1})), "graph.invalid",
      "negative size");
  row("sizes without strides", R"("x": )" + meta, R"("x": )" + metaWith(ints({2, 3}), ints({1})), "graph.invalid",
      "strides");
  row("too many elements", R"("x": )" + meta,
      R"("x": )" + metaWith(R"({"as_int": 4611686018427387904}, {"as_int": 4})", ints({3, 1})), "graph.invalid",
      "64-bit");
  row("weight of another shape", R"("p_w": )" + meta, R"("p_w": )" + metaWith(ints({3, 2}), ints({2, 1})),
      "graph.invalid", "f32[3,2]");
  row("sparse", R"("layout": 7}, "x")", R"("layout": 1}, "x")", "shape.unsupported", "sparse");
  row("changed buffer that is no input", R"({"user_output": {"arg")",
      R"({"buffer_mutation": {"arg": {"name": "add"}, "buffer_name": "cache"}}, {"user_output": {"arg")",
      "graph.invalid", "cache");
  const QString change = R"({"user_input_mutation": {"arg": {"name": "add"}, "user_input_name": "x"}}, )";
  row("input changed twice", R"({"user_output": {"arg")", change + change + R"({"user_output": {"arg")",
      "graph.invalid", "two values");
  row("change of another input", R"({"user_output": {"arg")",
      R"({"user_input_mutation": {"arg": {"name": "add"}, "user_input_name": "p_w"}}, {"user_output": {"arg")",
      "graph.invalid", "no input");
  row("loss", R"({"user_output": {"arg")", R"({"loss_output": {"arg")", "training-mode", "training");
  row("custom object", R"({"user_input": )",
      R"({"custom_obj": {"arg": {"name": "o", "class_fqn": "c"}, "custom_obj_name": "tok"}}, {"user_input": )",
      "operator.unsupported", "tok");
  row("token", R"({"user_input": )", R"({"token": {"arg": {"name": "t0"}}}, {"user_input": )", "operator.unsupported",
      "t0");
  row("unknown input kind", R"({"user_input": )", R"({"oracle": )", "graph.invalid", "oracle");
}

void TestReader::refusesDefects() {
  QFETCH(QString, from);
  QFETCH(QString, to);
  QFETCH(QString, code);
  QFETCH(QString, words);
  ProgramBuilder builder;
  builder.program = replaced(builder.program, from.toStdString(), to.toStdString());
  const auto diagnostic = errorFrom(builder);
  QVERIFY(diagnostic.has_value());
  QCOMPARE(QString(codeInfo(diagnostic->code).id), code);
  QVERIFY2(contains(diagnostic->message, words.toStdString()), diagnostic->message.c_str());
  QVERIFY(!diagnostic->fixes.empty());
}

void TestReader::namesThePlaceOfADefect() {
  ProgramBuilder builder;
  builder.records.clear();
  auto diagnostic = errorFrom(builder);
  QCOMPARE(diagnostic->code, Code::WeightsMissing);
  QVERIFY(contains(diagnostic->message, "data/weights/weight_0") && contains(diagnostic->message, "weight w"));
  QCOMPARE(diagnostic->where.op, std::string("aten.add.Tensor"));
  QCOMPARE(diagnostic->where.sourceLine, 12);
  QCOMPARE(diagnostic->where.modulePath, std::string("head"));

  builder.records = {{"data/weights/weight_0", rawFloats({0, 1, 2, 3, 4})}};
  diagnostic = errorFrom(builder);
  QCOMPARE(diagnostic->code, Code::WeightsTooShort);
  QVERIFY2(contains(diagnostic->message, "needs 24 bytes") && contains(diagnostic->message, "holds 20"),
           diagnostic->message.c_str());

  builder = {};
  builder.weights = R"({"config": {}})";
  diagnostic = errorFrom(builder);
  QCOMPARE(diagnostic->code, Code::WeightsMissing);

  builder = {};
  builder.weights = replaced(builder.weights, R"("use_pickle": false)", R"("use_pickle": true)");
  diagnostic = errorFrom(builder);
  QCOMPARE(diagnostic->code, Code::DtypeUnsupported);
  QVERIFY(contains(diagnostic->message, "tensor subclass"));

  builder = {};
  builder.weights =
      replaced(builder.weights, tensorMeta(ints({2, 3}), ints({3, 1})), tensorMeta(ints({2, 3}), ints({-3, 1})));
  QCOMPARE(errorFrom(builder)->code, Code::GraphInvalid);
}

void TestReader::refusesOlderLayouts() {
  const auto refuses = [&](ProgramBuilder builder, const std::string& words) {
    const auto diagnostic = errorFrom(builder);
    return diagnostic && diagnostic->code == Code::ArchiveFormat && contains(diagnostic->message, words) &&
           !diagnostic->fixes.empty();
  };
  ProgramBuilder builder;
  builder.format = "pt3";
  QVERIFY(refuses(builder, "\"pt3\""));
  builder = {};
  builder.version = "1";
  QVERIFY(refuses(builder, "archive version 1"));
  builder = {};
  builder.order = "big";
  QVERIFY(refuses(builder, "byte order big"));
  builder = {};
  builder.records.emplace_back("data/weights/model.pt", "PK");
  QVERIFY(refuses(builder, "twice"));

  ZipBuilder flat;
  flat.add("version", "5.3");
  flat.add("serialized_exported_program.json", "{}");
  auto diagnostic = errorOf([&] { return readFile(folder_.write("flat.pt2", flat.finish())); });
  QVERIFY(diagnostic && diagnostic->code == Code::ArchiveFormat && contains(diagnostic->message, "5.3"));

  ZipBuilder checkpoint;
  checkpoint.add("archive/data.pkl", "x");
  diagnostic = errorOf([&] { return readFile(folder_.write("checkpoint.pt2", checkpoint.finish())); });
  QVERIFY(diagnostic && diagnostic->code == Code::ArchiveFormat && contains(diagnostic->message, "checkpoint"));
}

void TestReader::stopsWhenAsked() {
  std::stop_source stop;
  stop.request_stop();
  const auto path = folder_.write("stop.pt2", ProgramBuilder().archive());
  QCOMPARE(errorCode([&] { return pt2::readProgram(path, Context{silentProgress(), stop.get_token()}); }),
           std::string("cancelled"));
}

QTEST_APPLESS_MAIN(TestReader)
#include "tst_reader.moc"
