#include "passes/quantised_kernels.h"

#include "base/text.h"
#include "ops/schema.h"
#include "passes/quantised_weight.h"

namespace exportdeck::passes {

namespace {

// The scales of a matrix's rows, or of the groups in each.
ir::Value* scalesOfRows(Builder& build, const ir::Constant& matrix) {
  const auto count = static_cast<int64_t>(matrix.integers->scales.size());
  const int64_t rows = matrix.type.size(0);
  const auto bytes = std::as_bytes(std::span(matrix.integers->scales));
  const ir::Sizes sizes = count == rows ? ir::Sizes{rows} : ir::Sizes{rows, count / rows};
  return build.constant(concat(matrix.name, ".scales"), ir::TensorType(ir::DType::Float32, sizes),
                        Bytes(bytes.begin(), bytes.end()));
}

ir::Value* part(Builder& build, const ir::Constant& whole, std::string_view what, ir::DType dtype,
                const ir::Sizes& sizes, std::shared_ptr<const ByteSource> data) {
  return build.constant(std::make_shared<const ir::Constant>(
      ir::Constant{concat(whole.name, ".", what), ir::TensorType(dtype, sizes), std::move(data)}));
}

// A scale, or several, for each row of a matrix.
bool isByRow(const ir::Constant& matrix) {
  const ir::Integers& integers = *matrix.integers;
  return matrix.type.rank() == 2 && integers.axis == 0 && !integers.scales.empty() && matrix.type.elements() > 0 &&
         static_cast<int64_t>(integers.scales.size()) % matrix.type.size(0) == 0;
}

bool hasKernel(const char* op, const PassContext& context) {
  const ops::KernelInfo* kernel = ops::kernelFor(op);
  return kernel && (!context.runtime || context.runtime->has(*kernel));
}

}  // namespace

const char* embeddingOperator(int bits) {
  return bits == 4 ? "quantized_decomposed.embedding_4bit.default" : "quantized_decomposed.embedding_byte.default";
}

ir::Value* embeddingOnIntegers(Builder& build, const ir::Node& node, const ir::Constant& table,
                               const PassContext& context) {
  const ir::Integers& integers = *table.integers;
  // Two integers a byte, where a row has an even number of them.
  const int bits = integers.bits == 4 && isByRow(table) && table.type.size(1) % 2 == 0 ? 4 : 8;
  if (!isByRow(table) || !hasKernel(embeddingOperator(bits), context)) return nullptr;
  const ir::Sizes sizes = table.type.sizes();
  ir::Value* elements = bits == 4 ? part(build, table, "int4", ir::DType::UInt8, {sizes[0], sizes[1] / 2},
                                         packedPairs(integers.data, FirstOfPair::HighBits))
                                  : part(build, table, "int8", ir::DType::Int8, sizes, integers.data);
  const int64_t low = bits == 4 ? -8 : -128, high = bits == 4 ? 7 : 127;
  ir::Value* indices = build.cast(node.value(1), ir::DType::Int64);
  return build.node(embeddingOperator(bits), {elements, scalesOfRows(build, table), ir::None{}, low, high, indices},
                    node.output()->type());
}

// The kernel takes matrices only.
ir::Value* linearOnIntegers(Builder& build, ir::Value* x, const ir::Constant& weight, ir::Value* bias,
                            const ir::TensorType& result, const PassContext& context) {
  if (!isByRow(weight) || !hasKernel(kLinearOnIntegers, context)) return nullptr;
  const ir::SymInt rows = product(std::span(result.shape).first(result.rank() - 1));
  ir::Value* integers = part(build, weight, "int8", ir::DType::Int8, weight.type.sizes(), weight.integers->data);
  ir::Value* left = build.view(x, {rows, ir::SymInt(weight.type.size(1))});
  ir::Value* y = build.node(kLinearOnIntegers, {left, integers, scalesOfRows(build, weight), ir::None{}, ir::None{}},
                            {result.dtype, {rows, ir::SymInt(weight.type.size(0))}});
  y = build.view(y, result.shape);
  return bias ? build.add(y, bias) : y;
}

}  // namespace exportdeck::passes
