#include "backends/xnnpack/xnnpack_backend.h"

#include <algorithm>
#include <unordered_map>

#include "backends/selection.h"
#include "backends/xnnpack/hash_ahead.h"
#include "backends/xnnpack/lowering.h"
#include "backends/xnnpack/rules.h"
#include "backends/xnnpack/serialise.h"
#include "base/text.h"

namespace exportdeck::backends::xnnpack {

namespace {

// The node alone, with its operands as inputs.
std::unique_ptr<ir::Graph> alone(const ir::Node& node) {
  auto graph = std::make_unique<ir::Graph>();
  std::unordered_map<const ir::Value*, ir::Value*> inside;
  const auto mapped = [&](const ir::Value* value) -> ir::Value* {
    if (!value) return nullptr;
    ir::Value*& known = inside[value];
    if (!known)
      known = value->isConstant() ? graph->addConstant(value->constant()) : graph->addInput("x", value->type());
    return known;
  };
  std::vector<ir::Argument> args = node.args();
  for (ir::Argument& argument : args) {
    if (auto* value = std::get_if<ir::Value*>(&argument)) argument = mapped(*value);
    if (auto* list = std::get_if<ir::ValueList>(&argument)) {
      for (ir::Value*& item : *list) item = mapped(item);
    }
  }
  ir::Node* copy = graph->addNode(node.op(), std::move(args), {}, node.originPtr());
  for (const ir::Value* output : node.outputs()) graph->addOutputTo(copy, output->kind(), output->type());
  graph->setOutputs({copy->output()});
  return graph;
}

bool hasOpenSizes(const ir::Node& node) {
  const auto isOpen = [](const ir::Value* value) { return value->isTensor() && !value->type().isStatic(); };
  const std::vector<ir::Value*> operands = node.operands();
  return std::any_of(operands.begin(), operands.end(), isOpen) ||
         std::any_of(node.outputs().begin(), node.outputs().end(), isOpen);
}

// Which of an operator's numbers depend on sizes that are known only at run time shows when it is lowered.
Verdict judgeOpen(const ir::Node& node, const Rule& rule) {
  try {
    if (Verdict verdict = rule.judge(node); !verdict.taken) return verdict;
    Lowering(*alone(node), false).run();
  } catch (const ExportError& error) {
    if (error.diagnostic().code != Code::ShapeUnsupported) throw;
    return Verdict::refuse(error.diagnostic().message);
  }
  return Verdict::take();
}

}  // namespace

bool XnnpackBackend::keepsWhole(const ir::Node& node, const options::OptionSet& options) const {
  return !isExcluded(node, options) && judge(node, options).taken;
}

Verdict XnnpackBackend::judge(const ir::Node& node, const options::OptionSet&) const {
  const Rule* rule = findRule(node.op());
  if (!rule) return Verdict::refuse("XNNPACK has no such operator");
  Verdict verdict = commonVerdict(node, *rule);
  if (!verdict.taken) return verdict;
  return hasOpenSizes(node) ? judgeOpen(node, *rule) : rule->judge(node);
}

const char* XnnpackBackend::whyNotAlone(const ir::Node& node) const {
  if (alphaOf(node) != 1) {
    return "its alpha is not 1, which a kernel does in one step and XNNPACK in two, and it would be alone in its "
           "partition";
  }
  return Backend::whyNotAlone(node);
}

Lowered XnnpackBackend::lower(ir::Graph& partition, const options::OptionSet& options, const Context& context) const {
  hashAhead(partition, context);
  Subgraph subgraph = Lowering(partition, boolOption(options, "fuse_activations", true)).run();
  const size_t externs = partition.inputs().size() + subgraph.operands.size() + partition.outputs().size();
  if (externs > kMaxExterns) {
    throw ExportError(
        Code::ShapeUnsupported,
        concat("A part of the model for XNNPACK has ", externs, " inputs and outputs; the runtime takes ", kMaxExterns),
        {"Keep an operator that occurs often out of it with exclude_ops.", "Set per_op_mode=true."});
  }
  Lowered lowered;
  lowered.operands = std::move(subgraph.operands);
  lowered.blob = std::make_shared<ir::DelegateBlob>(serialise(subgraph));
  return lowered;
}

}  // namespace exportdeck::backends::xnnpack
