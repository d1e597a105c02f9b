// Which kind of archive a zip is.
#pragma once

#include <string>

#include "pt2/archive.h"

namespace exportdeck::pt2 {

// The name of the exported program in an archive of the torch >= 2.9 layout (`models/NAME.json`), usually "model".
// Throws ArchiveFormat for everything else and says what it is: an older layout, a checkpoint, an AOTInductor package …
std::string findProgram(const Archive& archive);

}  // namespace exportdeck::pt2
