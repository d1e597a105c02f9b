// Archives of torch 2.5 to 2.8: the same graph as from the newer layout, and how each defect of a torch.save part is
// told.
#include <QTest>
#include <cstring>

#include "pt2/infix.h"
#include "pt2/pickle.h"
#include "pt2/reader.h"
#include "pt2/tensor_meta.h"
#include "support/errors.h"
#include "support/files.h"
#include "unit/pt2/program_builder.h"
#include "unit/pt2/torch_save_builder.h"

using namespace exportdeck;
using namespace exportdeck::tests;

namespace {

using pickle::Tensor;

enum class Form { Flat, FlatDeflated, Nested, NestedDeflated };

// y = x + w of ProgramBuilder, as older releases saved it.
struct OlderBuilder {
  std::string program, version = "8.7";
  TorchSaveBuilder weights, constants;
  Form form = Form::Flat;

  OlderBuilder() {
    program = replaced(ProgramBuilder().program, R"("is_hop_single_tensor_return": null, "name": "add")",
                       R"("is_hop_single_tensor_return": null)");
    weights.pickled = dictOf({{"w", Tensor{{2, 3}, {3, 1}, 6}}});
    weights.storages = {{"0", rawFloats({0, 1, 2, 3, 4, 5})}};
  }

  static std::string dictOf(const std::vector<std::pair<std::string, Tensor>>& tensors) {
    std::vector<std::pair<std::string, std::string>> items;
    for (const auto& [name, tensor] : tensors) items.emplace_back(name, pickle::parameter(pickle::tensor(tensor)));
    return pickle::whole(pickle::dict(items));
  }

