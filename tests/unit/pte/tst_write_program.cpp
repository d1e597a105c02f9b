// What writeProgram puts where, seen through readProgramInfo and the bytes themselves.
#include <QTest>
#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "pte/reader.h"
#include "pte/writer.h"
#include "random_program.h"
#include "sample_graph.h"
#include "support/errors.h"
#include "support/files.h"

using namespace exportdeck;
using namespace exportdeck::pte;
using namespace exportdeck::tests;

namespace {

const Context kContext{silentProgress(), {}};

struct Written {
  WriteResult result;
  Bytes bytes;
  ProgramInfo info;
};

Written write(const ir::Graph& graph, const WriteOptions& options = {}) {
  MemorySink sink;
  Written written;
  written.result = writeProgram({&graph}, options, sink, kContext);
  written.bytes = sink.bytes();
  const TemporaryFolder folder;
  writeBytes(folder.file("a.pte"), written.bytes);
  written.info = readProgramInfo(folder.file("a.pte"));
  return written;
}

std::shared_ptr<const ByteSource> memory(const std::string& text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return bytesInMemory(Bytes(data, data + text.size()));
}

size_t occurrences(const Bytes& bytes, const std::string& text) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  size_t count = 0;
  for (size_t at = all.find(text); at != std::string_view::npos; at = all.find(text, at + 1)) ++count;
  return count;
}

uint64_t numberAt(const Bytes& bytes, size_t at) {
  uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

}  // namespace

class WriteProgramTest : public QObject {
  Q_OBJECT

 private slots:
  void layoutOfTheFile() {
    const Written written = write(*ir::parse(tests::kSampleGraph));
    const Bytes& bytes = written.bytes;
    QCOMPARE(std::string(reinterpret_cast<const char*>(bytes.data()) + 4, 8), std::string("ET12eh00"));
    QCOMPARE(numberAt(bytes, 16), written.result.programBytes);
    QCOMPARE(numberAt(bytes, 24) % 128, uint64_t{0});
    QCOMPARE(numberAt(bytes, 24) + numberAt(bytes, 32), uint64_t{bytes.size()});
    QCOMPARE(written.result.totalBytes, uint64_t{bytes.size()});
    // w and w2 are equal and stored once, at 0; i follows at the next multiple of 16.
    QCOMPARE(written.result.constantBytes, uint64_t{32});
    QCOMPARE(written.info.constantBytes, uint64_t{32});
    QCOMPARE(written.result.methods.at(0).instructions, 9);  // the views cost none
  }

  // Without segments there is nothing that the extended header could say.
  void noHeaderWithoutSegments() {
    const Written written = write(*ir::parse(R"(graph forward {
  input %x : f32[2]
  %y : f32[2] = aten.abs.out(%x)
  return (%y)
})"));
    QVERIFY(occurrences(written.bytes, "eh00") == 0);
    QCOMPARE(written.result.programBytes, uint64_t{written.bytes.size()});
    QCOMPARE(written.info.methods.at(0).instructions.size(), size_t{1});
  }

  void argumentsFollowTheKernelsSchema() {
    const MethodInfo method = write(*ir::parse(tests::kSampleGraph)).info.methods.at(0);
    const auto call = [&](const std::string& name) {
      for (const auto& instruction : method.instructions) {
        if (instruction.name == name) return instruction.args;
      }
      return std::vector<int>();
    };
    const auto add = call("aten::add.out");  // self, other, alpha, out, and out again
    QCOMPARE(add.size(), size_t{5});
    QCOMPARE(add[0], 0);
    QCOMPARE(add[3], add[4]);
    const auto topk = call("aten::topk.values");  // five arguments, two outs, the list of outs
    QCOMPARE(topk.size(), size_t{8});
    QVERIFY(topk[7] > topk[5] && topk[7] > topk[6]);
    const auto split = call("aten::split_copy.Tensor_out");  // self, size, dim, the list of outs twice
    QCOMPARE(split.size(), size_t{5});
    QCOMPARE(split[3], split[4]);
    QCOMPARE(call("aten::sum.IntList_out").size(), size_t{6});
    QCOMPARE(method.operators.size(), size_t{8});  // full is called twice
  }

