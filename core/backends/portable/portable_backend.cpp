#include "backends/portable/portable_backend.h"

namespace exportdeck::backends {

bool PortableBackend::keepsWhole(const ir::Node&, const options::OptionSet&) const {
  return false;
}

Verdict PortableBackend::judge(const ir::Node&, const options::OptionSet&) const {
  return Verdict::refuse("the portable backend runs every operator as a kernel");
}

Lowered PortableBackend::lower(ir::Graph&, const options::OptionSet&, const Context&) const {
  throw ExportError(Code::Fault, "The portable backend was given a partition");
}

}  // namespace exportdeck::backends
