// PyTorch's rules for the element type of an operation on tensors and Python numbers.
//
// Source: c10/core/ScalarType.h and ATen/native/TypeProperties.cpp of torch 2.13.0 (torch.result_type).
#pragma once

#include <span>

#include "ir/graph.h"

namespace exportdeck::passes {

// Tensors with dimensions come before 0-dim tensors, and those before Python numbers; a later group counts only where
// its kind (bool < integer < floating < complex) is higher. Arguments that are neither tensors nor numbers are ignored.
ir::DType resultType(std::span<const ir::Argument> operands);

}  // namespace exportdeck::passes
