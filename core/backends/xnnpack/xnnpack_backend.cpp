#include "backends/xnnpack/xnnpack_backend.h"

#include "backends/selection.h"
#include "backends/xnnpack/hash_ahead.h"
#include "backends/xnnpack/lowering.h"
#include "backends/xnnpack/rules.h"
#include "backends/xnnpack/serialise.h"
#include "base/text.h"

namespace exportdeck::backends::xnnpack {

bool XnnpackBackend::keepsWhole(const ir::Node& node, const options::OptionSet& options) const {
  return !isExcluded(node, options) && judge(node, options).taken;
}

Verdict XnnpackBackend::judge(const ir::Node& node, const options::OptionSet&) const {
  const Rule* rule = findRule(node.op());
  if (!rule) return Verdict::refuse("XNNPACK has no such operator");
  Verdict verdict = commonVerdict(node, *rule);
  return verdict.taken ? rule->judge(node) : verdict;
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
