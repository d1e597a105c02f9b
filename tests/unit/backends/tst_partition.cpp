// partitionAndLower(): what becomes of a graph, and what is said about it.
#include <QTest>
#include <random>

#include "backends/backend.h"
#include "base/text.h"
#include "ir/graph.h"
#include "support/errors.h"
#include "xnnpack_support.h"

using namespace exportdeck;
using namespace exportdeck::backends;

namespace {

// Takes everything but aten.erf; its blob names the operators of the body.
class AllButErf : public Backend {
 public:
  std::string_view id() const override { return "fake"; }
  bool keepsWhole(const ir::Node&, const options::OptionSet&) const override { return false; }
  Verdict judge(const ir::Node& node, const options::OptionSet&) const override {
    return node.is("aten.erf.default") ? Verdict::refuse("it is erf", "Use tanh.") : Verdict::take();
  }
  bool takesChannelsLast() const override { return takesLast; }
  bool takesLast = false;
  Lowered lower(ir::Graph& partition, const options::OptionSet&, const Context&) const override {
    ir::verify(partition);
    auto blob = std::make_shared<ir::DelegateBlob>();
    blob->backendId = "Fake";
    return {std::move(blob), {}};
  }
};

options::OptionSet optionSet() {
  std::vector<options::OptionSpec> specs(3);
  specs[0].key = "per_op_mode";
  specs[0].type = options::OptionType::Bool;
  specs[0].fallback = false;
  specs[1].key = "exclude_ops";
  specs[1].type = options::OptionType::List;
  specs[1].fallback = std::vector<std::string>{};
  specs[2].key = "min_delegate_nodes";
  specs[2].type = options::OptionType::Int;
  specs[2].fallback = int64_t{1};
  return options::OptionSet(std::move(specs));
}

Coverage partition(ir::Graph& graph, const options::OptionSet& options = optionSet()) {
  const Context context{silentProgress(), {}};
  const Coverage coverage = partitionAndLower(graph, AllButErf(), options, context);
  ir::verify(graph);
  return coverage;
}

constexpr const char* kChain = R"(graph forward {
  input %x : f32[2,3]
  const %w : f32[3] = "w" [1, 2, 3]
  %a : f32[2,3] = aten.mul.Tensor(%x, %w)
  %b : f32[2,3] = aten.erf.default(%a)
  %c : f32[2,3] = aten.add.Tensor(%b, %w, 1)
  %d : f32[2,3] = aten.mul.Tensor(%a, %c)
  return (%d)
})";

}  // namespace

class TestPartition : public QObject {
  Q_OBJECT

