// Parser of one schema string as PyTorch's registry prints it.
#pragma once

#include <string_view>

#include "ops/schema.h"

namespace exportdeck::ops {

// "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor". Throws Code::Fault for text that is no
// schema: the texts are our own data.
OpSchema parseSchema(std::string_view text);

// "aten.add.Tensor" for "aten::add.Tensor", "aten.relu.default" for "aten::relu"; and back.
std::string operatorName(std::string_view registryName);
std::string registryName(std::string_view operatorName);

}  // namespace exportdeck::ops