  std::string archive() const { return archiveOf(weights.zip()); }
  std::string archiveOf(const std::string& weightsPart) const {
    const std::string minor = version.substr(2);
    std::string json = replaced(program, R"("major": 8, "minor": 20)",
                                R"("major": )" + version.substr(0, 1) + R"(, "minor": )" + minor);
    ZipBuilder zip;
    const auto part = [&](const std::string& name, const std::string& content) {
      const bool isDeflated = form == Form::FlatDeflated || form == Form::NestedDeflated;
      if (isDeflated) {
        zip.addDeflated(name, content);
      } else {
        zip.add(name, content);
      }
    };
    if (form == Form::Flat || form == Form::FlatDeflated) {
      part("serialized_exported_program.json", json);
      part("serialized_state_dict.pt", weightsPart);
      part("serialized_constants.pt", constants.zip());
      part("serialized_example_inputs.pt", "");
      part("version", version);
    } else {
      part("model/models/model.json", json);
      part("model/data/weights/model.pt", weightsPart);
      part("model/data/constants/model.pt", constants.zip());
      part("model/archive_format", "pt2");
      part("model/archive_version", "0");
      part("model/byteorder", "little");
    }
    return zip.finish();
  }
};

pt2::ExportedProgram readFile(const std::string& path) {
  return pt2::readProgram(path, Context{silentProgress(), {}});
}

std::vector<float> floats(const ir::ConstantPtr& constant) {
  const Bytes bytes = constant->data->materialise();
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::string refusal(const std::string& pickled) {
  try {
    pt2::Unpickler(std::as_bytes(std::span(pickled))).load();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

std::string repeated(const std::string& text, size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  while (count-- > 0) out += text;
  return out;
}

}  // namespace

class TestOlderArchives : public QObject {
  Q_OBJECT

 private slots:
  void giveTheSameGraph_data();
  void giveTheSameGraph();
  void readsRealFiles_data();
  void readsRealFiles();
  void readsRealRanges();
  void readsWeightsInPlace();
  void gathersViews();
  void keepsTiedWeightsTied();
  void readsOneNameTwice();
  void readsWhatTorchWrapsTensorsIn();
  void readsOtherDTypes();
  void readsConstants();
  void readsNumbersThatAreNoJson();
  void readsInfixExpressions_data();
  void readsInfixExpressions();
  void readsNoneOfSchema7();
  void refusesOtherSchemas();
  void refusesDefects_data();
  void refusesDefects();
  void refusesTruncatedParts();
  void boundsPickles();

 private:
  pt2::ExportedProgram read(const OlderBuilder& builder) {
    return readFile(folder_.write("net.pt2", builder.archive()));
  }
  TemporaryFolder folder_;
};

void TestOlderArchives::giveTheSameGraph_data() {
  QTest::addColumn<int>("form");
  QTest::addColumn<QString>("version");
  const auto row = [](const char* name, Form form, const char* version) {
    QTest::newRow(name) << static_cast<int>(form) << version;
  };
  row("torch 2.5", Form::Flat, "7.3");
  row("torch 2.6", Form::Flat, "8.2");
  row("torch 2.7", Form::Flat, "8.7");
  row("torch 2.8", Form::Nested, "8.8");
  row("torch 2.7, packed again", Form::FlatDeflated, "8.7");
  row("torch 2.8, packed again", Form::NestedDeflated, "8.8");
}

void TestOlderArchives::giveTheSameGraph() {
  QFETCH(int, form);
  QFETCH(QString, version);
  OlderBuilder builder;
  builder.form = static_cast<Form>(form);
  builder.version = version.toStdString();
  const auto newer = readFile(folder_.write("newer.pt2", ProgramBuilder().archive()));
  const auto program = read(builder);
  ir::verify(*program.graph);
  QCOMPARE(ir::print(*program.graph), ir::print(*newer.graph));
  QCOMPARE(floats(program.graph->constants().front()->constant()), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  QCOMPARE(program.parameterCount, uint64_t{6});
  QCOMPARE(program.graph->containers.input, std::string("[1, IN]"));
  QCOMPARE(program.graph->nodes().front()->origin().node, std::string("add"));
}

void TestOlderArchives::readsRealFiles_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("torch");
  QTest::addColumn<int>("parameters");
  QTest::newRow("2.5") << "v2.5.1_attn" << "2.5.1+cu124" << 1088;
  QTest::newRow("2.6") << "v2.6.0_tied" << "2.6.0+cu124" << 944;
  QTest::newRow("2.7") << "v2.7.1_lstm" << "2.7.1+cu126" << 1644;
  QTest::newRow("2.8") << "v2.8.0_mlp" << "2.8.0+cu128" << 797;
}

void TestOlderArchives::readsRealFiles() {
  QFETCH(QString, name);
  QFETCH(QString, torch);
  QFETCH(int, parameters);
  const std::string folder = repositoryFile("tests/cases/" + name.toStdString());
  const auto program = readFile(folder + "/model.pt2");
  ir::verify(*program.graph);
  QCOMPARE(QString::fromStdString(program.torchVersion), torch);
  QCOMPARE(program.parameterCount, static_cast<uint64_t>(parameters));
  const auto inputs = pt2::readSampleInputs(*pt2::Archive::open(folder + "/model.pt2"));
  QCOMPARE(inputs.why, std::string());
  QCOMPARE(inputs.tensors.size(), size_t{1});
  QCOMPARE(inputs.tensors[0]->data->size(), uint64_t{readBytes(folder + "/input_0.bin").size()});
}

void TestOlderArchives::readsRealRanges() {
  const auto program = readFile(repositoryFile("tests/cases/v2.8.0_dyn_batch/model.pt2"));
  const auto* symbol = program.graph->inputs()[0].value->type().shape[0].expr();
  QVERIFY(symbol != nullptr);
  QCOMPARE(symbol->text, std::string("s77"));
  QCOMPARE(symbol->upper, std::optional<int64_t>(8));
}

void TestOlderArchives::readsWeightsInPlace() {
  for (const Form form : {Form::Flat, Form::Nested}) {
    OlderBuilder builder;
    builder.form = form;
    const auto program = read(builder);
    const auto range = program.graph->constants().front()->constant()->data->fileRange();
    QVERIFY(range.has_value());
    QCOMPARE(range->file->path(), folder_.file("net.pt2"));
    QCOMPARE(readText(range->file->path()).substr(range->offset, range->size), rawFloats({0, 1, 2, 3, 4, 5}));
  }
}

void TestOlderArchives::gathersViews() {
  OlderBuilder builder;
  builder.weights.storages = {{"0", rawFloats({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})}};
  builder.weights.pickled = OlderBuilder::dictOf({{"w", Tensor{{2, 3}, {1, 2}, 12, "0", 4}}});
  QCOMPARE(floats(read(builder).graph->constants().front()->constant()), (std::vector<float>{4, 6, 8, 5, 7, 9}));
}

void TestOlderArchives::keepsTiedWeightsTied() {
  OlderBuilder builder;
  const std::string meta = tensorMeta(ints({2, 3}), ints({3, 1}));
  const std::string spec = R"({"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}})";
  builder.program =
      replaced(builder.program, spec, spec + R"(, {"parameter": {"arg": {"name": "p_v"}, "parameter_name": "v"}})");
  builder.program = replaced(builder.program, R"("x": {)", R"("p_v": )" + meta + R"(, "x": {)");
  builder.program = replaced(builder.program, R"("arg": {"as_tensor": {"name": "x"}}, "kind": 1)",
                             R"("arg": {"as_tensor": {"name": "p_v"}}, "kind": 1)");
  const std::string parameter = pickle::parameter(pickle::tensor({{2, 3}, {3, 1}, 6}));
  builder.weights.pickled = pickle::whole(pickle::dict({{"w", parameter + pickle::put(7)}, {"v", pickle::get(7)}}));
  const auto program = read(builder);
  const auto constants = program.graph->constants();
  QCOMPARE(constants.size(), size_t{2});
  QCOMPARE(constants[0]->constant()->data.get(), constants[1]->constant()->data.get());
  QCOMPARE(program.parameterCount, uint64_t{6});
}

