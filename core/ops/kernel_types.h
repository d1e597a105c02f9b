// The element types that a kernel takes.
//
// Source: ops/data/kernel_types.txt, made by calling each kernel of the ExecuTorch 1.5.1 SDK with every element type
// (tests/probe). No list of them is published, and a kernel that is called with another type ends the program's run.
#pragma once

#include <string>
#include <vector>

#include "ops/schema.h"

namespace exportdeck::ops {

// Element types of a call. One entry for each tensor argument in schema order, lists counting as one, absent ones left
// out.
struct CallTypes {
  struct Operand {
    std::string_view name;  // the argument's, as the schema has it
    ir::DType dtype;
  };
  std::vector<Operand> operands;
  std::vector<ir::DType> results;  // for an out list: one
};

// Whether the kernel ("aten::add.out") runs with these types. False where it was not tried.
bool kernelTakes(const KernelInfo& kernel, const CallTypes& types);

// What it takes, for messages: "(A, A) -> A where A is f32 or f64; …". Empty where nothing is known.
std::string kernelTypesText(const KernelInfo& kernel);

}  // namespace exportdeck::ops
