// Where the command-line program is, for the front ends that start it.
#pragma once

#include <QString>

namespace exportdeck::services {

// The environment's EXPORTDECK_CLI where set, else "exportdeck" beside the running program.
QString commandLineProgram();

}  // namespace exportdeck::services
