// dtypes as numbers, as dtype arguments and Tensor.scalar_type hold them.
#pragma once

#include <optional>

#include "ir/graph.h"

namespace exportdeck::pte {

// PyTorch's number of the dtype. Throws DtypeUnsupported for the complex types and float8_e8m0fnu, which programs do
// not know; `user` names what has the dtype. Source: schema/scalar_type.fbs.
int8_t scalarType(ir::DType dtype, const ir::Value* user = nullptr);
std::optional<ir::DType> dtypeOfScalarType(int8_t number);

}  // namespace exportdeck::pte
