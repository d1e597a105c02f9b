// Programs that writeProgram writes load and compute what their graphs say, on the ExecuTorch runtime.
#include <QTest>
#include <cmath>
#include <cstring>
#include <map>
#include <random>

#include "base/text.h"
#include "pte/writer.h"
#include "runtime/program.h"
#include "sample_graph.h"
#include "support/errors.h"
#include "support/files.h"

using namespace exportdeck;
using namespace exportdeck::pte;
using runtime::HostTensor;
using runtime::HostValue;

namespace {

HostTensor floats(std::vector<int64_t> sizes, const std::vector<float>& values) {
  HostTensor tensor{"float32", std::move(sizes), Bytes(values.size() * sizeof(float))};
  if (!values.empty()) std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

template <typename T>
std::vector<T> elements(const HostValue& value) {
  const auto& bytes = std::get<HostTensor>(value).bytes;
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

std::unique_ptr<runtime::LoadedProgram> load(const ir::Graph& graph, const WriteOptions& options = {}) {
  const tests::TemporaryFolder folder;
  OutputFile out(folder.file("a.pte"));
  const Context context{silentProgress(), {}};
  writeProgram({&graph}, options, out, context);
  out.flush(context);
  out.publish(false);
  return runtime::LoadedProgram::load(folder.file("a.pte"), {graph.name(), {}});
}

std::vector<HostValue> run(const ir::Graph& graph, const std::vector<HostValue>& inputs,
                           const WriteOptions& options = {}) {
  const auto program = load(graph, options);
  program->run(inputs);  // the second call finds what the first left in the arena
  return program->run(inputs);
}

using Numbers = std::vector<float>;
constexpr const char* kViewName = "aten.view_copy.default";

// A random graph of exact float operators on 12 numbers, and what each value is.
struct RandomCalculation {
  std::unique_ptr<ir::Graph> graph = std::make_unique<ir::Graph>();
  std::vector<HostValue> inputs;
  std::vector<Numbers> expected;  // of the outputs

  explicit RandomCalculation(uint32_t seed) : random_(seed) {
    for (const char* name : {"x", "y"}) {
      Numbers numbers;
      for (int i = 0; i < 12; ++i) numbers.push_back(static_cast<float>(pick(64)) / 4 - 8);
      inputs.emplace_back(floats({3, 4}, numbers));
      add(graph->addInput(name, ir::TensorType(ir::DType::Float32, {3, 4})), numbers);
    }
    ir::Value* quarter = scalar(0.25F);
    for (int i = 0; i < 60; ++i) step(quarter);
    std::vector<ir::Argument> outputs;
    for (int i = 0; i < 6; ++i) {
      const auto& [value, numbers] = values_[static_cast<size_t>(i < 4 ? static_cast<int>(values_.size()) - 1 - i
                                                                       : pick(static_cast<int>(values_.size())))];
      outputs.emplace_back(value);
      expected.push_back(numbers);
    }
    graph->setOutputs(std::move(outputs));
  }

 private:
  int pick(int limit) { return static_cast<int>(random_() % static_cast<uint32_t>(limit)); }
  void add(ir::Value* value, Numbers numbers) { values_.emplace_back(value, std::move(numbers)); }

  ir::Value* scalar(float number) {
    auto constant = std::make_shared<ir::Constant>();
    constant->name = "quarter";
    constant->type = ir::TensorType(ir::DType::Float32, {});
    Bytes bytes(sizeof number);
    std::memcpy(bytes.data(), &number, sizeof number);
    constant->data = bytesInMemory(std::move(bytes));
    return graph->addConstant(constant);
  }

  void step(ir::Value* quarter) {
    const int back = pick(5) == 0 ? pick(static_cast<int>(values_.size()))
                                  : pick(std::min<int>(6, static_cast<int>(values_.size())));
    const auto [a, na] = values_[values_.size() - 1 - static_cast<size_t>(back)];
    const auto [b, nb] = values_[static_cast<size_t>(pick(static_cast<int>(values_.size())))];
    const auto node = [&](const char* op, std::vector<ir::Argument> args, const ir::TensorType& type) {
      return graph->addNode(op, std::move(args), {type}, std::make_shared<const Origin>())->output();
    };
    const auto both = [&](auto combine) {
      Numbers out;
      for (size_t i = 0; i < na.size(); ++i) out.push_back(combine(na[i], nb[i]));
      return out;
    };
    const int kind = a->type() == b->type() ? pick(6) : 3 + pick(3);
    switch (kind) {
      case 0:
        return add(node("aten.sub.out", {a, b, int64_t{1}}, a->type()), both([](float p, float q) { return p - q; }));
      case 1:
        return add(node("aten.maximum.out", {a, b}, a->type()), both([](float p, float q) { return std::max(p, q); }));
      case 2:
        return add(node("aten.minimum.out", {a, b}, a->type()), both([](float p, float q) { return std::min(p, q); }));
      case 3:
        return add(node("aten.mul.out", {a, quarter}, a->type()), both([](float p, float) { return p * 0.25F; }));
      case 4:
        return add(node("aten.neg.out", {a}, a->type()), both([](float p, float) { return -p; }));
      default: {
        const ir::Sizes sizes = a->type().rank() == 2 ? ir::Sizes{12} : ir::Sizes{3, 4};
        return add(
            node("aten.view_copy.default", {a, ir::IntList(sizes.begin(), sizes.end())}, {ir::DType::Float32, sizes}),
            na);
      }
    }
  }

  std::mt19937 random_;
  std::vector<std::pair<ir::Value*, Numbers>> values_;
};

}  // namespace

class WrittenProgramsRunTest : public QObject {
  Q_OBJECT

 private slots:
  // The first call finds what the program holds, the next what the one before left; both states have zeros in common.
  void statesOutliveCalls() {
    const auto program = load(*ir::parse(R"(graph forward {
      input %x : f32[2]
      state %sum : f32[2] = "sum" [10, 20]
      state %zero : f32[1] = "zero" [0]
      state %last : f32[2] = "last" [0, 0]
      %old : f32[2] = aten.neg.out(%last)
      %a : f32[2] = aten.add.out(%sum, %x, 1)
      %b : f32[2] = aten.neg.out(%x)
      %u : f32[2] = aten.copy_.default(%sum, %a, false)
      update %last = %b
      return (%a, %old, %zero)
    })"));
    auto outputs = program->run({floats({2}, {1, 2})});
    QCOMPARE(elements<float>(outputs[0]), (Numbers{11, 22}));
    QCOMPARE(elements<float>(outputs[1]), (Numbers{-0.0F, -0.0F}));
    QCOMPARE(elements<float>(outputs[2]), (Numbers{0}));
    outputs = program->run({floats({2}, {100, 200})});
    QCOMPARE(elements<float>(outputs[0]), (Numbers{111, 222}));
    QCOMPARE(elements<float>(outputs[1]), (Numbers{1, 2}));
  }

  // Small and large in turn on one instance: a view shares its operand's bytes and is told its sizes.
  void viewsOfSizesKnownAtRunTime() {
    const auto program = load(*ir::parse(R"(graph forward {
      symbol s0 in [1, 4]
      input %x : f32[s0,2]
      %a : f32[s0,2] = aten.add.out(%x, %x, 1)
      %v : f32["2*s0"] = aten.view_copy.default(%a, [-1])
      %n : int = aten.sym_size.int(%x, 0)
      %m : int = executorch_prim.mul.Scalar(%n, 2)
      %b : f32["2*s0"] = aten.abs.out(%v)
      return (%b, %m)
    })"));
    for (const std::vector<float>& given : {Numbers{-1, 2}, Numbers{1, -2, 3, 4, -5, 6, 7, -8}, Numbers{1, 2, 3, -4}}) {
      const auto rows = static_cast<int64_t>(given.size() / 2);
      const auto outputs = program->run({floats({rows, 2}, given)});
      Numbers expected;
      for (const float number : given) expected.push_back(2 * std::abs(number));
      QCOMPARE(elements<float>(outputs[0]), expected);
      QCOMPARE(std::get<int64_t>(outputs[1]), 2 * rows);
    }
  }

  void writtenInputsAreChanged() {
    const auto program = load(*ir::parse(R"(graph forward {
      input %x : f32[2]
      input %y : f32[2]
      %a : f32[2] = aten.add.out(%x, %y, 1)
      %u : f32[2] = aten.copy_.default(%x, %a, false)
      return (%a)
    })"));
    for (int call = 0; call < 2; ++call) {
      std::vector<HostValue> after;
      program->run({floats({2}, {1, 2}), floats({2}, {10, 20})}, &after);
      QCOMPARE(elements<float>(after[0]), (Numbers{11, 22}));
      QCOMPARE(elements<float>(after[1]), (Numbers{10, 20}));
    }
  }

  void everyKindOfValue() {
    const auto outputs = run(*ir::parse(tests::kSampleGraph),
                             {floats({2, 3}, {-2, -1, 0, 1, 2, 3}), true, int64_t{7}, std::monostate(), 0.5});
    QCOMPARE(outputs.size(), size_t{17});
    // b = (x + w) * w = {-1, 2, 9; 2, 8, 18}
    QCOMPARE(elements<float>(outputs[0]), (Numbers{16, 22}));
    QCOMPARE(elements<float>(outputs[1]), (Numbers{9, 18}));
    QCOMPARE(elements<int64_t>(outputs[2]), (std::vector<int64_t>{2, 2}));
    QCOMPARE(elements<float>(outputs[3]), (Numbers{2, 8, 18, -1, 2, 9}));
    QCOMPARE(elements<float>(outputs[4]), (Numbers{-2, -1, 1, 2}));
    QCOMPARE(elements<float>(outputs[5]), (Numbers{1, 2, 3}));
    QCOMPARE(std::get<HostTensor>(outputs[5]).sizes, (std::vector<int64_t>{3, 1}));
    QCOMPARE(elements<float>(outputs[6]), (Numbers{2.5, 2.5, 2.5, 2.5}));
    QCOMPARE(elements<float>(outputs[7]), Numbers{});
    QCOMPARE(elements<float>(outputs[8]), (Numbers{-2, -1, 0, 1, 2, 3}));
    QCOMPARE(elements<float>(outputs[9]), (Numbers{1, 2, 3}));
    QVERIFY(std::holds_alternative<std::monostate>(outputs[10]));
    QCOMPARE(std::get<int64_t>(outputs[11]), int64_t{3});
    QCOMPARE(std::get<bool>(outputs[12]), true);
    QCOMPARE(std::get<double>(outputs[13]), 2.5);
    QCOMPARE(std::get<std::string>(outputs[14]), std::string("text"));
    QCOMPARE(elements<float>(outputs[15]), (Numbers{-1, 2, 9, 2, 8, 18}));
    QCOMPARE(elements<float>(outputs[16]), elements<float>(outputs[15]));
  }

  void randomCalculations_data() {
    QTest::addColumn<bool>("planInputs");
    QTest::newRow("inputs in the arena") << true;
    QTest::newRow("inputs in the caller's memory") << false;
  }
  void randomCalculations() {
    QFETCH(bool, planInputs);
    WriteOptions options;
    options.planInputs = planInputs;
    for (uint32_t seed = 0; seed < 40; ++seed) {
      const RandomCalculation calculation(seed);
      const auto outputs = run(*calculation.graph, calculation.inputs, options);
      QCOMPARE(outputs.size(), calculation.expected.size());
      for (size_t i = 0; i < outputs.size(); ++i) {
        QVERIFY2(elements<float>(outputs[i]) == calculation.expected[i],
                 concat("seed ", seed, ", output ", i, " of\n", ir::print(*calculation.graph)).c_str());
      }
    }
  }

  void symbolicSizesStayWithinTheirBounds() {
    ir::Graph graph;
    ir::TensorType type;
    type.shape = {ir::SymInt::symbol("s0", 1, 8), 2};
    ir::Value* x = graph.addInput("x", type);
    ir::Node* node = graph.addNode("aten.relu.out", {x}, {type}, std::make_shared<const Origin>());
    graph.setOutputs({node->output()});
    const auto outputs = run(graph, {floats({3, 2}, {-1, 2, -3, 4, -5, 6})});
    QCOMPARE(elements<float>(outputs[0]), (Numbers{0, 2, 0, 4, 0, 6}));
    QCOMPARE(std::get<HostTensor>(outputs[0]).sizes, (std::vector<int64_t>{3, 2}));
  }

  // Both methods add to what they share; a third state has a name that only one of them knows.
  void methodsShareTheirState() {
    const auto bump = ir::parse(R"(graph bump {
  input %x : f32[2]
  state %n : f32[2] = "count" [1.0, 2.0]
  %y : f32[2] = aten.add.out(%n, %x, 1)
  update %n = %y
  return (%y)
})");
    const auto twice = ir::parse(R"(graph twice {
  input %x : f32[2]
  state %own : f32[2] = "own" [5.0, 5.0]
  state %n : f32[2] = "count" [1.0, 2.0]
  %y : f32[2] = aten.add.out(%n, %x, 2)
  %z : f32[2] = aten.add.out(%own, %y, 1)
  update %n = %y
  return (%z)
})");
    const HostValue one = floats({2}, {1, 1});
    for (const bool shares : {true, false}) {
      WriteOptions options;
      options.shareStates = shares;
      const tests::TemporaryFolder folder;
      OutputFile out(folder.file("a.pte"));
      const WriteResult result = writeProgram({bump.get(), twice.get()}, options, out, {silentProgress(), {}});
      QCOMPARE(result.methods.size(), size_t{2});
      QCOMPARE(result.methods[0].plan.sharedBytes > 0, shares);
      out.publish(false);
      const auto first = runtime::LoadedProgram::load(folder.file("a.pte"), {"bump", {}});
      const auto second = first->another("twice");
      QCOMPARE(elements<float>(first->run({one})[0]), (Numbers{2, 3}));
      QCOMPARE(elements<float>(second->run({one})[0]), shares ? (Numbers{9, 10}) : (Numbers{8, 9}));
      QCOMPARE(elements<float>(first->run({one})[0]), shares ? (Numbers{5, 6}) : (Numbers{3, 4}));
    }
  }