  void inputsAndOutputsOfAllKinds() {
    const MethodInfo method = write(*ir::parse(tests::kSampleGraph)).info.methods.at(0);
    QCOMPARE(method.inputs.size(), size_t{1});  // tensors only
    QCOMPARE(method.outputs.size(), size_t{12});
    QCOMPARE(method.inputs[0].place, std::string("planned"));
    QCOMPARE(method.outputs[5].place, std::string("constant"));  // the view of w
    QCOMPARE(method.outputs[8].place, std::string("planned"));   // x itself
    QCOMPARE(method.outputs[8].offset, method.inputs[0].offset);
    QCOMPARE(method.outputs[10].offset, method.outputs[11].offset);
    QCOMPARE(join(method.outputs[10].sizes, ","), std::string("3,2"));
    QCOMPARE(method.arenaBytes.size(), size_t{1});
  }

  void memoryOfTheCaller() {
    WriteOptions options;
    options.planInputs = options.planOutputs = false;
    const MethodInfo method = write(*ir::parse(tests::kSampleGraph), options).info.methods.at(0);
    QCOMPARE(method.inputs[0].place, std::string("caller"));
    QCOMPARE(method.outputs[0].place, std::string("caller"));
    QCOMPARE(method.outputs[5].place, std::string("caller"));  // the view of a constant is copied there
  }

  void blobsAndNamedDataAreStoredOnce() {
    const auto blob = [&](const std::string& text, std::vector<ir::NamedData> named) {
      auto made = std::make_shared<ir::DelegateBlob>();
      made->backendId = "SomeBackend";
      made->processed = memory(text)->materialise();
      made->namedData = std::move(named);
      return std::shared_ptr<const ir::DelegateBlob>(made);
    };
    const auto weight = memory("the weight of both");
    const Written written = write(*tests::delegateGraph(
        {blob("blob one", {{"key.a", weight}}), blob("blob two", {{"key.a", memory("the weight of both")}}),
         blob("blob one", {{"key.b", weight}, {"key.c", memory("another one")}})}));
    QCOMPARE(occurrences(written.bytes, "blob one"), size_t{1});
    QCOMPARE(occurrences(written.bytes, "blob two"), size_t{1});
    QCOMPARE(occurrences(written.bytes, "the weight of both"), size_t{1});
    QCOMPARE(occurrences(written.bytes, "another one"), size_t{1});
    QCOMPARE(written.info.segments, uint64_t{4});
    QCOMPARE(written.info.namedData, (std::vector<std::string>{"key.a", "key.b", "key.c"}));
    QCOMPARE(written.result.delegateBytes, uint64_t{16});
    QCOMPARE(written.result.namedDataBytes, uint64_t{18 + 11});
    const MethodInfo& method = written.info.methods.at(0);
    QCOMPARE(method.delegates.size(), size_t{3});
    QCOMPARE(method.instructions.at(2).kind, std::string("delegate"));
    QCOMPARE(method.instructions.at(2).name, std::string("SomeBackend"));
    // Each segment starts at a multiple of 128.
    const std::string_view all(reinterpret_cast<const char*>(written.bytes.data()), written.bytes.size());
    QCOMPARE(all.find("another one") % 128, size_t{0});
    QCOMPARE(all.find("blob two") % 128, size_t{0});
  }

