// Clamping, choosing and comparing.
#include "passes/decompositions/support.h"
#include "passes/promotion.h"

namespace exportdeck::passes::decompositions {

namespace {

Value* asTensor(Builder& build, const ir::Argument& argument, DType dtype) {
  if (auto* const* value = std::get_if<Value*>(&argument)) return build.cast(*value, dtype);
  const std::optional<Number> number = numberOf(argument);
  check(number.has_value(), "an operand is neither tensor nor number");
  return build.scalar(*number, dtype);
}

ir::Argument orNone(const Node& node, size_t i) {
  return node.isNone(i) ? ir::Argument(ir::None{}) : node.args()[i];
}

Results clampTo(Builder& build, const Node& node, const ir::Argument& low, const ir::Argument& high) {
  return {build.node("aten.clamp.default", {build.cast(node.value(0), resultDType(node)), low, high},
                     node.output()->type())};
}
Results clampMin(Builder& build, const Node& node) {
  return clampTo(build, node, node.args().at(1), ir::None{});
}
Results clampMax(Builder& build, const Node& node) {
  return clampTo(build, node, ir::None{}, node.args().at(1));
}
Results clip(Builder& build, const Node& node) {
  return clampTo(build, node, orNone(node, 1), orNone(node, 2));
}

// Bounds that are tensors: PyTorch takes the smaller of (the larger of x and low) and high.
Results clampTensor(Builder& build, const Node& node) {
  Value* x = build.cast(node.value(0), resultDType(node));
  if (!node.isNone(1)) x = build.binary("aten.maximum.default", x, asTensor(build, node.args()[1], resultDType(node)));
  if (!node.isNone(2)) x = build.binary("aten.minimum.default", x, asTensor(build, node.args()[2], resultDType(node)));
  return {build.expand(x, resultSizes(node))};
}
Results clampMinTensor(Builder& build, const Node& node) {
  return {build.binary("aten.maximum.default", asTensor(build, node.args()[0], resultDType(node)),
                       asTensor(build, node.args()[1], resultDType(node)))};
}
Results clampMaxTensor(Builder& build, const Node& node) {
  return {build.binary("aten.minimum.default", asTensor(build, node.args()[0], resultDType(node)),
                       asTensor(build, node.args()[1], resultDType(node)))};
}

Value* asBool(Builder& build, Value* x) {
  return dtypeOf(x) == DType::Bool ? x : build.compare("aten.ne.Scalar", x, int64_t{0});
}

Results where(Builder& build, const Node& node) {
  Value* a = asTensor(build, node.args().at(1), resultDType(node));
  Value* b = asTensor(build, node.args().at(2), resultDType(node));
  return {build.where(asBool(build, node.value(0)), a, b)};
}

// A fill value has the tensor's dtype, whatever it is.
Results maskedFill(Builder& build, const Node& node) {
  Value* value = asTensor(build, node.args().at(2), resultDType(node));
  return {build.where(asBool(build, node.value(1)), value, node.value(0))};
}

Results isFinite(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (!isFloating(dtypeOf(x))) return {build.full(resultSizes(node), int64_t{1}, DType::Bool)};
  // Only infinities and NaN give NaN when multiplied by zero.
  Value* zero = build.mul(x, 0.0);
  return {build.compare("aten.eq.Tensor", zero, zero)};
}

Results isInfinite(Builder& build, const Node& node) {
  if (isFloating(dtypeOf(node.value(0)))) return {};
  return {build.full(resultSizes(node), int64_t{0}, DType::Bool)};
}

Results isNan(Builder& build, const Node& node) {
  if (isFloating(dtypeOf(node.value(0)))) return {};
  return {build.full(resultSizes(node), int64_t{0}, DType::Bool)};
}

// |a - b| <= atol + rtol * |b|, or equal (which tells infinities of one sign apart); NaNs are equal where asked.
Results isClose(Builder& build, const Node& node) {
  const DType dtype = promote(dtypeOf(node.value(0)), dtypeOf(node.value(1)));
  if (!isFloating(dtype)) return {};
  Value *a = build.cast(node.value(0), dtype), *b = build.cast(node.value(1), dtype);
  Value* limit = build.add(build.mul(build.unary("aten.abs.default", b), node.floatArg(2)), node.floatArg(3));
  Value* distance = build.unary("aten.abs.default", build.sub(a, b));
  const auto both = [&](Value* x, Value* y) {
    return build.node("aten.logical_and.default", {x, y}, {DType::Bool, broadcastSizes(sizesOf(x), sizesOf(y))});
  };
  const auto either = [&](Value* x, Value* y) {
    return build.node("aten.logical_or.default", {x, y}, {DType::Bool, broadcastSizes(sizesOf(x), sizesOf(y))});
  };
  // An infinite distance is never close.
  Value* close = both(build.compare("aten.le.Tensor", distance, limit),
                      build.compare("aten.ne.Scalar", distance, std::numeric_limits<double>::infinity()));
  close = either(close, build.compare("aten.eq.Tensor", a, b));
  if (node.boolArg(4))
    close = either(close, both(build.compare("aten.ne.Tensor", a, a), build.compare("aten.ne.Tensor", b, b)));
  return {close};
}

double largest(DType dtype) {
  switch (dtype) {
    case DType::Float16:
      return 65504;
    case DType::BFloat16:
      return 3.3895313892515355e38;
    case DType::Float64:
      return std::numeric_limits<double>::max();
    default:
      return std::numeric_limits<float>::max();
  }
}

// (x, nan, posinf, neginf)
Results nanToNum(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const DType dtype = dtypeOf(x);
  if (!isFloating(dtype)) return {x};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto replaced = [&](Value* where, double value, Value* otherwise) {
    return build.where(where, build.scalar(value, dtype), otherwise);
  };
  Value* result = replaced(build.compare("aten.ne.Tensor", x, x), node.isNone(1) ? 0 : node.floatArg(1), x);
  result = replaced(build.compare("aten.eq.Scalar", x, kInfinity), node.isNone(2) ? largest(dtype) : node.floatArg(2),
                    result);
  return {replaced(build.compare("aten.eq.Scalar", x, -kInfinity), node.isNone(3) ? -largest(dtype) : node.floatArg(3),
                   result)};
}

Results renamed(Builder& build, const Node& node, std::string_view op) {
  return {build.node(op, node.args(), node.output()->type())};
}
Results maximum(Builder& build, const Node& node) {
  return renamed(build, node, "aten.maximum.default");
}
Results minimum(Builder& build, const Node& node) {
  return renamed(build, node, "aten.minimum.default");
}

// Python's `&`, `|`, `^` on tensors.
Results bitwise(Builder& build, const Node& node) {
  const std::string_view op = node.op();
  const std::string_view kind = op.find("and") != op.npos ? "and" : op.find("xor") != op.npos ? "xor" : "or";
  Value* a = asTensor(build, node.args().at(0), resultDType(node));
  Value* b = asTensor(build, node.args().at(1), resultDType(node));
  return {build.binary(concat("aten.bitwise_", kind, ".Tensor"), a, b)};
}

}  // namespace

void registerSelecting(DecompositionRegistry& registry) {
  registry.add({"aten.clamp_min.default"}, clampMin);
  registry.add({"aten.clamp_max.default"}, clampMax);
  registry.add({"aten.clip.default"}, clip);
  registry.add({"aten.clamp.Tensor", "aten.clip.Tensor"}, clampTensor);
  registry.add({"aten.clamp_min.Tensor"}, clampMinTensor);
  registry.add({"aten.clamp_max.Tensor"}, clampMaxTensor);
  registry.add({"aten.where.Scalar", "aten.where.ScalarSelf", "aten.where.ScalarOther"}, where);
  registry.add({"aten.masked_fill.Scalar", "aten.masked_fill.Tensor"}, maskedFill);
  registry.add({"aten.isfinite.default"}, isFinite);
  registry.add({"aten.isinf.default"}, isInfinite);
  registry.add({"aten.isnan.default"}, isNan);
  registry.add({"aten.isclose.default"}, isClose);
  registry.add({"aten.nan_to_num.default"}, nanToNum);
  registry.add({"aten.max.other"}, maximum);
  registry.add({"aten.min.other"}, minimum);
  registry.add({"aten.__and__.Tensor", "aten.__and__.Scalar", "aten.__or__.Tensor", "aten.__or__.Scalar",
                "aten.__xor__.Tensor", "aten.__xor__.Scalar"},
               bitwise);
}

}  // namespace exportdeck::passes::decompositions
