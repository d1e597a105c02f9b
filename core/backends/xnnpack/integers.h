// Which scales XNNPACK's operators on 8-bit integers take.
//
// Source of the facts: XNNPACK at the commit that executorch 1.5.1 pins, src/operators (create functions) and
// src/microparams-init.c.
#pragma once

#include <optional>

#include "backends/xnnpack/subgraph.h"
#include "ir/graph.h"

namespace exportdeck::backends::xnnpack {

// What the integers mean that a quantising operator makes or a dequantising one reads.
TensorScale meaningOf(const ir::Node& node);

// The float32 scale for each output channel of a weight that was quantised.
std::vector<float> channelScales(const ir::Constant& weight, size_t channels);

// Whether a sum of products with `weight` (output channels first) can be computed on integers: it was quantised by
// output channel, and neither the scales nor the bias as 32-bit integers leave XNNPACK's ranges.
bool multipliesIntegers(const ir::Value& weight, const ir::Value* bias, float scale, float resultScale);

// Whether a linear operator on floats can have its weight as integers.
bool keepsIntegers(const ir::Node& linear);
// Whether a linear operator whose operand is quantised when it runs can have its weight as 4-bit integers in groups.
bool keepsGroups(const ir::Node& linear);

// The bias as integers; nothing where one does not fit 32 bits.
std::optional<std::vector<int32_t>> biasIntegers(const ir::Constant& bias, const ir::Constant& weight, float scale);

// A sum or difference, and a product, of integers of these scales.
bool sumsIntegers(const std::vector<TensorScale>& operands, const TensorScale& result);
bool multipliesIntegers(const std::vector<TensorScale>& operands, const TensorScale& result);

// Whether `number` is one that integers of this meaning have, and whether all of them lie on one side of it.
bool isExact(double number, const TensorScale& scale);
bool isBeyond(double number, const TensorScale& scale);

}  // namespace exportdeck::backends::xnnpack
