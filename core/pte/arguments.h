// Arguments of kernel calls as entries of the value table.
#pragma once

#include "ir/graph.h"
#include "ops/schema.h"
#include "pte/value_table.h"

namespace exportdeck::pte {

// The entry that stands for argument `index` of a kernel call, in the form that the kernel's schema demands. A kernel
// that is handed another form (a number for a tensor, say) aborts the process at run time, so what does not fit is
// Code::Fault here.
int argumentIndex(const ir::Node& node, size_t index, const ops::ArgSchema& schema, ValueTable& values);

}  // namespace exportdeck::pte
