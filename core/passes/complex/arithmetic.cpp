// Element-wise operators on complex numbers.
#include "passes/complex/parts.h"
#include "passes/promotion.h"

namespace exportdeck::passes::complex {

namespace {

Value* negated(Rewriter& r, Value* x) {
  return r.build.unary("aten.neg.default", x);
}

// b times the `alpha` of add and sub.
Parts secondTerm(Rewriter& r) {
  const Parts b = r.operand(1, r.partType());
  return r.node.argCount() > 2 && !r.node.isNone(2) ? r.mul(b, r.operand(2, r.partType())) : b;
}
Parts scaledSecond(Rewriter& r) {
  const auto alpha = r.node.argCount() > 2 ? complexNumber(r.node.args()[2]) : std::nullopt;
  return !alpha || *alpha == 1.0 ? r.operand(1, r.partType()) : secondTerm(r);
}

Results add(Rewriter& r) {
  return {r.add(r.operand(0, r.partType()), scaledSecond(r))};
}
Results sub(Rewriter& r) {
  return {r.sub(r.operand(0, r.partType()), scaledSecond(r))};
}
Results subReversed(Rewriter& r) {  // other - alpha * self
  const Parts self = r.operand(0, r.partType()), other = r.operand(1, r.partType());
  const auto alpha = complexNumber(r.node.args().at(2));
  return {r.sub(other, alpha && *alpha == 1.0 ? self : r.mul(self, r.operand(2, r.partType())))};
}
Results mul(Rewriter& r) {
  return {r.mul(r.operand(0, r.partType()), r.operand(1, r.partType()))};
}
Results div(Rewriter& r) {
  return {r.div(r.operand(0, r.partType()), r.operand(1, r.partType()))};
}
Results reciprocal(Rewriter& r) {
  return {r.div({r.build.scalar(1.0, r.partType()), nullptr}, r.operand(0, r.partType()))};
}
Results neg(Rewriter& r) {
  return {r.each(r.operand(0, r.partType()), [&](Value* x) { return negated(r, x); })};
}
Results square(Rewriter& r) {
  const Parts x = r.operand(0, r.partType());
  return {r.mul(x, x)};
}

// The conjugate of a number without an imaginary part has that of a negative zero, which angles show.
Results conjugate(Rewriter& r) {
  const Parts x = r.operand(0, r.partType());
  if (!isComplex(dtypeOf(r.node.output()))) return {x};
  return {{x.re, x.im ? negated(r, x.im) : r.build.full(sizesOf(x.re), -0.0, dtypeOf(x.re))}};
}

Results absolute(Rewriter& r) {
  return {{r.magnitude(r.of(r.node.value(0))), nullptr}};
}

Value* angleOf(Rewriter& r, const Parts& x) {
  return r.build.binary("aten.atan2.default", r.imaginary(x), x.re);
}
Results angle(Rewriter& r) {
  return {{angleOf(r, r.of(r.node.value(0))), nullptr}};
}

// Length and angle become parts.
Parts fromPolar(Rewriter& r, Value* length, Value* angle) {
  return {r.build.mul(length, r.build.unary("aten.cos.default", angle)),
          r.build.mul(length, r.build.unary("aten.sin.default", angle))};
}
Results polar(Rewriter& r) {
  return {fromPolar(r, r.operand(0, r.partType()).re, r.operand(1, r.partType()).re)};
}

Results exponential(Rewriter& r) {
  const Parts x = r.operand(0, r.partType());
  Value* length = r.build.unary("aten.exp.default", x.re);
  return {x.im ? fromPolar(r, length, x.im) : Parts{length, nullptr}};
}
Results logarithm(Rewriter& r) {
  const Parts x = r.operand(0, r.partType());
  return {{r.build.unary("aten.log.default", r.magnitude(x)), angleOf(r, x)}};
}

// x over its length, zero for zero.
Results sign(Rewriter& r) {
  const Parts x = r.operand(0, r.partType());
  Value* length = r.magnitude(x);
  Value* isZero = r.build.compare("aten.eq.Scalar", length, int64_t{0});
  Value* divisor = r.build.where(isZero, r.build.scalar(1.0, dtypeOf(length)), length);
  return {r.each(x, [&](Value* part) { return r.build.div(part, divisor); })};
}

// Small whole exponents, by squaring.
Results power(Rewriter& r) {
  const auto exponent = complexNumber(r.node.args().at(1));
  if (!exponent || exponent->imag() != 0) return {};
  const double given = exponent->real();
  if (given != std::floor(given) || std::fabs(given) > 64) return {};
  const Parts x = r.operand(0, r.partType());
  std::optional<Parts> result;
  Parts square = x;
  for (auto rest = static_cast<int64_t>(std::fabs(given)); rest > 0; rest /= 2) {
    if (rest % 2 == 1) result = result ? r.mul(*result, square) : square;
    if (rest > 1) square = r.mul(square, square);
  }
  const Parts one{r.build.full(sizesOf(x.re), 1.0, dtypeOf(x.re)), nullptr};
  if (!result) return {one};
  return {given < 0 ? r.div(one, *result) : *result};
}

// Both parts must be equal, or either may differ.
Results compared(Rewriter& r, bool equal) {
  const std::vector<ir::Argument> operands{r.node.args().at(0), r.node.args().at(1)};
  const DType dtype = partOf(resultType(operands));
  const Parts a = r.operand(0, dtype), b = r.operand(1, dtype);
  const std::string_view op = equal ? "aten.eq.Tensor" : "aten.ne.Tensor";
  Value* re = r.build.compare(op, a.re, b.re);
  Value* im = r.build.compare(op, r.imaginary(a), r.imaginary(b));
  return {
      {r.build.node(equal ? "aten.logical_and.default" : "aten.logical_or.default", {re, im}, r.node.output()->type()),
       nullptr}};
}
Results equal(Rewriter& r) {
  return compared(r, true);
}
Results notEqual(Rewriter& r) {
  return compared(r, false);
}

}  // namespace

void registerArithmetic(Table& table) {
  table.add({"aten.add.Tensor", "aten.add.Scalar"}, add);
  table.add({"aten.sub.Tensor", "aten.sub.Scalar", "aten.subtract.Tensor", "aten.subtract.Scalar"}, sub);
  table.add({"aten.rsub.Tensor", "aten.rsub.Scalar"}, subReversed);
  table.add({"aten.mul.Tensor", "aten.mul.Scalar", "aten.multiply.Tensor", "aten.multiply.Scalar"}, mul);
  table.add({"aten.div.Tensor", "aten.div.Scalar", "aten.true_divide.Tensor", "aten.divide.Tensor"}, div);
  table.add({"aten.reciprocal.default"}, reciprocal);
  table.add({"aten.neg.default", "aten.negative.default"}, neg);
  table.add({"aten.square.default"}, square);
  table.add({"aten._conj.default", "aten.conj.default", "aten.conj_physical.default", "aten._conj_physical.default",
             "aten._conj_copy.default"},
            conjugate);
  table.add({"aten.abs.default", "aten.absolute.default"}, absolute);
  table.add({"aten.angle.default"}, angle);
  table.add({"aten.polar.default"}, polar);
  table.add({"aten.exp.default"}, exponential);
  table.add({"aten.log.default"}, logarithm);
  table.add({"aten.sgn.default"}, sign);
  table.add({"aten.pow.Tensor_Scalar"}, power);
  table.add({"aten.eq.Tensor", "aten.eq.Scalar"}, equal);
  table.add({"aten.ne.Tensor", "aten.ne.Scalar"}, notEqual);
}

}  // namespace exportdeck::passes::complex
