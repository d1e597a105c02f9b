// XNNPACK: optimised floating-point operators for CPUs, through ExecuTorch's XnnpackBackend delegate.
#pragma once

#include "backends/backend.h"

namespace exportdeck::backends::xnnpack {

class XnnpackBackend : public Backend {
 public:
  std::string_view id() const override { return "xnnpack"; }
  bool keepsWhole(const ir::Node& node, const options::OptionSet& options) const override;
  const char* whyNotAlone(const ir::Node& node) const override;
  Verdict judge(const ir::Node& node, const options::OptionSet& options) const override;
  // The runtime hands over sizes in the tensor's dim order (executorch 1.5.1, XNNExecutor.cpp).
  bool takesChannelsLast() const override { return true; }
  // Code::ShapeUnsupported for a partition with more inputs and outputs than the runtime takes.
  Lowered lower(ir::Graph& partition, const options::OptionSet& options, const Context& context) const override;
};

}  // namespace exportdeck::backends::xnnpack
