// From the words of the call to the exit code.
#pragma once

namespace exportdeck::cli {

// Never throws.
int runApplication(int argc, char** argv);

}  // namespace exportdeck::cli
