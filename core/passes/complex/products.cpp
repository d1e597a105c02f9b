// Products: linear in either operand, so each pair of parts is multiplied as real tensors are.
#include "passes/complex/parts.h"

namespace exportdeck::passes::complex {

namespace {

// `op` on a real part of each; the other arguments are the node's.
Value* product(Rewriter& r, Value* a, Value* b) {
  std::vector<ir::Argument> args = r.node.args();
  if (r.node.is("aten.einsum.default")) {
    args.at(1) = ir::ValueList{a, b};
  } else {
    args.at(0) = a;
    args.at(1) = b;
  }
  if (r.node.is("aten.linear.default")) args.at(2) = ir::None{};
  const std::string op = r.node.is("aten.vdot.default") ? "aten.dot.default" : r.node.op();
  return r.build.node(op, std::move(args), partOf(r.node.output()->type()));
}

Parts multiplied(Rewriter& r, const Parts& a, const Parts& b) {
  const auto times = [&](Value* x, Value* y) { return x && y ? product(r, x, y) : nullptr; };
  Value *re = times(a.re, b.re), *both = times(a.im, b.im), *left = times(a.im, b.re), *right = times(a.re, b.im);
  return {both ? r.build.sub(re, both) : re, left && right ? r.build.add(right, left) : left ? left : right};
}

Results bilinear(Rewriter& r) {
  return {multiplied(r, r.operand(0, r.partType()), r.operand(1, r.partType()))};
}

// The first operand counts by its conjugate.
Results conjugateDot(Rewriter& r) {
  Parts a = r.operand(0, r.partType());
  if (a.im) a.im = r.build.unary("aten.neg.default", a.im);
  return {multiplied(r, a, r.operand(1, r.partType()))};
}

Results linear(Rewriter& r) {
  const Parts result = multiplied(r, r.operand(0, r.partType()), r.operand(1, r.partType()));
  return {r.node.isNone(2) ? result : r.add(result, r.operand(2, r.partType()))};
}

// Terms of one or two operands: of more, each would double their number.
Results einsum(Rewriter& r) {
  const ir::ValueList operands = r.node.values(1);
  const auto part = [&](size_t i) {
    return r.each(r.of(operands[i]), [&](Value* x) { return r.build.cast(x, r.partType()); });
  };
  if (operands.size() == 2) return {multiplied(r, part(0), part(1))};
  if (operands.size() != 1) return {};
  return {r.each(part(0), [&](Value* x) {
    return r.build.node("aten.einsum.default", {r.node.stringArg(0), ir::ValueList{x}, r.node.args().at(2)},
                        partOf(r.node.output()->type()));
  })};
}

// (input, a, b, beta, alpha) without factors
Results addmm(Rewriter& r) {
  if (r.node.floatArg(3) != 1 || r.node.floatArg(4) != 1) return {};
  const Parts a = r.operand(1, r.partType()), b = r.operand(2, r.partType());
  const std::string_view op = r.node.is("aten.addmm.default") ? "aten.mm.default" : "aten.bmm.default";
  const auto times = [&](Value* x, Value* y) -> Value* {
    return x && y ? r.build.node(op, {x, y}, partOf(r.node.output()->type())) : nullptr;
  };
  Value *re = times(a.re, b.re), *both = times(a.im, b.im), *left = times(a.im, b.re), *right = times(a.re, b.im);
  const Parts sum{both ? r.build.sub(re, both) : re, left && right ? r.build.add(right, left) : left ? left : right};
  return {r.add(sum, r.operand(0, r.partType()))};
}

}  // namespace

void registerProducts(Table& table) {
  table.add({"aten.mm.default", "aten.bmm.default", "aten.matmul.default", "aten.linalg_matmul.default",
             "aten.mv.default", "aten.dot.default", "aten.outer.default", "aten.ger.default", "aten.inner.default",
             "aten.kron.default", "aten.tensordot.default"},
            bilinear);
  table.add({"aten.vdot.default"}, conjugateDot);
  table.add({"aten.linear.default"}, linear);
  table.add({"aten.einsum.default"}, einsum);
  table.add({"aten.addmm.default", "aten.baddbmm.default"}, addmm);
}

}  // namespace exportdeck::passes::complex
