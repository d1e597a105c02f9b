// Between complex tensors and real ones, and complex tensors from nothing.
#include "base/text.h"
#include "passes/complex/parts.h"

namespace exportdeck::passes::complex {

namespace {

Results fromPairs(Rewriter& r) {
  Value* pairs = r.node.value(0);
  return {{r.build.select(pairs, -1, 0), r.build.select(pairs, -1, 1)}};
}

Results asPairs(Rewriter& r) {
  const Parts x = r.of(r.node.value(0));
  const auto last = static_cast<int64_t>(rankOf(x.re));
  return {{r.build.cat({r.build.unsqueeze(x.re, last), r.build.unsqueeze(r.imaginary(x), last)}, last), nullptr}};
}

Results fromParts(Rewriter& r) {
  const ir::Shape& sizes = r.node.output()->type().shape;
  const auto part = [&](size_t i) { return r.build.expand(r.operand(i, r.partType()).re, sizes); };
  return {{part(0), part(1)}};
}

Results realPart(Rewriter& r) {
  return {{r.of(r.node.value(0)).re, nullptr}};
}
Results imaginaryPart(Rewriter& r) {
  return {{r.imaginary(r.of(r.node.value(0))), nullptr}};
}

// A real tensor made of a complex one is its real part; truth values tell whether it is not zero.
Results copied(Rewriter& r) {
  const Parts x = r.of(r.node.value(0));
  const DType dtype = dtypeOf(r.node.output());
  if (isComplex(dtype)) return {r.each(x, [&](Value* part) { return r.build.cast(part, partOf(dtype)); })};
  if (dtype != DType::Bool || !x.im) return {{r.build.cast(x.re, dtype), nullptr}};
  return {{r.build.node("aten.logical_or.default", {x.re, x.im}, r.node.output()->type()), nullptr}};
}

// What the source holds, spread to the sizes of the target.
Results copiedOver(Rewriter& r) {
  const ir::TensorType& type = r.node.output()->type();
  const Parts x = r.of(r.node.value(1));
  return {r.each(x, [&](Value* part) { return r.build.expand(r.build.cast(part, partOf(type.dtype)), type.shape); })};
}

Parts filled(const Rewriter& r, Builder& build, std::complex<double> number) {
  const ir::TensorType& type = r.node.output()->type();
  const DType dtype = partOf(type.dtype);
  return {build.full(type.shape, number.real(), dtype),
          number.imag() == 0 ? nullptr : build.full(type.shape, number.imag(), dtype)};
}
Results zeros(Rewriter& r) {
  return {filled(r, r.build, 0)};
}
Results ones(Rewriter& r) {
  return {filled(r, r.build, 1)};
}
// The number stands behind the sizes, or behind the tensor.
Results full(Rewriter& r) {
  const size_t place = r.node.is("aten.new_full.default") ? 2 : 1;
  const auto number = complexNumber(r.node.args().at(place));
  return number ? Results{filled(r, r.build, *number)} : Results{};
}
Results scalarTensor(Rewriter& r) {
  const auto number = complexNumber(r.node.args().at(0));
  return number ? Results{filled(r, r.build, *number)} : Results{};
}

}  // namespace

void registerConversions(Table& table) {
  table.add({"aten.view_as_complex.default", "aten.view_as_complex_copy.default"}, fromPairs);
  table.add({"aten.view_as_real.default", "aten.view_as_real_copy.default"}, asPairs);
  table.add({"aten.complex.default"}, fromParts);
  table.add({"aten.real.default"}, realPart);
  table.add({"aten.imag.default"}, imaginaryPart);
  table.add({"aten.clone.default", "aten.contiguous.default", "aten.alias.default", "aten.detach.default",
             "aten.lift_fresh_copy.default", "aten.lift_fresh.default", "aten.lift.default", "aten.positive.default",
             "aten.to.dtype", "aten.to.dtype_layout", "aten.to.device", "aten.to.other", "aten.type_as.default",
             "aten._to_copy.default", "aten.resolve_conj.default", "aten.resolve_neg.default"},
            copied);
  table.add({"aten.copy.default"}, copiedOver);
  table.add({"aten.zeros.default", "aten.zeros_like.default", "aten.new_zeros.default", "aten.zero.default",
             "aten.empty.memory_format", "aten.empty_like.default", "aten.new_empty.default"},
            zeros);
  table.add({"aten.ones.default", "aten.ones_like.default", "aten.new_ones.default"}, ones);
  table.add({"aten.full.default", "aten.full_like.default", "aten.new_full.default", "aten.fill.Scalar"}, full);
  table.add({"aten.scalar_tensor.default"}, scalarTensor);
}

}  // namespace exportdeck::passes::complex
