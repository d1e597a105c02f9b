#include <algorithm>

#include "backends/backend.h"
#include "backends/portable/portable_backend.h"
#include "backends/xnnpack/xnnpack_backend.h"

namespace exportdeck::backends {

BackendRegistry::BackendRegistry() {
  backends_.push_back(std::make_unique<PortableBackend>());
  backends_.push_back(std::make_unique<xnnpack::XnnpackBackend>());
}

const BackendRegistry& BackendRegistry::instance() {
  static const BackendRegistry registry;
  return registry;
}

const Backend* BackendRegistry::find(std::string_view id) const {
  for (const auto& backend : backends_) {
    if (backend->id() == id) return backend.get();
  }
  return nullptr;
}

std::vector<std::string> BackendRegistry::ids() const {
  std::vector<std::string> ids;
  for (const auto& backend : backends_) ids.emplace_back(backend->id());
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace exportdeck::backends
