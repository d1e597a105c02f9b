// Where a node comes from in the user's program, from its metadata in the archive.
#pragma once

#include <string_view>

#include "base/diagnostic.h"

namespace exportdeck::pt2 {

// Fills file, line and text of a frame of a Python stack trace: the innermost one outside PyTorch's own files, which is
// the line that the user can change; the innermost of all where every frame is PyTorch's.
//   File "/home/me/model.py", line 12, in forward
//     x = x.sort()
void readStackTrace(std::string_view trace, Origin& origin);

// Fills module path and type of the innermost module of `nn_module_stack`: entries `key,path,type` joined by ';'.
// Paths of older releases, as `L['self'].layer1[0]` or `getattr(L['self'].layer1, '0')`, become "layer1.0".
void readModuleStack(std::string_view stack, Origin& origin);

}  // namespace exportdeck::pt2
