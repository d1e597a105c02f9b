// The portable backend: no delegate, every operator is a kernel call.
#pragma once

#include "backends/backend.h"

namespace exportdeck::backends {

class PortableBackend : public Backend {
 public:
  std::string_view id() const override { return "portable"; }
  bool keepsWhole(const ir::Node& node, const options::OptionSet& options) const override;
  Verdict judge(const ir::Node& node, const options::OptionSet& options) const override;
  // Never called, since no node is taken: Code::Fault.
  Lowered lower(ir::Graph& partition, const options::OptionSet& options, const Context& context) const override;
};

}  // namespace exportdeck::backends
