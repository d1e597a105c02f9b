// Arithmetic in its plainest form: two tensors, or a tensor and a number, without factors and modes.
#include "passes/decompositions/support.h"
#include "passes/promotion.h"

namespace exportdeck::passes::decompositions {

namespace {

// The operand as a tensor of `dtype`; a number becomes a 0-dim constant.
Value* operand(Builder& build, const ir::Argument& argument, DType dtype) {
  if (auto* const* value = std::get_if<Value*>(&argument)) return build.cast(*value, dtype);
  if (const auto* size = std::get_if<ir::SymInt>(&argument)) return build.sizeTensor(*size, dtype);
  const std::optional<Number> number = numberOf(argument);
  check(number.has_value(), "an arithmetic operand is neither tensor nor number");
  return build.scalar(*number, dtype);
}

Value* operand(Builder& build, const Node& node, size_t i) {
  return operand(build, node.args().at(i), resultDType(node));
}

// a + alpha * b and a - alpha * b.
Results addScaled(Builder& build, const Node& node, std::string_view op, Value* a, Value* b) {
  const Number alpha = numberOf(node.args().at(2)).value_or(int64_t{1});
  if (asDouble(alpha) != 1) b = build.mul(b, build.scalar(alpha, dtypeOf(b)));
  return {build.binary(op, a, b)};
}

// Kernels multiply in the result's element type, as PyTorch does where the operands have it too. Where the first
// operand is a single element, the optimized ones of executorch 1.5.1 swap the operands and multiply the wrong one.
bool kernelScales(const Node& node) {
  const ir::TensorType &a = node.value(0)->type(), &b = node.value(1)->type();
  return a == b && a.dtype == resultDType(node);
}

Results addOrSub(Builder& build, const Node& node) {
  const bool sub = node.op().starts_with("aten.sub");
  const bool isTensorForm = node.op().ends_with(".Tensor");
  if (isTensorForm && (node.floatArg(2) == 1 || kernelScales(node))) return {};
  return addScaled(build, node, sub ? "aten.sub.Tensor" : "aten.add.Tensor", operand(build, node, 0),
                   operand(build, node, 1));
}

// other - alpha * self
Results rsub(Builder& build, const Node& node) {
  return addScaled(build, node, "aten.sub.Tensor", operand(build, node, 1), operand(build, node, 0));
}

Results mul(Builder& build, const Node& node) {
  return {build.mul(operand(build, node, 0), operand(build, node, 1))};
}
Results div(Builder& build, const Node& node) {
  return {build.div(operand(build, node, 0), operand(build, node, 1))};
}

Value* divided(Builder& build, const Node& node, const ir::Argument& mode) {
  Value *a = operand(build, node, 0), *b = operand(build, node, 1);
  if (std::holds_alternative<ir::None>(mode)) return build.div(a, b);
  return build.node("aten.div.Tensor_mode", {a, b, mode}, node.output()->type());
}

// The kernel cuts off the fraction of a double, which does not hold every 64-bit integer; rounding down is exact. Where
// that leaves a rest below zero, the quotient towards zero is the next one.
Value* cutQuotient(Builder& build, const Node& node) {
  Value *a = node.value(0), *b = node.value(1);
  Value* down = build.node("aten.div.Tensor_mode", {a, b, std::string("floor")}, node.output()->type());
  Value* hasRest = build.compare("aten.ne.Tensor", build.mul(down, b), a);
  Value* isNegative = build.compare("aten.lt.Scalar", down, int64_t{0});
  Value* isLow = build.node("aten.logical_and.default", {hasRest, isNegative}, {DType::Bool, resultSizes(node)});
  return build.add(down, build.cast(isLow, DType::Int64));
}

Results divMode(Builder& build, const Node& node) {
  if (!node.isNone(2) && node.is("aten.div.Tensor_mode") && node.hasValue(0) && node.hasValue(1) &&
      dtypeOf(node.value(0)) == resultDType(node) && dtypeOf(node.value(1)) == resultDType(node)) {
    if (resultDType(node) == DType::Int64 && node.stringArg(2) == "trunc") return {cutQuotient(build, node)};
    return {};
  }
  return {divided(build, node, node.args().at(2))};
}

Results floorDivide(Builder& build, const Node& node) {
  return {divided(build, node, std::string("floor"))};
}

// The remainder has the divisor's sign. The kernel gives integers the dividend's and computes doubles as floats.
Results remainder(Builder& build, const Node& node) {
  const DType dtype = resultDType(node);
  const bool hasKernel = isFloating(dtype) && dtype != DType::Float64;
  if (hasKernel && node.hasValue(0)) return {};
  Value *a = operand(build, node, 0), *b = operand(build, node, 1);
  if (hasKernel) return {build.binary("aten.remainder.Tensor", a, b)};
  if (!isFloating(dtype)) {
    Value* quotient = build.node("aten.div.Tensor_mode", {a, b, std::string("floor")}, node.output()->type());
    return {build.sub(a, build.mul(quotient, b))};
  }
  Value* rest = build.binary("aten.fmod.Tensor", a, b);
  Value* otherSign = build.compare(
      "aten.lt.Scalar", build.mul(build.unary("aten.sign.default", rest), build.unary("aten.sign.default", b)), 0.0);
  return {build.where(otherSign, build.add(rest, b), rest)};
}

Results fmodNumber(Builder& build, const Node& node) {
  return {build.binary("aten.fmod.Tensor", operand(build, node, 0), operand(build, node, 1))};
}

// The kernel computes with doubles, which do not hold every 64-bit integer.
Results fmodTensor(Builder& build, const Node& node) {
  if (resultDType(node) != DType::Int64) return {};
  Value *a = operand(build, node, 0), *b = operand(build, node, 1);
  Value* quotient = build.node("aten.div.Tensor_mode", {a, b, std::string("trunc")}, node.output()->type());
  return {build.sub(a, build.mul(quotient, b))};
}

// NaN has the sign 0; the kernel makes it NaN.
Results sign(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (!isFloatResult(node)) return {};
  const auto number = [&](double value) { return build.scalar(value, resultDType(node)); };
  Value* below = build.where(build.compare("aten.lt.Scalar", x, int64_t{0}), number(-1), number(0));
  return {build.where(build.compare("aten.gt.Scalar", x, int64_t{0}), number(1), below)};
}

Results shift(Builder& build, const Node& node) {
  const std::string_view op =
      node.op().find("lshift") != std::string::npos || node.op().find("left") != std::string::npos
          ? "aten.bitwise_left_shift.Tensor"
          : "aten.bitwise_right_shift.Tensor";
  return {build.binary(op, operand(build, node, 0), operand(build, node, 1))};
}

Results square(Builder& build, const Node& node) {
  Value* x = operand(build, node, 0);
  return {build.mul(x, x)};
}

Value* reciprocal(Builder& build, Value* x) {
  return build.unary("aten.reciprocal.default", x);
}

// Small whole powers are products: exact for integers, and no backend needs to know them.
Value* wholePower(Builder& build, Value* x, int64_t exponent) {
  if (exponent == 1) return x;
  Value* half = wholePower(build, x, exponent / 2);
  Value* even = build.mul(half, half);
  return exponent % 2 == 0 ? even : build.mul(even, x);
}

// (x, exponent)
Results powOfTensor(Builder& build, const Node& node) {
  const std::optional<Number> exponent = numberOf(node.args().at(1));
  if (!exponent) return {};
  const double e = asDouble(*exponent);
  if (e == 0) return {build.full(resultSizes(node), int64_t{1}, resultDType(node))};
  Value* x = build.cast(node.value(0), resultDType(node));
  const int64_t limit = isFloatResult(node) ? 4 : 64;
  if (e == std::floor(e) && e > 0 && e <= static_cast<double>(limit))
    return {wholePower(build, x, static_cast<int64_t>(e))};
  if (!isFloatResult(node)) return {};
  if (e == 0.5) return {build.unary("aten.sqrt.default", x)};
  if (e == -0.5) return {build.unary("aten.rsqrt.default", x)};
  if (e == -1) return {reciprocal(build, x)};
  if (e == -2) return {reciprocal(build, build.mul(x, x))};
  return {};
}

Results exp2(Builder& build, const Node& node) {
  return {
      build.node("aten.pow.Scalar", {int64_t{2}, build.cast(node.value(0), resultDType(node))}, node.output()->type())};
}

Results frac(Builder& build, const Node& node) {
  return {build.sub(node.value(0), build.unary("aten.trunc.default", node.value(0)))};
}

Results atan2(Builder& build, const Node& node) {
  return {build.node("aten.atan2.default", {operand(build, node, 0), operand(build, node, 1)}, node.output()->type())};
}

// weight of the one end: a + w * (b - a)
Results lerp(Builder& build, const Node& node) {
  Value *a = node.value(0), *b = node.value(1);
  Value* step = build.mul(build.sub(b, a), operand(build, node, 2));
  return {build.add(a, step)};
}

// self + value * a * b, and with a quotient
Results addcmul(Builder& build, const Node& node) {
  Value* product = build.mul(operand(build, node, 1), operand(build, node, 2));
  if (node.floatArg(3) != 1) product = build.mul(product, build.scalar(*numberOf(node.args()[3]), resultDType(node)));
  return {build.add(operand(build, node, 0), product)};
}
Results addcdiv(Builder& build, const Node& node) {
  Value* quotient = build.div(operand(build, node, 1), operand(build, node, 2));
  if (node.floatArg(3) != 1) quotient = build.mul(quotient, node.floatArg(3));
  return {build.add(operand(build, node, 0), quotient)};
}

Results hypot(Builder& build, const Node& node) {
  Value *a = node.value(0), *b = node.value(1);
  return {build.unary("aten.sqrt.default", build.add(build.mul(a, a), build.mul(b, b)))};
}

}  // namespace

void registerArithmetic(DecompositionRegistry& registry) {
  registry.add({"aten.add.Tensor", "aten.add.Scalar", "aten.sub.Tensor", "aten.sub.Scalar"}, addOrSub);
  registry.add({"aten.rsub.Scalar", "aten.rsub.Tensor"}, rsub);
  registry.add({"aten.mul.Scalar", "aten.multiply.Tensor", "aten.multiply.Scalar"}, mul);
  registry.add({"aten.div.Scalar", "aten.divide.Tensor", "aten.divide.Scalar", "aten.true_divide.Tensor",
                "aten.true_divide.Scalar"},
               div);
  registry.add({"aten.div.Tensor_mode", "aten.div.Scalar_mode", "aten.divide.Tensor_mode", "aten.divide.Scalar_mode"},
               divMode);
  registry.add({"aten.floor_divide.default", "aten.floor_divide.Scalar"}, floorDivide);
  registry.add({"aten.remainder.Tensor", "aten.remainder.Scalar", "aten.remainder.Scalar_Tensor"}, remainder);
  registry.add({"aten.fmod.Scalar"}, fmodNumber);
  registry.add({"aten.fmod.Tensor"}, fmodTensor);
  registry.add({"aten.sign.default"}, sign);
  registry.add({"aten.__lshift__.Tensor", "aten.__lshift__.Scalar", "aten.__rshift__.Tensor", "aten.__rshift__.Scalar",
                "aten.bitwise_left_shift.Tensor_Scalar", "aten.bitwise_right_shift.Tensor_Scalar"},
               shift);
  registry.add({"aten.square.default"}, square);
  registry.add({"aten.pow.Tensor_Scalar"}, powOfTensor);
  registry.add({"aten.exp2.default", "aten.special_exp2.default"}, exp2);
  registry.add({"aten.frac.default"}, frac);
  registry.add({"aten.arctan2.default"}, atan2);
  registry.add({"aten.lerp.Scalar", "aten.lerp.Tensor"}, lerp);
  registry.add({"aten.addcmul.default"}, addcmul);
  registry.add({"aten.addcdiv.default"}, addcdiv);
  registry.add({"aten.hypot.default"}, hypot);
}

}  // namespace exportdeck::passes::decompositions
