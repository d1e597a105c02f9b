// Functions that are seldom met, from common ones.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

constexpr double kPi = 3.141592653589793;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Value* input(Builder& build, const Node& node, size_t i) {
  return build.cast(node.value(i), resultDType(node));
}

// max + log1p(exp(-|a - b|)); equal infinities have no difference to speak of.
Results logAddExp(Builder& build, const Node& node) {
  Value *a = input(build, node, 0), *b = input(build, node, 1);
  Value* higher = build.binary("aten.maximum.default", a, b);
  Value* distance = build.unary("aten.abs.default", build.sub(a, b));
  Value* curve =
      build.unary("aten.log1p.default", build.unary("aten.exp.default", build.unary("aten.neg.default", distance)));
  Value* infinite = build.compare("aten.eq.Scalar", build.unary("aten.abs.default", higher), kInfinity);
  return {build.where(infinite, higher, build.add(higher, curve))};
}

Results degreesToRadians(Builder& build, const Node& node) {
  return {build.mul(input(build, node, 0), kPi / 180)};
}
Results radiansToDegrees(Builder& build, const Node& node) {
  return {build.mul(input(build, node, 0), 180 / kPi)};
}

// sin(pi x) / (pi x), 1 at 0
Results sinc(Builder& build, const Node& node) {
  Value* x = build.mul(input(build, node, 0), kPi);
  Value* ratio = build.div(build.unary("aten.sin.default", x), x);
  return {build.where(build.compare("aten.eq.Scalar", x, int64_t{0}), build.scalar(1.0, dtypeOf(x)), ratio)};
}

// x log(y); 0 where x is 0, unless y is NaN.
Results xLogY(Builder& build, const Node& node) {
  if (!node.hasValue(0) || !node.hasValue(1)) return {};
  Value *x = input(build, node, 0), *y = input(build, node, 1);
  Value* product = build.mul(x, build.unary("aten.log.default", y));
  Value* zero = build.where(build.compare("aten.eq.Scalar", x, int64_t{0}), build.scalar(0.0, dtypeOf(x)), product);
  return {build.where(build.compare("aten.ne.Tensor", y, y), y, zero)};
}

Results signOf(Builder& build, const Node& node) {
  return {build.node("aten.sign.default", {node.value(0)}, node.output()->type())};
}

Value* withoutNan(Builder& build, Value* x) {
  return build.where(build.compare("aten.ne.Tensor", x, x), build.scalar(0.0, dtypeOf(x)), x);
}

// (x, dims, keepdim, dtype): NaNs count as nothing.
Results nanSum(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (isFloating(dtypeOf(x))) x = withoutNan(build, x);
  return {
      build.node("aten.sum.dim_IntList", {x, node.args()[1], node.boolArg(2), node.args()[3]}, node.output()->type())};
}
Results nanMean(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (!isFloating(dtypeOf(x))) return {};
  const ir::TensorType type = node.output()->type();
  Value* counted = build.cast(build.compare("aten.eq.Tensor", x, x), type.dtype);
  Value* sum =
      build.node("aten.sum.dim_IntList", {withoutNan(build, x), node.args()[1], node.boolArg(2), ir::None{}}, type);
  Value* count = build.node("aten.sum.dim_IntList", {counted, node.args()[1], node.boolArg(2), ir::None{}}, type);
  return {build.div(sum, count)};
}

// Rounds x * 10^decimals, as PyTorch does.
Results roundDecimals(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (!isFloating(dtypeOf(x))) return {x};
  const double scale = std::pow(10.0, static_cast<double>(std::abs(node.intArg(1))));
  Value* factor = build.scalar(scale, dtypeOf(x));
  const bool positive = node.intArg(1) >= 0;
  Value* rounded = build.unary("aten.round.default", positive ? build.mul(x, factor) : build.div(x, factor));
  return {positive ? build.div(rounded, factor) : build.mul(rounded, factor)};
}

// Maximum and minimum that give the other operand for NaN.
Results extremeWithoutNan(Builder& build, const Node& node, std::string_view op) {
  Value *a = build.cast(node.value(0), resultDType(node)), *b = build.cast(node.value(1), resultDType(node));
  Value* extreme = build.binary(op, a, b);
  if (!isFloatResult(node)) return {extreme};
  Value* orB = build.where(build.compare("aten.ne.Tensor", a, a), b, extreme);
  return {build.where(build.compare("aten.ne.Tensor", b, b), a, orB)};
}
Results fmax(Builder& build, const Node& node) {
  return extremeWithoutNan(build, node, "aten.maximum.default");
}
Results fmin(Builder& build, const Node& node) {
  return extremeWithoutNan(build, node, "aten.minimum.default");
}

// 0 below zero and for NaN, 1 above, the given value at zero.
Results heaviside(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (dtypeOf(x) == DType::Bool) return {};
  Value* step = build.cast(build.compare("aten.gt.Scalar", x, int64_t{0}), dtypeOf(x));
  return {build.where(build.compare("aten.eq.Scalar", x, int64_t{0}), node.value(1), step)};
}