  void statesThatDifferAreNotShared() {
    const auto graph = [](const char* name, const char* begins) {
      return ir::parse(concat("graph ", name, R"( {
  input %x : f32[2]
  state %n : f32[2] = "count" )",
                              begins, R"(
  %y : f32[2] = aten.add.out(%n, %x, 1)
  update %n = %y
  return (%y)
})"));
    };
    const auto a = graph("a", "[1.0, 2.0]"), b = graph("b", "[1.0, 3.0]");
    MemorySink sink;
    WriteOptions options;
    options.shareStates = true;
    QCOMPARE(tests::errorCode([&] { return writeProgram({a.get(), b.get()}, options, sink, {silentProgress(), {}}); }),
             std::string("mutation.unsupported"));
    QCOMPARE(tests::errorCode([&] { return writeProgram({a.get(), a.get()}, {}, sink, {silentProgress(), {}}); }),
             std::string("usage"));
  }

  // A constant of its own name, a view of it under other sizes, one of equal bytes and one that is too small.
  void constantsInAnotherFile() {
    ir::Graph graph;
    Numbers numbers;
    for (int i = 0; i < 96; ++i) numbers.push_back(static_cast<float>(i));
    const auto constant = [&](const char* name, std::vector<int64_t> sizes, const Numbers& values) {
      auto made = std::make_shared<ir::Constant>();
      made->name = name;
      made->type = ir::TensorType(ir::DType::Float32, ir::Sizes(sizes.begin(), sizes.end()));
      made->data = bytesInMemory(floats(sizes, values).bytes);
      return graph.addConstant(made);
    };
    ir::Value* w = constant("w", {8, 12}, numbers);
    ir::Value* same = constant("same", {8, 12}, numbers);
    ir::Value* small = constant("small", {12}, Numbers(12, 1));
    ir::Value* x = graph.addInput("x", ir::TensorType(ir::DType::Float32, {12}));
    const auto node = [&](const char* op, std::vector<ir::Argument> args, const ir::Sizes& sizes) {
      return graph
          .addNode(op, std::move(args), {ir::TensorType(ir::DType::Float32, sizes)}, std::make_shared<const Origin>())
          ->output();
    };
    ir::Value* view = node(kViewName, {w, ir::IntList{int64_t{96}}}, {96});
    ir::Value* sum = node("aten.add.out", {w, x, int64_t{1}}, {8, 12});
    ir::Value* more = node("aten.add.out", {sum, same, int64_t{1}}, {8, 12});
    ir::Value* last = node("aten.add.out", {more, small, int64_t{1}}, {8, 12});
    ir::Value* flat = node("aten.abs.out", {view}, {96});
    graph.setOutputs({last, flat});

    const tests::TemporaryFolder folder;
    OutputFile program(folder.file("a.pte")), data(folder.file("a.ptd"));
    const WriteResult result = writeProgram({&graph}, {}, program, {silentProgress(), {}}, &data);
    program.publish(false);
    data.publish(false);
    QCOMPARE(result.externalBytes, uint64_t{tests::readBytes(folder.file("a.ptd")).size()});
    QVERIFY(result.constantBytes < 96 * sizeof(float));
    QVERIFY(result.externalBytes < 2 * 96 * sizeof(float) + 512);  // equal bytes are there once
    QCOMPARE(runtime::dataBeside(folder.file("a.pte")), folder.file("a.ptd"));
    const auto loaded = runtime::LoadedProgram::load(folder.file("a.pte"), {{}, folder.file("a.ptd")});
    const auto results = loaded->run({floats({12}, Numbers(12, 3))});
    Numbers expected;
    for (const float number : numbers) expected.push_back(2 * number + 4);
    QCOMPARE(elements<float>(results[0]), expected);
    QCOMPARE(elements<float>(results[1]), numbers);
    QCOMPARE(tests::errorCode([&] { return runtime::LoadedProgram::load(folder.file("a.pte")); }),
             std::string("verify.load-failed"));
  }
};

QTEST_APPLESS_MAIN(WrittenProgramsRunTest)
#include "tst_written_programs_run.moc"
