#include "passes/complex/parts.h"

#include <cstdio>

#include "base/text.h"

namespace exportdeck::passes::complex {

DType partOf(DType dtype) {
  switch (dtype) {
    case DType::Complex32:
      return DType::Float16;
    case DType::Complex64:
      return DType::Float32;
    case DType::Complex128:
      return DType::Float64;
    default:
      return dtype;
  }
}

ir::TensorType partOf(const ir::TensorType& type) {
  return {partOf(type.dtype), type.shape};
}

std::optional<std::complex<double>> complexNumber(const ir::Argument& argument) {
  if (const auto number = numberOf(argument)) return asDouble(*number);
  const auto* opaque = std::get_if<ir::Opaque>(&argument);
  double re = 0, im = 0;
  if (!opaque || std::sscanf(opaque->text.c_str(), "complex %lf %lf", &re, &im) != 2) return std::nullopt;
  return std::complex(re, im);
}

namespace {

// A complex constant lies in memory as a real one with a last dimension of two.
Parts partsOfConstant(Builder& build, const Value* value) {
  const ir::ConstantPtr& whole = value->constant();
  ir::TensorType pairs = partOf(value->type());
  pairs.shape.push_back(2);
  Value* both = build.constant(
      std::make_shared<const ir::Constant>(ir::Constant{concat(whole->name, ".parts"), pairs, whole->data}));
  return {build.select(both, -1, 0), build.select(both, -1, 1)};
}

}  // namespace

Parts Rewriter::of(Value* value) {
  if (!isComplex(dtypeOf(value))) return {value, nullptr};
  const auto known = memory_.parts.find(value);
  if (known != memory_.parts.end()) return known->second;
  check(value->isConstant(), concat("the complex value ", value->name(), " has no parts"));
  return memory_.parts[value] = partsOfConstant(build, value);
}

Parts Rewriter::operand(size_t argument, DType dtype) {
  if (node.hasValue(argument))
    return each(of(node.value(argument)), [&](Value* part) { return build.cast(part, dtype); });
  const auto number = complexNumber(node.args().at(argument));
  if (!number) {
    refuse(Code::OperatorUnsupported,
           concat("an operand of ", node.op(), " is a number that is known only at run time"),
           "numbers beside complex tensors must be known at export", {"Keep the value in a tensor: leave out .item()"});
  }
  return {build.scalar(number->real(), dtype), number->imag() == 0 ? nullptr : build.scalar(number->imag(), dtype)};
}

Parts Rewriter::add(const Parts& a, const Parts& b) {
  Value* re = build.add(a.re, b.re);
  if (!a.im && !b.im) return {re, nullptr};
  if (a.im && b.im) return {re, build.add(a.im, b.im)};
  return {re, build.expand(a.im ? a.im : b.im, sizesOf(re))};
}

Parts Rewriter::sub(const Parts& a, const Parts& b) {
  Value* re = build.sub(a.re, b.re);
  if (!b.im) return {re, a.im ? build.expand(a.im, sizesOf(re)) : nullptr};
  Value* im = a.im ? build.sub(a.im, b.im) : build.unary("aten.neg.default", b.im);
  return {re, build.expand(im, sizesOf(re))};
}

Parts Rewriter::mul(const Parts& a, const Parts& b) {
  if (!b.im) return each(a, [&](Value* part) { return build.mul(part, b.re); });
  if (!a.im) return each(b, [&](Value* part) { return build.mul(a.re, part); });
  // One by one: the order in which arguments are computed is the compiler's.
  Value *re = build.mul(a.re, b.re), *both = build.mul(a.im, b.im);
  Value *right = build.mul(a.re, b.im), *left = build.mul(a.im, b.re);
  return {build.sub(re, both), build.add(right, left)};
}

// Divides by the larger part first, as PyTorch does, so that squares do not overflow.
Parts Rewriter::div(const Parts& a, const Parts& b) {
  if (!b.im) return each(a, [&](Value* part) { return build.div(part, b.re); });
  const auto size = [&](Value* part) { return build.unary("aten.abs.default", part); };
  Value* larger = build.binary("aten.maximum.default", size(b.re), size(b.im));
  const Parts divisor = each(b, [&](Value* part) { return build.div(part, larger); });
  const Parts dividend = each(a, [&](Value* part) { return build.div(part, larger); });
  Value *re = build.mul(divisor.re, divisor.re), *im = build.mul(divisor.im, divisor.im);
  Value* square = build.add(re, im);
  const Parts product = mul(dividend, {divisor.re, build.unary("aten.neg.default", divisor.im)});
  return each(product, [&](Value* part) { return build.div(part, square); });
}

Parts Rewriter::scaled(const Parts& x, double factor) {
  return factor == 1 ? x : each(x, [&](Value* part) { return build.mul(part, factor); });
}

// Squares of half numbers would overflow from 256 on.
Value* Rewriter::magnitude(const Parts& x) {
  if (!x.im) return build.unary("aten.abs.default", x.re);
  const DType dtype = dtypeOf(x.re);
  const auto square = [&](Value* part) {
    Value* wide = build.cast(part, dtype == DType::Float16 ? DType::Float32 : dtype);
    return build.mul(wide, wide);
  };
  Value *re = square(x.re), *im = square(x.im);
  return build.cast(build.unary("aten.sqrt.default", build.add(re, im)), dtype);
}

void Rewriter::refuse(Code code, std::string message, std::string why, std::vector<std::string> fixes) const {
  Diagnostic problem{code, Severity::Error, std::move(message), node.origin(), std::move(why), std::move(fixes)};
  if (problem.where.op.empty()) problem.where.op = node.op();
  throw ExportError(std::move(problem));
}

}  // namespace exportdeck::passes::complex