  void namedDataThatIsAConstantTooLiesInsideIt() {
    auto graph = ir::parse(R"(graph forward {
      input %x : f32[4]
      const %w : f32[4] = "w" [1.5, 2.5, 3.5, 4.5]
      %y : f32[4] = aten.mul.out(%x, %w)
      %z : f32[4] = exportdeck.delegate(%y)
      return (%z)
    })");
    auto blob = std::make_shared<ir::DelegateBlob>();
    blob->backendId = "SomeBackend";
    blob->processed = memory("blob")->materialise();
    const float values[]{1.5F, 2.5F, 3.5F, 4.5F};
    const std::string raw(reinterpret_cast<const char*>(values), sizeof values);
    blob->namedData = {{"key", memory(raw)}};
    graph->nodes().back()->blob = blob;
    const Written written = write(*graph);
    QCOMPARE(occurrences(written.bytes, raw), size_t{1});
    QCOMPARE(written.result.namedDataBytes, uint64_t{0});
    QCOMPARE(written.info.segments, uint64_t{3});
  }

  // What states begin with lies in a segment of its own; those that begin with zeros share the longest run of them.
  void initialStateIsStored() {
    const Written written = write(*ir::parse(R"(graph forward {
      input %x : f32[2]
      const %k : f32[2] = "k" [7.25, 8.25]
      state %a : f32[2] = "a" [1.5, 2.5]
      state %b : f32[4] = "b" [0, 0, 0, 0]
      state %c : f32[2] = "c" [0, 0]
      state %d : f32[2] = "d" [1.5, 2.5]
      state %none : f32[0] = "none" []
      %y : f32[2] = aten.mul.out(%a, %k)
      %z : f32[2] = aten.copy_.default(%a, %y, false)
      return (%y)
    })"));
    const float values[]{1.5F, 2.5F};
    QCOMPARE(occurrences(written.bytes, std::string(reinterpret_cast<const char*>(values), sizeof values)), size_t{1});
    QCOMPARE(written.result.initialBytes, uint64_t{8 + 16});
    QCOMPARE(written.info.segments, uint64_t{2});
    std::vector<std::string> states;
    for (const StateInfo& state : written.info.methods.at(0).states)
      states.push_back(
          concat(state.name, " ", state.bytes, state.startsAtZero ? " zero" : "", " ", state.tensor.place));
    QCOMPARE(states, (std::vector<std::string>{"a 8 mutable", "b 16 zero mutable", "c 8 zero mutable", "d 8 mutable"}));
    QCOMPARE(written.result.methods.at(0).states.size(), size_t{5});
    QVERIFY(written.result.methods.at(0).states[1].startsAtZero &&
            !written.result.methods.at(0).states[0].startsAtZero);
  }

  // An input that is written lies in its caller's memory, whatever the others do.
  void writtenInputsAreTheirCallers() {
    const Written written = write(*ir::parse(R"(graph forward {
      input %x : f32[2]
      input %y : f32[2]
      %z : f32[2] = aten.copy_.default(%x, %y, false)
      return ()
    })"));
    const MethodInfo& method = written.info.methods.at(0);
    QCOMPARE(method.inputs.at(0).place, std::string("caller"));
    QCOMPARE(method.inputs.at(1).place, std::string("planned"));
    QCOMPARE(method.instructions.at(0).args.at(0), method.instructions.at(0).args.at(3));
  }

  void oneKeyForTwoContentsIsAFault() {
    auto blob = std::make_shared<ir::DelegateBlob>();
    blob->backendId = "SomeBackend";
    blob->namedData = {{"key", memory("content")}, {"key", memory("another")}};
    MemorySink sink;
    QCOMPARE(errorCode([&] { return writeProgram({tests::delegateGraph({blob}).get()}, {}, sink, kContext); }),
             std::string(codeInfo(Code::Fault).id));
  }

  void refusals_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* name, const char* text, Code code) {
      QTest::newRow(name) << text << codeInfo(code).id;
    };
    row("operator without kernel", "graph g { input %x : f32[2] %y : f32[2] = aten.add.Tensor(%x, %x, 1) return (%y) }",
        Code::Fault);
    row("unknown operator", "graph g { input %x : f32[2] %y : f32[2] = my.op.default(%x) return (%y) }", Code::Fault);
    row("in-place kernel on a computed value",
        "graph g { input %x : f32[2] %y : f32[2] = aten.mul.out(%x, %x) "
        "%z : f32[2] = aten.copy_.default(%y, %x, false) return (%z) }",
        Code::Fault);
    row("number for a tensor", "graph g { input %x : f32[2] %y : f32[2] = aten.add.out(%x, 2, 1) return (%y) }",
        Code::Fault);
    row("missing argument", "graph g { input %x : f32[2] %y : f32[2] = aten.add.out(%x, %x) return (%y) }",
        Code::Fault);
    row("argument too many", "graph g { input %x : f32[2] %y : f32[2] = aten.add.out(%x, %x, 1, 1) return (%y) }",
        Code::Fault);
    row("delegate without blob", "graph g { input %x : f32[2] %y : f32[2] = exportdeck.delegate(%x) return (%y) }",
        Code::Fault);
    row("complex dtype", "graph g { input %x : c64[2] return (%x) }", Code::DtypeUnsupported);
    row("number that changes between calls", "graph g { input %n : int return (%n) }", Code::ShapeUnsupported);
    row("size without bound", "graph g { input %x : f32[s0] return (%x) }", Code::ShapeUnsupported);
    row("size over 31 bits", "graph g { input %x : u8[3000000000] return (%x) }", Code::ShapeUnsupported);
    row("bytes over 63 bits", "graph g { input %x : f64[2000000000,2000000000] return (%x) }", Code::ShapeUnsupported);
  }
  void refusals() {
    QFETCH(QString, text);
    QFETCH(QString, code);
    const auto graph = ir::parse(text.toStdString());
    MemorySink sink;
    QCOMPARE(QString::fromStdString(errorCode([&] { return writeProgram({graph.get()}, {}, sink, kContext); })), code);
    QVERIFY(sink.bytes().empty());
  }

  void emptyConstantsAndProgramsWithoutAny() {
    const Written none = write(*ir::parse("graph g { input %x : f32[2] %y : f32[2] = aten.relu.out(%x) return (%y) }"));
    QCOMPARE(none.info.segments, uint64_t{0});
    QCOMPARE(none.info.constantBytes, uint64_t{0});
    const Written empty =
        write(*ir::parse("graph g { input %x : f32[2] const %w : f32[0] = \"w\" [] return (%x, %w) }"));
    QCOMPARE(empty.info.methods.at(0).outputs.at(1).place, std::string("constant"));
    QVERIFY(empty.info.constantBytes > 0);
  }

  void containersAreKept() {
    auto graph = ir::parse("graph method { input %x : f32[2] return (%x) }");
    graph->containers = {"[1, \"input spec\"]", "[1, \"output spec\"]"};
    const Written written = write(*graph);
    QCOMPARE(written.info.methods.at(0).name, std::string("method"));
    QCOMPARE(occurrences(written.bytes, graph->containers.input), size_t{1});
    QCOMPARE(occurrences(written.bytes, graph->containers.output), size_t{1});
  }

  void equalGraphsGiveEqualPrograms() {
    const auto text = ir::print(*ir::parse(tests::kSampleGraph));
    QVERIFY(write(*ir::parse(text)).bytes == write(*ir::parse(text)).bytes);
  }

  void fileRangesAreCopiedInPlace() {
    const TemporaryFolder folder;
    Bytes weights(3u << 20);
    for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<std::byte>(i * 7 + i / 251);
    writeBytes(folder.file("weights"), weights);
    const auto file = InputFile::open(folder.file("weights"));
    ir::Graph graph;
    auto constant = std::make_shared<ir::Constant>();
    constant->name = "w";
    constant->type = ir::TensorType(ir::DType::UInt8, {2 << 20});
    constant->data = bytesInFile({file, 12345, 2u << 20});
    auto same = std::make_shared<ir::Constant>(*constant);
    same->data = bytesInFile({file, 12345, 2u << 20});
    graph.setOutputs({graph.addConstant(constant), graph.addConstant(same)});
    OutputFile out(folder.file("a.pte"));
    const WriteResult result = writeProgram({&graph}, {}, out, kContext);
    out.flush(kContext);
    out.publish(false);
    QCOMPARE(result.constantBytes, uint64_t{2u << 20});
    const Bytes bytes = readBytes(folder.file("a.pte"));
    QCOMPARE(uint64_t{bytes.size()}, result.totalBytes);
    const size_t base = numberAt(bytes, 24);
    QVERIFY(std::equal(bytes.begin() + static_cast<std::ptrdiff_t>(base), bytes.end(), weights.begin() + 12345));
  }

  void stopsWhenAsked() {
    std::stop_source stop;
    stop.request_stop();
    MemorySink sink;
    const Context context{silentProgress(), stop.get_token()};
    const auto graph = ir::parse(tests::kSampleGraph);
    QCOMPARE(errorCode([&] { return writeProgram({graph.get()}, {}, sink, context); }),
             std::string(codeInfo(Code::Cancelled).id));
    QVERIFY(sink.bytes().empty());
  }

  void progressReachesTheEnd() {
    struct Watcher : ProgressSink {
      uint64_t done = 0, total = 0;
      void stageStarted(std::string_view) override {}
      void stageAdvanced(std::string_view, uint64_t now, uint64_t all) override {
        QVERIFY(now >= done && now <= all);
        done = now;
        total = all;
      }
      void stageFinished(std::string_view, double) override {}
      void log(LogLevel, std::string_view) override {}
    } watcher;
    MemorySink sink;
    const auto graph = ir::parse(tests::kSampleGraph);
    const WriteResult result = writeProgram({graph.get()}, {}, sink, {watcher, {}});
    QCOMPARE(watcher.done, result.totalBytes);
    QCOMPARE(watcher.total, result.totalBytes);
  }

  void largeProgramsAreQuick() {
    const auto seconds = [](int nodes) {
      const auto graph = tests::randomProgram(3, {.nodes = nodes});
      return tests::processorSeconds([&] {
        MemorySink sink;
        writeProgram({graph.get()}, {}, sink, kContext);
      });
    };
    seconds(100);  // schemas are parsed at first use
    const double small = seconds(5000), large = seconds(20000);
    qInfo("5000: %.3f s, 20000: %.3f s", small, large);
    QVERIFY2(large < tests::kSlowdown && large < 10 * small + 0.05 * tests::kSlowdown,
             concat("5000 nodes: ", small, " s, 20000 nodes: ", large, " s").c_str());
  }
};

QTEST_APPLESS_MAIN(WriteProgramTest)
#include "tst_write_program.moc"
