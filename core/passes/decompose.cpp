// Rewrites operators that neither a kernel nor the backend takes as simpler ones, until none is left that has a
// decomposition.
#include "base/text.h"
#include "passes/decomposition.h"
#include "passes/passes.h"

namespace exportdeck::passes {

namespace {

// A replacement must be what the archive says that the operator gives.
void requireSameType(const ir::Node& node, const ir::Value* from, const ir::Value* to) {
  check(!from->isTensor() || from->type() == to->type(),
        concat("the decomposition of ", node.op(), " (", node.origin().node, ") gives ", to->type().text(), " for ",
               from->type().text()));
}

// How a result of the program lies in memory is the user's wish, whatever computes it.
void keepMemoryOrder(const ir::Graph& graph, const ir::Value* from, ir::Value* to) {
  if (!from->isTensor() || from->type().strides.empty() || !graph.isOutput(from) || !to->producer()) return;
  ir::TensorType type = to->type();
  type.strides = from->type().strides;
  to->setType(std::move(type));
}

// What a decomposition cannot do is reported at the user's line.
template <typename Work>
auto runAt(const ir::Node& node, const Work& work) {
  try {
    return work();
  } catch (const ExportError& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (diagnostic.where.empty()) {
      diagnostic.where = node.origin();
      if (diagnostic.where.op.empty()) diagnostic.where.op = node.op();
    }
    throw ExportError(std::move(diagnostic));
  }
}

void replace(ir::Graph& graph, ir::Node* node, const std::vector<ir::Value*>& replacements) {
  check(replacements.size() == node->outputs().size(),
        concat("the decomposition of ", node->op(), " gives another number of results"));
  for (size_t i = 0; i < replacements.size(); ++i) {
    ir::Value* from = node->output(i);
    if (graph.isUnused(from)) continue;
    check(replacements[i] != nullptr, concat("the decomposition of ", node->op(), " leaves out a result that is read"));
    requireSameType(*node, from, replacements[i]);
    keepMemoryOrder(graph, from, replacements[i]);
    graph.replaceAllUses(from, replacements[i]);
  }
  graph.erase(node);
}

// What integer-products, keep-integers and fuse-dynamic look for.
bool isOfQuantised(const ir::Node& node) {
  return node.op().starts_with("torchao.") || node.is("aten._int_mm.default");
}

bool never(const ir::Node&) {
  return false;
}

void decomposeUnless(ir::Graph& graph, PassContext& context, bool (*waits)(const ir::Node&)) {
  // Far above what any operator becomes: a decomposition that leads back to itself is found, not followed for ever.
  size_t stepsLeft = 100'000 + graph.nodes().size() * 1000;
  const DecompositionRegistry& registry = DecompositionRegistry::instance();
  ConstantPool pool;
  const auto& nodes = graph.nodes();
  for (auto at = nodes.begin(); at != nodes.end();) {
    ir::Node* node = at->get();
    const Decompose run = registry.find(node->op());
    if (!run || waits(*node) || context.keepWhole(*node)) {
      ++at;
      continue;
    }
    context.context.throwIfStopped();
    const bool first = at == nodes.begin();
    const auto before = first ? at : std::prev(at);
    Builder build(graph, *node, pool);
    const std::vector<ir::Value*> replacements = runAt(*node, [&] { return run(build, *node); });
    if (replacements.empty()) {
      ++at;
      continue;
    }
    check(--stepsLeft > 0, concat("the decomposition of ", node->op(), " leads back to itself"));
    replace(graph, node, replacements);
    // Go on with the nodes that were just built.
    at = first ? nodes.begin() : std::next(before);
  }
  graph.eraseUnusedConstants();
}

}  // namespace

void decompose(ir::Graph& graph, PassContext& context) {
  decomposeUnless(graph, context, never);
}

void decomposeAllButQuantised(ir::Graph& graph, PassContext& context) {
  decomposeUnless(graph, context, isOfQuantised);
}

}  // namespace exportdeck::passes
