// Where things lie in an archive, and which kind of archive a zip is.
#pragma once

#include <string>

#include "ir/graph.h"
#include "pt2/archive.h"
#include "pt2/json.h"

namespace exportdeck::pt2 {

// The entries of an archive that make one exported program.
struct Layout {
  std::string program;             // the graph, as JSON
  std::string weights, constants;  // parameters and persistent buffers; the other tensors
  std::string sampleInputs;        // torch.save of (args, kwargs); may be absent
  // False: `weights` and `constants` are configurations that name a record a storage (torch 2.9 and later).
  // True: they are what torch.save made of a dict of tensors (torch 2.8 and earlier).
  bool isPickled = false;
};

// Tells the layouts of torch 2.5 to 2.13 apart. Throws ArchiveFormat for everything else and says what it is: an older
// one, a checkpoint, an AOTInductor package …
Layout findLayout(const Archive& archive);

// How the call's arguments and results nest, from the module call graph's entry for the root module.
ir::ContainerSpec readContainers(json::Object graphModule);

}  // namespace exportdeck::pt2