// Each row of the one against each of the other.
Results rowDistances(Builder& build, const Node& node) {
  Value *a = node.value(0), *b = node.value(1);
  Value* distance = build.sub(build.unsqueeze(a, -2), build.unsqueeze(b, -3));
  const ir::IntList last{int64_t{-1}};
  return {build.node("aten.linalg_vector_norm.default", {distance, node.floatArg(2), last}, node.output()->type())};
}

// (a, b, p)
Results distance(Builder& build, const Node& node) {
  Value* difference = build.sub(node.value(0), node.value(1));
  return {build.node("aten.linalg_vector_norm.default", {difference, node.floatArg(2)}, node.output()->type())};
}

// a x b = a[1,2,0] * b[2,0,1] - a[2,0,1] * b[1,2,0]
Results cross(Builder& build, const Node& node) {
  const Sizes sizes = resultSizes(node);
  // Without a dimension it is the first that has three elements.
  const auto first = std::find(sizes.begin(), sizes.end(), 3) - sizes.begin();
  const int64_t dim = node.isNone(2) ? first : ir::wrapDim(node.intArg(2), sizes.size());
  Value* a = build.expand(node.value(0), sizes);
  Value* b = build.expand(node.value(1), sizes);
  const auto turned = [&](Value* x, int64_t by) {
    return build.node("aten.roll.default", {x, ir::IntList{by}, ir::IntList{dim}}, {dtypeOf(x), sizes});
  };
  Value* plus = build.mul(turned(a, -1), turned(b, -2));
  return {build.sub(plus, build.mul(turned(a, -2), turned(b, -1)))};
}

// (x, index) on x as a vector
Results take(Builder& build, const Node& node) {
  Value* flat = build.view(node.value(0), {node.value(0)->type().elements()});
  ir::ValueList indices{node.value(1)};
  return {build.node("aten.index.Tensor", {flat, indices}, node.output()->type())};
}

// Whether an element equals one of a few others.
Results isIn(Builder& build, const Node& node) {
  Value *x = node.value(0), *others = node.value(1);
  if (isFloating(dtypeOf(x)) != isFloating(dtypeOf(others))) return {};
  others = build.view(others, {others->type().elements()});
  Value* equal = build.compare("aten.eq.Tensor", build.unsqueeze(x, -1), others);
  Value* found = build.node("aten.any.dim", {equal, static_cast<int64_t>(rankOf(x)), false}, node.output()->type());
  return {node.boolArg(3) ? build.logicalNot(found) : found};
}

// (row, column, offset): the places of a triangle, as two rows of numbers.
Results triangleIndices(Builder& build, const Node& node, bool upper) {
  const int64_t rows = node.intArg(0), columns = node.intArg(1), offset = node.intArg(2);
  std::vector<double> first, second;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) {
      if (upper ? c - r < offset : c - r > offset) continue;
      first.push_back(static_cast<double>(r));
      second.push_back(static_cast<double>(c));
    }
  }
  first.insert(first.end(), second.begin(), second.end());
  return {build.constant(node.output()->name(), node.output()->type(), bytesOfDoubles(first, resultDType(node)))};
}
Results upperIndices(Builder& build, const Node& node) {
  return triangleIndices(build, node, true);
}
Results lowerIndices(Builder& build, const Node& node) {
  return triangleIndices(build, node, false);
}

}  // namespace

void registerSpecial(DecompositionRegistry& registry) {
  registry.add({"aten.logaddexp.default"}, logAddExp);
  registry.add({"aten.deg2rad.default"}, degreesToRadians);
  registry.add({"aten.rad2deg.default"}, radiansToDegrees);
  registry.add({"aten.sinc.default", "aten.special_sinc.default"}, sinc);
  registry.add({"aten.xlogy.Tensor", "aten.special_xlogy.default"}, xLogY);
  registry.add({"aten.sgn.default"}, signOf);
  registry.add({"aten.nansum.default"}, nanSum);
  registry.add({"aten.nanmean.default"}, nanMean);
  registry.add({"aten.fmax.default"}, fmax);
  registry.add({"aten.fmin.default"}, fmin);
  registry.add({"aten.heaviside.default"}, heaviside);
  registry.add({"aten.round.decimals"}, roundDecimals);
  registry.add({"aten.cdist.default"}, rowDistances);
  registry.add({"aten.dist.default"}, distance);
  registry.add({"aten.cross.default", "aten.linalg_cross.default"}, cross);
  registry.add({"aten.take.default"}, take);
  registry.add({"aten.isin.Tensor_Tensor"}, isIn);
  registry.add({"aten.triu_indices.default"}, upperIndices);
  registry.add({"aten.tril_indices.default"}, lowerIndices);
}

}  // namespace exportdeck::passes::decompositions
