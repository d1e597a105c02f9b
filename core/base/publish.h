// Several files that belong together.
#pragma once

#include <vector>

#include "base/sink.h"

namespace exportdeck {

// Gives all their names, or none: where one cannot get its name, those before it lose theirs, and what was there before
// is there again. At no time do new files stand beside old ones: what is replaced is set aside first, as PATH.old-PID,
// and is found there if the process is killed meanwhile. Throws as OutputFile::publish().
void publishTogether(const std::vector<OutputFile*>& files, bool replace);

}  // namespace exportdeck
