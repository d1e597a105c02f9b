// Kernel calls: the form of nodes outside the delegates that the .pte writer takes, and the check that such a call will
// run.
//
// After toKernels() a graph holds only
//   * delegate calls (ir::kDelegateOp);
//   * static reshapes, "aten.view_copy.default"(x, sizes): squeeze, unsqueeze and their like are turned into them.
//   Every value is
//     row-major, so the result is the bytes of x under another shape: where the place of x is known the writer gives
//     the result the same place and no instruction (pte/storage.h says when), else it calls aten::view_copy.out;
//   * kernel calls: the operator is the kernel's own ("aten.add.out"; ops::kernelFor() finds it), the arguments are its
//   schema's
//     in order without the out ones, the results are the out arguments in order (the elements of an out list).
//
// In kernel calls every argument has the form of its kind (see ops::bindArguments); a Tensor argument is a tensor,
// never a number; dtype, layout, device and memory format, which the out tensor states, are gone; memory format
// arguments that a kernel has are none; dim_order arguments are row-major.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/graph.h"
#include "ops/kernel_types.h"
#include "passes/pass.h"

namespace exportdeck::passes {

// Operators whose result is the bytes of their operand under another shape.
bool isStaticReshape(const ir::Node& node);

// Why nothing can lower this functional node, backends aside: no schema, no kernel, sizes or numbers known only at run
// time, element types that no kernel has. Nothing where it can be lowered.
std::optional<Diagnostic> operatorProblem(const ir::Node& node);
// Only the part of it that holds for backends too.
std::optional<Diagnostic> valueProblem(const ir::Node& node);

// The element types of a kernel call.
ops::CallTypes callTypes(const ir::Node& call);

// Why the kernel call would fail at run time, as far as is known: its element types (ops/kernel_types.h) and the limits
// of single kernels. Nothing where it will run.
std::optional<Diagnostic> kernelCallProblem(const ir::Node& call);

// The refusal of a node whose kernel ("aten::add.out") the runtime profile lacks, with the profiles that have it and
// what backends say.
Diagnostic kernelMissing(const ir::Node& node, const std::string& kernel, const ops::RuntimeProfile& runtime,
                         const PassContext::Advice& advice);

// Reports every problem to `sink`, then throws the first, saying how many there are. Does nothing where there are none.
void refuse(const std::vector<Diagnostic>& problems, DiagnosticSink& sink);

}  // namespace exportdeck::passes
