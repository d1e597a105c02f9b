// An XNNPACK subgraph in memory, as the delegate blob describes it.
//
// Source of the facts: executorch 1.5.1, backends/xnnpack/serialization/schema.fbs, and xnnpack.h at the commit it
// pins.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "ir/graph.h"

namespace exportdeck::backends::xnnpack {

// A value's position in Subgraph::values.
using ValueId = uint32_t;
inline constexpr ValueId kNoValue = 0xFFFFFFFFu;

inline constexpr size_t kMaxRank = 6;        // XNN_MAX_TENSOR_DIMS
inline constexpr size_t kMaxExterns = 4096;  // the runtime refuses blobs with more inputs and outputs

// Numbers of the schema's XNodeUnion.
enum class NodeKind : uint8_t {
  Add = 1,
  FullyConnected = 2,
  Softmax = 3,
  Sigmoid = 4,
  StaticTranspose = 5,
  Clamp = 6,
  Conv2d = 7,
  Div = 8,
  StaticResizeBilinear2d = 9,
  StaticConstantPad = 10,
  AvgPooling2d = 11,
  Minimum = 12,
  DepthwiseConv2d = 13,
  MaxPooling2d = 14,
  Multiply = 15,
  Subtract = 16,
  Floor = 17,
  Convert = 18,
  GlobalAvgPooling2d = 19,
  StaticReshape = 20,
  SquareRoot = 22,
  Ceiling = 23,
  Hardswish = 24,
  LeakyRelu = 25,
  Maximum = 26,
  Negate = 27,
  Square = 28,
  Elu = 29,
  Abs = 30,
  PRelu = 31,
  Concatenate2 = 32,
  Concatenate3 = 33,
  Concatenate4 = 34,
  StaticSlice = 35,
  BatchMatrixMultiply = 37,
  Concatenate5 = 38,
  ConvTranspose2d = 39,
  ReciprocalSquareRoot = 40,
  Log = 41,
  Gelu = 42,
  Tanh = 43,
  Exp = 44,
  Sin = 45,
  Copy = 46,
  Cos = 47,
};

// For joining so many values: two to kMaxJoined.
inline constexpr size_t kMaxJoined = 5;
constexpr NodeKind concatenationOf(size_t count) {
  constexpr NodeKind kKinds[] = {NodeKind::Concatenate2, NodeKind::Concatenate3, NodeKind::Concatenate4,
                                 NodeKind::Concatenate5};
  return kKinds[count - 2];
}

// Node flags (xnnpack.h).
inline constexpr uint32_t kFlagTransposeWeights = 0x1;  // FullyConnected: the filter is [in, out]
inline constexpr uint32_t kFlagTransposeB = 0x1;        // BatchMatrixMultiply: the right-hand side is [columns, sum]
inline constexpr uint32_t kFlagAlignCorners = 0x8;      // StaticResizeBilinear2d
inline constexpr uint32_t kFlagKeepDims = 0x40;         // reductions

// Bounds on a node's result; infinite ones do nothing.
struct Range {
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();
  bool bounded() const {
    return min != -std::numeric_limits<float>::infinity() || max != std::numeric_limits<float>::infinity();
  }
};

struct Padding {
  uint32_t top = 0, right = 0, bottom = 0, left = 0;
};
struct ConvParams {
  Padding padding;
  uint32_t kernelHeight = 1, kernelWidth = 1, strideHeight = 1, strideWidth = 1, dilationHeight = 1, dilationWidth = 1;
  uint32_t groupInputChannels = 1, groupOutputChannels = 1, groups = 1;
  uint32_t adjustmentHeight = 0, adjustmentWidth = 0;  // ConvTranspose2d: output padding
};
struct PoolParams {
  Padding padding;
  uint32_t height = 1, width = 1, strideHeight = 1, strideWidth = 1, dilationHeight = 1, dilationWidth = 1;
};
struct PadParams {
  ir::Sizes before, after;  // per dimension
  float value = 0;
};
struct SliceParams {
  ir::Sizes offsets;
  ir::Shape sizes;
};
struct SizesParam {
  ir::Shape
      sizes;  // StaticTranspose: the permutation; StaticReshape: the new shape; StaticResizeBilinear2d: height, width
};
struct FloatParam {
  float value = 0;  // LeakyRelu: slope; Elu: alpha
};
struct AxisParam {
  uint32_t axis = 0;  // ConcatenateN
};
using Params =
    std::variant<std::monostate, ConvParams, PoolParams, PadParams, SliceParams, SizesParam, FloatParam, AxisParam>;

struct Node {
  NodeKind kind{};
  std::vector<ValueId> inputs;  // in the schema's order; filter and bias included, kNoValue where absent
  ValueId output = kNoValue;
  Params params;
  uint32_t flags = 0;
  Range range;
};

struct StaticData {
  std::string key;  // of the named data
  std::shared_ptr<const ByteSource> bytes;
};

// What integers stand for: (integer - zeroPoint) * scale.
struct TensorScale {
  float scale = 1;
  int32_t zeroPoint = 0;
  bool operator==(const TensorScale&) const = default;
};
// A scale for each index of a dimension; no zero points.
struct ChannelScales {
  uint32_t axis = 0, count = 0;
  std::shared_ptr<const StaticData> scales;  // float32
  int bits = 8;                              // 4: two a byte, the first in the low bits, each stored as itself + 8
};
// 4-bit integers of a matrix [out, in], two a byte: a scale for each group of neighbours in a row; no zero points.
struct GroupScales {
  uint32_t group = 0, count = 0;
  std::shared_ptr<const StaticData> scales;  // bfloat16, by rows
};
// Chosen while the program runs, for each group of the innermost dimensions.
struct DynamicScale {
  uint32_t dims = 1;
};
// Floats: none.
using Quantisation = std::variant<std::monostate, TensorScale, ChannelScales, GroupScales, DynamicScale>;

struct TensorValue {
  ir::DType dtype = ir::DType::Float32;
  Quantisation quantisation;
  ir::Shape dims;
  std::shared_ptr<const StaticData> data;  // null: computed or given
  uint32_t externalId = kNoValue;          // index in the delegate call's arguments
  bool isInput = false, isOutput = false;
};

struct Subgraph {
  std::vector<TensorValue> values;
  std::vector<Node> nodes;  // in execution order
  // Constants that come as inputs, see Lowering::addOperand(). Their external ids follow those of the partition's
  // inputs.
  std::vector<ir::ConstantPtr> operands;
};

// Drops nodes whose result nothing needs and values that no node uses; inputs and outputs stay.
void removeUnused(Subgraph& subgraph);

// One line a value and node, for tests: "v3 = conv2d(v0, v1, v2) f32[1,8,8,4] pad 1,1,1,1 …".
std::string print(const Subgraph& subgraph);

}  // namespace exportdeck::backends::xnnpack
