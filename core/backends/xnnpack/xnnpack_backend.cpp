#include "backends/xnnpack/xnnpack_backend.h"

#include "backends/selection.h"
#include "backends/xnnpack/lowering.h"
#include "backends/xnnpack/rules.h"
#include "backends/xnnpack/serialise.h"

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

std::shared_ptr<const ir::DelegateBlob> XnnpackBackend::lower(ir::Graph& partition, const options::OptionSet& options,
                                                              const Context& context) const {
  context.throwIfStopped();
  Lowering lowering(partition, boolOption(options, "fuse_activations", true));
  return std::make_shared<ir::DelegateBlob>(serialise(lowering.run()));
}

}  // namespace exportdeck::backends::xnnpack