 private slots:
  // A delegate holds constants, and is handed what a state holds at each call.
  void statesAreOperandsOfDelegates() {
    const auto graph = ir::parse(R"(graph forward {
  input %x : f32[3]
  const %k : f32[3] = "k" [1, 2, 3]
  state %w : f32[3] = "w" [1, 2, 3]
  %a : f32[3] = aten.mul.Tensor(%x, %w)
  %b : f32[3] = aten.mul.Tensor(%a, %k)
  update %w = %b
  return (%a)
})");
    partition(*graph);
    const ir::Node& call = *graph->nodes().front();
    QVERIFY(call.is(ir::kDelegateOp));
    QCOMPARE(call.operands().size(), size_t{2});
    QVERIFY(call.value(1)->isState());
    QCOMPARE(graph->updates().at(0).value->producer(), &call);
    QCOMPARE(call.body->constants().size(), size_t{1});
    QVERIFY(call.body->states().empty());
  }

  // An input that comes with its channels last is taken so where delegates alone read it.
  void channelsLastInputs() {
    const std::string text = R"(graph forward {
  input %x : f32[1,2,3,4] strides [24, 1, 8, 2]
  input %y : f32[1,2,3,4] strides [24, 1, 8, 2]
  input %z : f32[1,2,3,4] strides [24, 12, 1, 3]
  %a : f32[1,2,3,4] = aten.mul.Tensor(%x, %y)
  %b : f32[1,2,3,4] = aten.mul.Tensor(%a, %z)
  %c : f32[1,2,3,4] = aten.erf.default(%y)
  %d : f32[1,2,3,4] = aten.mul.Tensor(%b, %c)
  return (%d)
})";
    for (const bool takes : {true, false}) {
      const auto graph = ir::parse(text);
      const Context context{silentProgress(), {}};
      AllButErf backend;
      backend.takesLast = takes;
      partitionAndLower(*graph, backend, optionSet(), context);
      const auto hasStrides = [](const ir::GraphInput& input) { return !input.value->type().strides.empty(); };
      QCOMPARE(hasStrides(graph->inputs()[0]), takes);
      QVERIFY(!hasStrides(graph->inputs()[1]));
      QVERIFY(!hasStrides(graph->inputs()[2]));
      for (const ir::Node* node : graph->nodeList()) {
        if (!node->body) continue;
        for (const ir::GraphInput& input : node->body->inputs())
          QCOMPARE(hasStrides(input), takes && input.value->name() == "x");
      }
    }
  }

  // A result that PyTorch gives with its channels last is given so where an input is taken so, unless it is read again.
  void channelsLastOutputs() {
    for (const char* strides : {" strides [24, 1, 8, 2]", ""}) {
      const auto graph = ir::parse(concat("graph forward {\n  input %x : f32[1,2,3,4]", strides, R"(
  %a : f32[1,2,3,4] = aten.abs.default(%x)
  %b : f32[1,2,3,4] = aten.neg.default(%x)
  %c : f32[1,2,3,4] = aten.erf.default(%b)
  return (%a, %b, %c)
})"));
      for (ir::Node* node : graph->nodeList()) tests::setChannelsLast(node->output());
      const bool isTaken = *strides != 0;
      const Context context{silentProgress(), {}};
      AllButErf backend;
      backend.takesLast = true;
      partitionAndLower(*graph, backend, optionSet(), context);
      const ir::Node& call = *graph->nodes().front();
      QVERIFY(call.body != nullptr);
      for (size_t i = 0; i < 2; ++i) {
        const bool keeps = isTaken && i == 0;
        QCOMPARE(!call.output(i)->type().strides.empty(), keeps);
        QCOMPARE(!std::get<ir::Value*>(call.body->outputs()[i])->type().strides.empty(), keeps);
      }
    }
  }

  // What a kernel does in one step stays with it where nothing beside it pays for a delegate call.
  void scaledSumAlone() {
    const auto delegates = [](const std::string& node) {
      const auto graph = ir::parse(concat("graph forward {\n  input %x : f32[2]\n", node, "\n  return (%y)\n}"));
      const Context context{silentProgress(), {}};
      return partitionAndLower(*graph, *BackendRegistry::instance().find("xnnpack"), optionSet(), context).delegates;
    };
    QCOMPARE(delegates("%y : f32[2] = aten.add.Tensor(%x, %x, 1)"), 1);
    QCOMPARE(delegates("%y : f32[2] = aten.add.Tensor(%x, %x, 2)"), 0);
    QCOMPARE(delegates("%a : f32[2] = aten.abs.default(%x)\n%y : f32[2] = aten.add.Tensor(%a, %x, 2)"), 1);
  }

  void partitionsBecomeDelegateCalls() {
    const auto graph = ir::parse(kChain);
    const Coverage coverage = partition(*graph);
    QCOMPARE(QString::fromStdString(ir::print(*graph)), QString(R"(graph forward {
  input %x : f32[2,3]
  %delegate_0 : f32[2,3] = exportdeck.delegate(%x)
  body graph delegate_0 {
    input %x : f32[2,3]
    const %w : f32[3] = "w" [1, 2, 3]
    %a : f32[2,3] = aten.mul.Tensor(%x, %w)
    return (%a)
  }
  %b : f32[2,3] = aten.erf.default(%delegate_0)
  %delegate_1 : f32[2,3] = exportdeck.delegate(%b, %delegate_0)
  body graph delegate_1 {
    input %b : f32[2,3]
    input %delegate_0 : f32[2,3]
    const %w : f32[3] = "w" [1, 2, 3]
    %c : f32[2,3] = aten.add.Tensor(%b, %w, 1)
    %d : f32[2,3] = aten.mul.Tensor(%delegate_0, %c)
    return (%d)
  }
  return (%delegate_1)
}
)"));
    QCOMPARE(coverage.delegates, 2);
    QCOMPARE(coverage.delegatedNodes(), uint64_t{3});
    QCOMPARE(coverage.nodes[1].reason, std::string("it is erf"));
    QCOMPARE(coverage.nodes[1].fix, std::string("Use tanh."));
    QCOMPARE(coverage.nodes[3].delegate, 1);
    QCOMPARE(coverage.nodes[0].bytes, uint64_t{24});
  }

  void constantsAreSharedNotCopied() {
    const auto graph = ir::parse(kChain);
    const ir::ConstantPtr before = graph->constants().front()->constant();
    partition(*graph);
    QVERIFY(graph->constants().empty());
    for (const auto& node : graph->nodes()) {
      if (node->body) QVERIFY(node->body->constants().front()->constant() == before);
    }
  }

  void movesAloneStayKernels() {
    const auto graph = ir::parse(R"(graph forward {
  input %x : f32[2,3]
  %a : f32[2,3] = aten.erf.default(%x)
  %b : f32[3,2] = aten.permute_copy.default(%a, [1, 0])
  %c : f32[3,2] = aten.erf.default(%b)
  %d : f32[6] = aten.view_copy.default(%c, [6])
  %e : f32[6] = aten.exp.default(%d)
  return (%e)
})");
    const Coverage coverage = partition(*graph);
    QCOMPARE(coverage.delegates, 1);
    QVERIFY(!coverage.nodes[1].delegated);
    QVERIFY(coverage.nodes[1].reason.find("only moves data") != std::string::npos);
    QVERIFY(coverage.nodes[3].delegated);
    QVERIFY(coverage.nodes[4].delegated);
  }

  void excludedOperatorsStayOut() {
    for (const char* name : {"aten.add.Tensor", "add"}) {
      const auto graph = ir::parse(kChain);
      options::OptionSet options = optionSet();
      options.set("exclude_ops", std::vector<std::string>{"aten.sub.Tensor", name});
      const Coverage coverage = partition(*graph, options);
      QVERIFY(!coverage.nodes[2].delegated);
      QVERIFY(coverage.nodes[2].reason.find("exclude_ops") != std::string::npos);
      QCOMPARE(coverage.nodes[2].fix, std::string("Remove it from exclude_ops: set exclude_ops=aten.sub.Tensor"));
      QCOMPARE(coverage.delegatedNodes(), uint64_t{2});
    }
  }

  void perOperatorModeSplitsPartitions() {
    const auto graph = ir::parse(kChain);
    options::OptionSet options = optionSet();
    options.set("per_op_mode", true);
    QCOMPARE(partition(*graph, options).delegates, 3);
  }

  void smallPartitionsStayKernels() {
    const auto graph = ir::parse(kChain);
    options::OptionSet options = optionSet();
    options.set("min_delegate_nodes", int64_t{2});
    const Coverage coverage = partition(*graph, options);
    QCOMPARE(coverage.delegates, 1);
    QVERIFY(coverage.nodes[0].reason.find("fewer than 2") != std::string::npos);
    QVERIFY(coverage.nodes[3].delegated);
  }

  void whatHasNoKernelIsDelegatedHoweverSmall() {
    const auto graph = ir::parse(R"(graph forward {
  input %x : f32[2,3]
  %a : f32[2,3] = aten.hardswish.default(%x)
  return (%a)
})");
    options::OptionSet options = optionSet();
    options.set("min_delegate_nodes", int64_t{5});
    QCOMPARE(partition(*graph, options).delegates, 1);
  }

  void multiplyAddsAreCounted() {
    const auto graph = ir::parse(R"(graph forward {
  input %x : f32[2,4,8,8]
  const %w : f32[6,2,3,3] = "w"
  const %l : f32[5,384] = "l"
  %a : f32[2,6,8,8] = aten.convolution.default(%x, %w, none, [1, 1], [1, 1], [1, 1], false, [0, 0], 2)
  %b : f32[2,384] = aten.view_copy.default(%a, [2, 384])
  %c : f32[2,5] = aten.linear.default(%b, %l, none)
  return (%c)
})");
    const Coverage coverage = partition(*graph);
    QCOMPARE(coverage.nodes[0].multiplyAdds, uint64_t{2 * 6 * 8 * 8 * 2 * 3 * 3});
    QCOMPARE(coverage.nodes[2].multiplyAdds, uint64_t{2 * 5 * 384});
    QCOMPARE(coverage.delegatedMultiplyAdds(), coverage.multiplyAdds());
  }

  // Any mix of taken and refused nodes gives a graph that verifies, with every taken node in a delegate.
  void randomGraphsVerify() {
    std::mt19937 random(3);
    for (int round = 0; round < 60; ++round) {
      ir::Graph graph;
      std::vector<ir::Value*> values = {graph.addInput("x", ir::TensorType(ir::DType::Float32, {2, 3}))};
      const auto origin = std::make_shared<Origin>();
      int taken = 0;
      for (int i = 0; i < 40; ++i) {
        ir::Value* a = values[random() % values.size()];
        ir::Value* b = values[random() % values.size()];
        const bool refused = random() % 3 == 0;
        taken += refused ? 0 : 1;
        std::vector<ir::Argument> args = refused ? std::vector<ir::Argument>{a} : std::vector<ir::Argument>{a, b};
        ir::Node* node =
            graph.addNode(refused ? "aten.erf.default" : "aten.mul.Tensor", std::move(args), {a->type()}, origin);
        values.push_back(node->output());
      }
      graph.setOutputs({values.back(), values[values.size() / 2]});
      QCOMPARE(partition(graph).delegatedNodes(), static_cast<uint64_t>(taken));
    }
  }

  void portableTakesNothing() {
    const auto graph = ir::parse(kChain);
    const Backend* portable = BackendRegistry::instance().find("portable");
    QVERIFY(portable);
    const Context context{silentProgress(), {}};
    const Coverage coverage = partitionAndLower(*graph, *portable, {}, context);
    QCOMPARE(coverage.delegates, 0);
    QCOMPARE(coverage.nodes[0].reason, std::string("the portable backend runs every operator as a kernel"));
  }

  // What XNNPACK reads at each run is an operand of the call, weights are the blob's.
  void constantsThatAreReadAreOperands() {
    const auto graph = ir::parse(R"(graph forward {
  input %x : f32[2,3]
  const %w : f32[4,3] = "w"
  const %s : f32[4] = "s"
  const %k : i64[] = "k" [2]
  %a : f32[2,4] = aten.linear.default(%x, %w, none)
  %b : f32[2,4] = aten.mul.Tensor(%a, %s)
  %c : f32[2,4] = aten.add.Tensor(%b, %k, 1)
  return (%c)
})");
    const ir::ConstantPtr scale = graph->constants()[1]->constant();
    const Context context{silentProgress(), {}};
    partitionAndLower(*graph, *BackendRegistry::instance().find("xnnpack"), {}, context);
    ir::verify(*graph);
    const ir::Node& call = *graph->nodes().front();
    QCOMPARE(call.argCount(), size_t{3});
    QVERIFY(call.value(1)->constant() == scale);
    QCOMPARE(call.value(2)->type().text(), std::string("f32[]"));
    QCOMPARE(call.blob->namedData.size(), size_t{1});
  }

  void theRegistryKnowsItsBackends() {
    QCOMPARE(BackendRegistry::instance().ids(), (std::vector<std::string>{"portable", "xnnpack"}));
    QVERIFY(!BackendRegistry::instance().find("XNNPACK"));
  }

  void aStopRequestIsHonoured() {
    const auto graph = ir::parse(kChain);
    std::stop_source source;
    source.request_stop();
    const Context context{silentProgress(), source.get_token()};
    QCOMPARE(tests::errorCode([&] { return partitionAndLower(*graph, AllButErf(), optionSet(), context).delegates; }),
             std::string("cancelled"));
  }
};

QTEST_APPLESS_MAIN(TestPartition)
#include "tst_partition.moc"
