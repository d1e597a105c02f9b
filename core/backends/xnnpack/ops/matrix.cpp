// Matrix products: linear layers with constant weights, and products of computed matrices.
#include <array>

#include "backends/xnnpack/integers.h"
#include "backends/xnnpack/rules.h"

namespace exportdeck::backends::xnnpack {

namespace {

Verdict judgeLinear(const ir::Node& node) {
  if (node.value(1)->type().rank() != 2) return Verdict::refuse("its weight is no matrix");
  return Verdict::take();
}

Verdict judgeProduct(const ir::Node& node) {
  if (node.value(1)->isConstant() && node.value(0)->isConstant())
    return Verdict::refuse("both its operands are constants");
  return Verdict::take();
}

Verdict judgeAddmm(const ir::Node& node) {
  const ir::TensorType& added = node.value(0)->type();
  if (added.rank() == 0 || added.count() != added.dim(-1) || added.dim(-1) != node.output()->type().dim(-1)) {
    return Verdict::refuse("what it adds is not one number a column");
  }
  if (node.floatArg(3) != 1 || node.floatArg(4) != 1) return Verdict::refuse("it scales its operands");
  if (!node.value(0)->isConstant() && added.rank() != 1) return Verdict::refuse("what it adds is computed at run time");
  return Verdict::take();
}

// A weight or bias: constants come in the element type of the result and with the given dimensions.
ValueId packedOperand(Lowering& lowering, const ir::Value* value, const ir::Shape& sizes, ir::DType dtype,
                      const char* role) {
  if (!value->isConstant()) return lowering.plain(value);
  return lowering.addPacked(*value->constant(), StaticForm::plain(sizes, dtype, role));
}

// A weight whose numbers fit half precision, and may be stored so: XNNPACK makes floats of them when it loads them.
ValueId packedHalves(Lowering& lowering, const ir::Constant& weight) {
  const ir::Constant halves{weight.name, ir::TensorType(ir::DType::Float16, weight.type.shape), weight.half};
  return lowering.addPacked(halves, StaticForm::plain(weight.type.sizes(), ir::DType::Float16, "fc"));
}

// A factor or summand, which is read at each run.
ValueId readOperand(Lowering& lowering, const ir::Value* value, const ir::Shape& sizes, ir::DType dtype) {
  if (!value->isConstant()) return lowering.plain(value);
  return lowering.addOperand(value->constant(), StaticForm::plain(sizes, dtype, "value"));
}

// The product, and the bias added to it.
void emitSum(Lowering& lowering, const ir::Node& node, Node product, const ir::Value& bias) {
  const ir::DType dtype = node.output()->type().dtype;
  product.output = lowering.addTemporary(dtype, node.output()->type().shape);
  Node sum;
  sum.kind = NodeKind::Add;
  sum.inputs = {product.output, readOperand(lowering, &bias, {bias.type().count()}, dtype)};
  sum.output = lowering.plainResult(node);
  lowering.addInner(std::move(product));
  lowering.add(std::move(sum));
}

// x · weightᵀ + bias, or x · weight + bias where `flags` say that the weight is [in, out].
//
// The runtime frees constant weights and biases once they are packed, but packs while it runs where either is computed:
// a mixed pair would be read after it was freed (executorch 1.5.1, XNNCompiler.cpp, getPackedValueIds). There the bias
// is added.
void emitFullyConnected(Lowering& lowering, const ir::Node& node, size_t x, size_t weight, const ir::Value* bias,
                        uint32_t flags) {
  const ir::DType dtype = node.output()->type().dtype;
  const ir::Value* matrix = node.value(weight);
  const bool addsBias = bias && bias->isConstant() != matrix->isConstant();
  Node made;
  made.kind = NodeKind::FullyConnected;
  made.flags = flags;
  const bool isHalf = matrix->isConstant() && matrix->constant()->half && flags == 0 && !addsBias;
  made.inputs = {lowering.plain(node.value(x)),
                 isHalf ? packedHalves(lowering, *matrix->constant())
                        : packedOperand(lowering, matrix, matrix->type().shape, dtype, flags ? "fct" : "fc"),
                 kNoValue};
  if (!addsBias) {
    if (bias) made.inputs[2] = packedOperand(lowering, bias, {bias->type().count()}, dtype, "bias");
    made.output = lowering.plainResult(node);
    lowering.add(std::move(made));
    return;
  }
  emitSum(lowering, node, std::move(made), *bias);
}

// With the weight as integers: on integers, on floats, or (`isDynamic`) on floats that become integers when it runs.
// XNNPACK multiplies the bias by the weight's scales too where the operand is floats: it is added there.
void emitOnIntegers(Lowering& lowering, const ir::Node& node, bool isDynamic) {
  const ir::Constant& weight = *node.value(1)->constant();
  const ir::Value* bias = node.valueOrNull(2);
  const Order order = plainOrder(node.value(0)->type().rank());
  Node made;
  made.kind = NodeKind::FullyConnected;
  const bool inPairs =
      isDynamic && weight.integers->bits == 4 && weight.type.size(1) % 2 == 0 && weight.integers->scales.size() > 1;
  const StaticForm form = StaticForm::plain(weight.type.sizes(), ir::DType::Int8, "fcq");
  made.inputs = {isDynamic ? lowering.dynamic(node.value(0), order, 1) : lowering.plain(node.value(0)),
                 inPairs ? lowering.addPackedPairs(weight) : lowering.addPackedIntegers(weight, form, 0), kNoValue};
  if (bias && !lowering.integers() && !isDynamic) return emitSum(lowering, node, std::move(made), *bias);
  if (bias && lowering.integers()) {
    made.inputs[2] = lowering.addPackedBias(*bias->constant(), weight, lowering.scaleOf(node.value(0)).scale);
  } else if (bias) {
    made.inputs[2] =
        lowering.addPacked(*bias->constant(), StaticForm::plain({bias->type().elements()}, ir::DType::Float32, "bias"));
  }
  made.output = lowering.plainResult(node);
  lowering.add(std::move(made));
}

void emitLinear(Lowering& lowering, const ir::Node& node) {
  if (lowering.integers() || keepsIntegers(node)) return emitOnIntegers(lowering, node, false);
  emitFullyConnected(lowering, node, 0, 1, node.valueOrNull(2), 0);
}

void emitDynamicLinear(Lowering& lowering, const ir::Node& node) {
  emitOnIntegers(lowering, node, true);
}

Verdict judgeDynamicLinear(const ir::Node& node) {
  if (keepsIntegers(node) || keepsGroups(node)) return Verdict::take();
  return Verdict::refuse("its weight is no matrix of 8-bit integers, or of 4-bit ones in groups of 32");
}

bool takesIntegers(const ir::Node& node, const std::vector<TensorScale>& operands, const TensorScale& result) {
  return node.value(1)->type().rank() == 2 &&
         multipliesIntegers(*node.value(1), node.valueOrNull(2), operands.front().scale, result.scale);
}

void emitAddmm(Lowering& lowering, const ir::Node& node) {
  emitFullyConnected(lowering, node, 1, 2, node.value(0), kFlagTransposeWeights);
}

// The last two dimensions of a matrix or batch of matrices exchanged.
Order swapped(size_t rank) {
  Order order = plainOrder(rank);
  std::swap(order[rank - 2], order[rank - 1]);
  return order;
}

// The right-hand side may lie in memory as [columns, sum] as well as [sum, columns].
void emitBatchProduct(Lowering& lowering, const ir::Node& node) {
  const ir::DType dtype = node.output()->type().dtype;
  const ir::Value *left = node.value(0), *right = node.value(1);
  Node made;
  made.kind = NodeKind::BatchMatrixMultiply;
  made.inputs.push_back(readOperand(lowering, left, left->type().shape, dtype));
  const Order turned = swapped(right->type().rank());
  if (!right->isConstant() && lowering.nearest(right, {plainOrder(turned.size()), turned}) == turned) {
    made.inputs.push_back(lowering.value(right, turned));
    made.flags = kFlagTransposeB;
  } else {
    made.inputs.push_back(readOperand(lowering, right, right->type().shape, dtype));
  }
  made.output = lowering.plainResult(node);
  lowering.add(std::move(made));
}

Wish wishesOfProduct(const ir::Node& node, const ir::Value& operand, const Wish&) {
  const size_t rank = operand.type().rank();
  if (&operand != node.value(1)) return {plainOrder(rank)};
  return {plainOrder(rank), swapped(rank)};
}

void emitMm(Lowering& lowering, const ir::Node& node) {
  if (node.value(1)->isConstant()) {
    emitFullyConnected(lowering, node, 0, 1, nullptr, kFlagTransposeWeights);
  } else {
    emitBatchProduct(lowering, node);
  }
}

constexpr std::array<Rule, 5> kRules = {{
    {.op = "aten.linear.default",
     .judge = judgeLinear,
     .lower = emitLinear,
     .fusesActivation = true,
     .takesIntegers = takesIntegers},
    {"exportdeck.dynamic_linear.default", judgeDynamicLinear, emitDynamicLinear, true},
    {.op = "aten.mm.default", .judge = judgeProduct, .lower = emitMm, .wishes = wishesOfProduct},
    {"aten.addmm.default", judgeAddmm, emitAddmm, true},
    {.op = "aten.bmm.default", .judge = judgeProduct, .lower = emitBatchProduct, .wishes = wishesOfProduct},
}};

}  // namespace

std::span<const Rule> matrixRules() {
  return kRules;
}

}  // namespace exportdeck::backends::xnnpack