// Strict export of torch 2.6 and 2.7 gives tied weights one name.
void TestOlderArchives::readsOneNameTwice() {
  OlderBuilder builder;
  const std::string meta = tensorMeta(ints({2, 3}), ints({3, 1}));
  const std::string spec = R"({"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}})";
  builder.program =
      replaced(builder.program, spec, spec + R"(, {"parameter": {"arg": {"name": "p_v"}, "parameter_name": "w"}})");
  builder.program = replaced(builder.program, R"("x": {)", R"("p_v": )" + meta + R"(, "x": {)");
  builder.program = replaced(builder.program, R"("arg": {"as_tensor": {"name": "x"}}, "kind": 1)",
                             R"("arg": {"as_tensor": {"name": "p_v"}}, "kind": 1)");
  const auto program = read(builder);
  ir::verify(*program.graph);
  const ir::Node& node = *program.graph->nodes().front();
  QCOMPARE(node.value(0), node.value(1));
}

void TestOlderArchives::readsWhatTorchWrapsTensorsIn() {
  using namespace pickle;
  const Tensor plain{{2, 3}, {3, 1}, 6};
  const std::string state = dict({{"note", text("hello")}});
  const std::string withState =
      call(global("torch._utils", "_rebuild_parameter_with_state"), {tensor(plain), "\x88", orderedDict(), state});
  const std::string attributed = call(
      global("torch._tensor", "_rebuild_from_type_v2"),
      {global("torch._utils", "_rebuild_tensor_v2"), global("torch", "Tensor"),
       tuple({storage(plain), integer(0), pickle::ints({2, 3}), pickle::ints({3, 1}), "\x89", orderedDict()}), state});
  const std::string ordered = orderedDict() + "(" + text("w") + tensor(plain) + "u}(" + text("_metadata") + "Nub";
  for (const std::string& value : {dict({{"w", withState}}), dict({{"w", attributed}}), ordered}) {
    OlderBuilder builder;
    builder.weights.pickled = whole(value);
    QCOMPARE(floats(read(builder).graph->constants().front()->constant()), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  }
}

void TestOlderArchives::readsOtherDTypes() {
  using namespace pickle;
  OlderBuilder builder;
  const std::string meta = tensorMeta(tests::ints({2, 3}), tests::ints({3, 1}));
  builder.program = replaced(builder.program, R"("p_w": )" + meta,
                             R"("p_w": )" + tensorMeta(tests::ints({2, 3}), tests::ints({3, 1}), 0, 28));
  const std::string untyped =
      tuple({text("storage"), global("torch.storage", "UntypedStorage"), text("0"), text("cpu"), integer(24)}) + "Q";
  builder.weights.pickled = whole(dict({{"w", call(global("torch._utils", "_rebuild_tensor_v3"),
                                                   {untyped, integer(2), pickle::ints({2, 3}), pickle::ints({3, 1}),
                                                    "\x89", orderedDict(), global("torch", "uint16")})}}));
  builder.weights.storages = {{"0", std::string(4, '\0') + std::string("\1\0\2\0\3\0\4\0\5\0\6\0", 12) + "padding!"}};
  const auto constant = read(builder).graph->constants().front()->constant();
  QCOMPARE(constant->type.text(), std::string("u16[2,3]"));
  const Bytes bytes = constant->data->materialise();
  QCOMPARE(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
           std::string("\1\0\2\0\3\0\4\0\5\0\6\0", 12));
}

void TestOlderArchives::readsConstants() {
  OlderBuilder builder;
  std::swap(builder.weights, builder.constants);
  builder.program = replaced(builder.program, R"({"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}})",
                             R"({"tensor_constant": {"arg": {"name": "p_w"}, "tensor_constant_name": "w"}})");
  const auto program = read(builder);
  QCOMPARE(floats(program.graph->constants().front()->constant()), (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

// torch 2.5 and 2.6 write Python's words for non-finite numbers.
void TestOlderArchives::readsNumbersThatAreNoJson() {
  OlderBuilder builder;
  builder.program = replaced(builder.program, R"("output_specs": [)",
                             R"("output_specs": [{"user_output": {"arg": {"as_float": -Infinity}}},
      {"user_output": {"arg": {"as_float": NaN}}}, {"user_output": {"arg": {"as_string": "to \"Infinity\" and NaN"}}}, )");
  const std::string size = R"({"as_expr": {"expr_str": "s0", "hint": null}})";
  builder.program = replaced(builder.program, R"("x": )" + tensorMeta(ints({2, 3}), ints({3, 1})),
                             R"("x": )" + tensorMeta(size + R"(, {"as_int": 3})", ints({3, 1})));
  builder.program = replaced(builder.program, R"("range_constraints": {})",
                             R"("range_constraints": {"s0": {"min_val": 2, "max_val": Infinity}})");
  const auto program = read(builder);
  const auto& outputs = program.graph->outputs();
  QVERIFY(std::get<double>(outputs[0]) < -1e308);
  QVERIFY(std::get<double>(outputs[1]) != std::get<double>(outputs[1]));
  QCOMPARE(std::get<std::string>(outputs[2]), std::string("to \"Infinity\" and NaN"));
  const auto* symbol = program.graph->inputs()[0].value->type().shape[0].expr();
  QVERIFY(symbol != nullptr);
  QCOMPARE(symbol->text, std::string("s0"));
  QCOMPARE(symbol->lower, std::optional<int64_t>(2));
  QVERIFY(!symbol->upper);
}

void TestOlderArchives::readsInfixExpressions_data() {
  QTest::addColumn<QString>("infix");
  QTest::addColumn<QString>("prefix");
  const auto row = [](const char* infix, const char* prefix) { QTest::newRow(infix) << infix << prefix; };
  row("s0", "s0");
  row("2*s0 - 1", "Add(Mul(2, s0), -1)");
  row("-s0 + 7", "Add(Mul(-1, s0), 7)");
  row("s0 - 2*s1", "Add(s0, Mul(-1, 2, s1))");
  row("s0**2*(s1 + 1)", "Mul(Pow(s0, 2), Add(s1, 1))");
  row("((s0 - 1)//2) + 1", "Add(FloorDiv(Add(s0, -1), 2), 1)");
  row("4*s0//3*2", "Mul(FloorDiv(Mul(4, s0), 3), 2)");
  row("s0/2", "Mul(s0, Rational(1, 2))");
  row("Max(1, Mod(s0, 8))", "Max(1, Mod(s0, 8))");
  // What is none of it stays as it is.
  row("s0 < 3", "s0 < 3");
  row("2 s0", "2 s0");
  row("(s0", "(s0");
  row("f(", "f(");
  row("", "");
  row("2s", "2s");
}

void TestOlderArchives::readsInfixExpressions() {
  QFETCH(QString, infix);
  QFETCH(QString, prefix);
  const std::optional<std::string> found = pt2::prefixForm(infix.toStdString());
  QCOMPARE(QString::fromStdString(found.value_or(infix.toStdString())), prefix);
  QVERIFY(!pt2::prefixForm(repeated("(", 5000)));
  QVERIFY(!pt2::prefixForm(repeated("-", 5000)));
}

void TestOlderArchives::readsNoneOfSchema7() {
  OlderBuilder builder;
  builder.version = "7.3";
  builder.program = replaced(builder.program, R"("output_specs": [)",
                             R"("output_specs": [{"user_output": {"arg": {"as_none": []}}}, )");
  QVERIFY(std::holds_alternative<ir::None>(read(builder).graph->outputs()[0]));
}

void TestOlderArchives::refusesOtherSchemas() {
  for (const char* version : {"5.3", "6.1", "7.2", "9.0"}) {
    OlderBuilder builder;
    builder.version = version;
    const auto diagnostic = errorOf([&] { return read(builder); });
    QVERIFY(diagnostic && diagnostic->code == Code::ArchiveFormat && !diagnostic->fixes.empty());
    QVERIFY2(diagnostic->message.find(version) != std::string::npos, diagnostic->message.c_str());
  }
}

void TestOlderArchives::refusesDefects_data() {
  QTest::addColumn<QByteArray>("pickled");
  QTest::addColumn<QByteArray>("order");
  QTest::addColumn<QString>("code");
  QTest::addColumn<QString>("words");
  const auto row = [](const char* name, const std::string& pickled, const char* code, const char* words,
                      const char* order = "little") {
    QTest::newRow(name) << QByteArray(pickled.data(), static_cast<qsizetype>(pickled.size())) << QByteArray(order)
                        << code << words;
  };
  const auto with = [](const Tensor& tensor) { return OlderBuilder::dictOf({{"w", tensor}}); };
  using namespace pickle;
  row("hostile call", whole(call(global("os", "system"), {text("ls")})), "archive.invalid", "calls os.system");
  row("tensor subclass", whole(dict({{"w", call(global("torch._utils", "_rebuild_wrapper_subclass"), {})}})),
      "archive.invalid", "_rebuild_wrapper_subclass");
  row("big-endian", with({{2, 3}, {3, 1}, 6}), "archive.format", "byte order big", "big");
  row("no dict", whole(text("w")), "archive.invalid", "no dict");
  row("no tensor", whole(dict({{"w", text("w")}})), "dtype.unsupported", "no tensor for w");
  row("another name", OlderBuilder::dictOf({{"v", Tensor{{2, 3}, {3, 1}, 6}}}), "weights.missing", "no data for w");
  row("missing storage", with({{2, 3}, {3, 1}, 6, "1"}), "archive.invalid",
      "data/1, which holds the weight w, is missing");
  row("path as a key", with({{2, 3}, {3, 1}, 6, "../0"}), "archive.invalid", "is missing");
  row("storage of another size", with({{2, 3}, {3, 1}, 7}), "archive.invalid", "24 bytes where 7 elements");
  row("storage of a negative size", with({{2, 3}, {3, 1}, -1}), "archive.invalid", "24 bytes where -1 elements");
  row("negative stride", with({{2, 3}, {-3, 1}, 6}), "archive.invalid", "negative or too large stride");
  row("huge stride", with({{2, 3}, {int64_t{1} << 62, 1}, 6}), "archive.invalid", "negative or too large stride");
  row("negative offset", with({{2, 3}, {3, 1}, 6, "0", -1}), "archive.invalid",
      "negative or too large stride or offset");
  row("past its storage", with({{2, 3}, {3, 1}, 6, "0", 1}), "weights.too-short", "needs 28 bytes");
  row("negative size", with({{-2, 3}, {3, 1}, 6}), "archive.invalid", "impossible shape");
  row("huge size", with({{int64_t{1} << 40, int64_t{1} << 40}, {0, 0}, 6}), "archive.invalid", "impossible shape");
  row("sizes without strides", with({{2, 3}, {3}, 6}), "archive.invalid", "impossible shape");
  row("another shape than the graph's", with({{3, 2}, {2, 1}, 6}), "graph.invalid", "f32[3,2]");
  row("quantised storage", with({{2, 3}, {3, 1}, 6, "0", 0, "QInt8Storage"}), "archive.invalid", "torch.QInt8Storage");
  row("unprintable name", whole(call(global("\xff", "x"), {})), "archive.invalid", "calls ?.x,");
  row("unknown opcode", whole("i"), "archive.invalid", "opcode 105");
}

void TestOlderArchives::refusesDefects() {
  QFETCH(QByteArray, pickled);
  QFETCH(QByteArray, order);
  QFETCH(QString, code);
  QFETCH(QString, words);
  for (const Form form : {Form::Flat, Form::Nested}) {
    OlderBuilder builder;
    builder.form = form;
    builder.weights.pickled = pickled.toStdString();
    builder.weights.order = order.toStdString();
    const auto diagnostic = errorOf([&] { return read(builder); });
    QVERIFY(diagnostic.has_value());
    QVERIFY2(diagnostic->message.find(words.toStdString()) != std::string::npos, diagnostic->message.c_str());
    QCOMPARE(QString(codeInfo(diagnostic->code).id), code);
    QVERIFY(!diagnostic->fixes.empty());
  }
}

void TestOlderArchives::refusesTruncatedParts() {
  OlderBuilder builder;
  const std::string whole = builder.weights.zip();
  for (size_t size = 1; size < whole.size(); ++size) {
    const auto path = folder_.write("cut.pt2", builder.archiveOf(whole.substr(0, size)));
    const auto diagnostic = errorOf([&] { return readFile(path); });
    QVERIFY2(diagnostic && diagnostic->code == Code::ArchiveInvalid, qPrintable(QString::number(size)));
    QVERIFY2(diagnostic->message.find("serialized_state_dict.pt") != std::string::npos, diagnostic->message.c_str());
  }
  // A deflated part is inflated no further than the program's tensors need.
  builder.form = Form::FlatDeflated;
  const auto path = folder_.write("bomb.pt2", builder.archiveOf(std::string(70u << 20, '\0')));
  const auto diagnostic = errorOf([&] { return readFile(path); });
  QVERIFY(diagnostic && diagnostic->code == Code::ArchiveInvalid);
  QVERIFY2(diagnostic->message.find("needs at most") != std::string::npos, diagnostic->message.c_str());
}

void TestOlderArchives::boundsPickles() {
  using namespace pickle;
  std::string memo = "N";
  for (uint64_t i = 0; i <= 1'000'001; ++i) memo += "r" + number(i, 4);
  const std::string start = "\x80\x02";
  QVERIFY(refusal(start + memo + ".").find("remembers too many") != std::string::npos);
  QVERIFY(refusal(start + repeated("N", 1'000'001)).find("too many values") != std::string::npos);
  QVERIFY(refusal(start + "N" + put(0) + repeated(get(0), 1'000'001)).find("too many values") != std::string::npos);
  QVERIFY(refusal(start + repeated("(", 1'000'001)).find("too many groups") != std::string::npos);
  const std::string longName(1000, 'a');
  QVERIFY(refusal(whole(storage({{}, {}, 1, longName}))).find("name of 1000 bytes") != std::string::npos);
  QVERIFY(refusal(whole(global(longName, "x"))).find("too long a name") != std::string::npos);
  QVERIFY(refusal(whole(text(longName) + text("x") + "\x93")).find("name of 1000 bytes") != std::string::npos);
  const std::vector<int64_t> many(65, 1);
  QVERIFY(refusal(whole(tensor({many, many, 1}))).find("65 dimensions") != std::string::npos);
  // Values that contain themselves, and deep ones.
  QCOMPARE(refusal(start + "]" + put(0) + get(0) + "a."), std::string("none"));
  QCOMPARE(refusal(start + ")" + repeated("\x85", 500'000) + "."), std::string("none"));
}

QTEST_APPLESS_MAIN(TestOlderArchives)
#include "tst_older_archives.moc"
