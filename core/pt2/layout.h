// Where things lie in an archive, and which kind of archive a zip is.
#pragma once

#include <string>

#include "ir/graph.h"
#include "pt2/archive.h"
#include "pt2/json.h"

namespace exportdeck::pt2 {

// The name of the exported program in an archive of the torch >= 2.9 layout (`models/NAME.json`), usually "model".
// Throws ArchiveFormat for everything else and says what it is: an older layout, a checkpoint, an AOTInductor package …
std::string findProgram(const Archive& archive);

// How the call's arguments and results nest, from the module call graph's entry for the root module.
ir::ContainerSpec readContainers(json::Object graphModule);

}  // namespace exportdeck::pt2
