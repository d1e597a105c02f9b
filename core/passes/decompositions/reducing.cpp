// Reductions in the form that a kernel has: a list of dimensions, no dtype of its own.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

Sizes dimsOf(const Node& node, size_t argument, size_t rank) {
  Sizes dims = node.isNone(argument) ? Sizes{} : Sizes(node.ints(argument));
  if (dims.empty()) return range(rank);
  for (ir::SymInt& dim : dims) dim = ir::wrapDim(dim, rank);
  return dims;
}

ir::SymInt countOf(const Value* x, const Sizes& dims) {
  ir::SymInt count = 1;
  for (const int64_t dim : dims) count *= rankOf(x) == 0 ? ir::SymInt(1) : x->type().dim(dim);
  return count;
}

// A tensor without dimensions is its own sum and mean.
Value* reduced(Builder& build, std::string_view op, Value* x, const Sizes& dims, bool keepdim) {
  return rankOf(x) == 0 ? x : build.reduce(op, x, dims, keepdim);
}

// With a zero behind the elements where there may be none: the kernel does not end then.
Value* neverEmpty(Builder& build, Value* x, const Sizes& dims) {
  for (const int64_t dim : dims) {
    if (rankOf(x) == 0 || x->type().dim(dim).isStatic() || x->type().dim(dim).lower().value_or(0) > 0) continue;
    Sizes sizes = sizesOf(x);
    sizes[static_cast<size_t>(dim)] = 1;
    x = build.cat({x, build.full(sizes, int64_t{0}, dtypeOf(x))}, dim);
  }
  return x;
}

Results sumAll(Builder& build, const Node& node) {
  Value* x = build.cast(node.value(0), resultDType(node));
  const Sizes dims = range(rankOf(x));
  return {reduced(build, "aten.sum.dim_IntList", neverEmpty(build, x, dims), dims, false)};
}

// The greatest magnitude that an integer tensor can hold: as its element type tells, or the shorter one it was cast
// from.
double greatestMagnitude(const Value* x) {
  for (const Node* from = x->producer(); from && from->is("aten._to_copy.default"); from = x->producer()) {
    const DType source = dtypeOf(from->value(0));
    if (isFloating(source) || (source != DType::Bool && ir::sizeOf(source) >= ir::sizeOf(dtypeOf(x)))) break;
    x = from->value(0);
  }
  if (dtypeOf(x) == DType::Bool) return 1;
  return std::ldexp(1.0, static_cast<int>(8 * ir::sizeOf(dtypeOf(x))) - (dtypeOf(x) == DType::UInt8 ? 0 : 1));
}

// The kernel rounds sums of doubles and integers to float32, which holds integers up to 2^24.
bool isExactByKernel(const Value* x, const Sizes& dims) {
  if (isFloating(dtypeOf(x))) return dtypeOf(x) != DType::Float64;
  const std::optional<int64_t> most = countOf(x, dims).upper();
  return greatestMagnitude(x) * static_cast<double>(most.value_or(std::numeric_limits<int64_t>::max())) <=
         std::ldexp(1.0, 24);
}

// The last of the running sums, whose kernel computes in the element type.
Value* exactSum(Builder& build, Value* x, Sizes dims, const Sizes& result) {
  std::sort(dims.begin(), dims.end());
  Sizes order, kept;
  for (size_t dim = 0; dim < rankOf(x); ++dim) {
    const auto d = static_cast<int64_t>(dim);
    if (std::binary_search(dims.begin(), dims.end(), d)) continue;
    order.push_back(d);
    kept.push_back(x->type().dim(d));
  }
  order.insert(order.end(), dims.begin(), dims.end());
  const ir::SymInt count = countOf(x, dims);
  Value* rows = build.view(build.permute(x, order), {product(kept), count});
  Value* running = build.node("aten.cumsum.default", {rows, int64_t{1}}, {dtypeOf(x), sizesOf(rows)});
  return build.view(build.select(running, 1, count - 1), result);
}

// (x, dims, keepdim, dtype)
Results sumDims(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (x->type().isEmpty()) return {build.full(resultSizes(node), int64_t{0}, resultDType(node))};
  const Sizes dims = dimsOf(node, 1, rankOf(x));
  const bool direct = dtypeOf(x) == resultDType(node) && node.isNone(3) && !node.isNone(1) && !node.ints(1).empty();
  const bool exact = rankOf(x) == 0 || isExactByKernel(x, dims);
  Value* filled = neverEmpty(build, x, dims);
  if (filled != x) return {reduced(build, node.op(), build.cast(filled, resultDType(node)), dims, node.boolArg(2))};
  if (direct && exact) return {};
  if (direct) return {exactSum(build, x, dims, resultSizes(node))};
  return {reduced(build, node.op(), build.cast(x, resultDType(node)), dims, node.boolArg(2))};
}

// The running sum of a tensor without dimensions is itself. PyTorch converts the elements before it adds them.
Results runningSum(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (rankOf(x) == 0) return {build.cast(x, resultDType(node))};
  if (dtypeOf(x) == resultDType(node) || isFloatResult(node) || !isFloating(dtypeOf(x))) return {};
  return {build.node("aten.cumsum.default", {build.cast(x, resultDType(node)), node.intArg(1)}, node.output()->type())};
}

Results meanAll(Builder& build, const Node& node) {
  Value* x = build.cast(node.value(0), resultDType(node));
  return {reduced(build, "aten.mean.dim", x, range(rankOf(x)), false)};
}

Results meanDims(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (x->type().isEmpty()) {
    return {build.full(resultSizes(node), std::numeric_limits<double>::quiet_NaN(), resultDType(node))};
  }
  if (dtypeOf(x) == resultDType(node) && node.isNone(3) && !node.isNone(1) && !node.ints(1).empty()) return {};
  const Sizes dims = dimsOf(node, 1, rankOf(x));
  return {reduced(build, node.op(), build.cast(x, resultDType(node)), dims, node.boolArg(2))};
}

// (x) or (x, dims, keepdim): an empty list means all dimensions, which the kernels are told one by one.
Results extremes(Builder& build, const Node& node) {
  const bool all = node.argCount() < 3 || node.ints(1).empty();
  if (rankOf(node.value(0)) == 0) return {node.value(0)};
  if (!all) return {};
  return {build.reduce(node.op(), node.value(0), range(rankOf(node.value(0))), node.boolArg(2))};
}

Results maxAll(Builder& build, const Node& node) {
  return {reduced(build, "aten.amax.default", node.value(0), range(rankOf(node.value(0))), false)};
}
Results minAll(Builder& build, const Node& node) {
  return {reduced(build, "aten.amin.default", node.value(0), range(rankOf(node.value(0))), false)};
}

// Only the values of max.dim are read: amax gives them without the indices.
Results maxDim(Builder& build, const Node& node) {
  if (!node.graph().isUnused(node.output(1))) return {};
  return {build.amax(node.value(0), {node.intArg(1)}, node.boolArg(2)), nullptr};
}
Results minDim(Builder& build, const Node& node) {
  if (!node.graph().isUnused(node.output(1))) return {};
  return {build.reduce("aten.amin.default", node.value(0), {node.intArg(1)}, node.boolArg(2)), nullptr};
}

Results prodAll(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (dtypeOf(x) == resultDType(node) && node.isNone(1)) return {};
  return {build.node("aten.prod.default", {build.cast(x, resultDType(node))}, node.output()->type())};
}

// (x, dim, keepdim, dtype)
Results prodDim(Builder& build, const Node& node) {
  Value* x = node.value(0);
  if (dtypeOf(x) == resultDType(node) && node.isNone(3)) return {};
  return {build.node("aten.prod.dim_int", {build.cast(x, resultDType(node)), node.intArg(1), node.boolArg(2)},
                     node.output()->type())};
}

// Sum of squared distances from the mean over (count - correction).
Value* variance(Builder& build, Value* x, const Sizes& dims, double correction, bool keepdim, Value** meanKept) {
  Value* mean = build.mean(x, dims, true);
  if (meanKept) *meanKept = mean;
  Value* distance = build.sub(x, mean);
  const auto count = static_cast<double>(countOf(x, dims));
  Value* sum = build.sum(build.mul(distance, distance), dims, keepdim);
  return build.div(sum, build.scalar(std::max(count - correction, 0.0), dtypeOf(x)));
}

struct VarianceForm {
  Sizes dims;
  double correction;
  bool keepdim;
};

// The overloads: (x, unbiased), (x, dims, unbiased, keepdim), (x, dims, *, correction, keepdim).
VarianceForm varianceForm(const Node& node) {
  const size_t rank = rankOf(node.value(0));
  const std::string_view op = node.op();
  if (op.ends_with(".default")) return {range(rank), node.boolArg(1) ? 1.0 : 0.0, false};
  if (op.ends_with(".dim")) return {dimsOf(node, 1, rank), node.boolArg(2) ? 1.0 : 0.0, node.boolArg(3)};
  return {dimsOf(node, 1, rank), node.isNone(2) ? 1.0 : node.floatArg(2), node.boolArg(3)};
}

Results var(Builder& build, const Node& node) {
  const VarianceForm form = varianceForm(node);
  return {variance(build, node.value(0), form.dims, form.correction, form.keepdim, nullptr)};
}

Results standardDeviation(Builder& build, const Node& node) {
  return {build.unary("aten.sqrt.default", var(build, node).front())};
}

Results varAndMean(Builder& build, const Node& node, bool root) {
  const VarianceForm form = varianceForm(node);
  Value* mean = nullptr;
  Value* spreadValue = variance(build, node.value(0), form.dims, form.correction, form.keepdim, &mean);
  if (root) spreadValue = build.unary("aten.sqrt.default", spreadValue);
  return {spreadValue, build.view(mean, sizesOf(node.output(1)))};
}
Results varMean(Builder& build, const Node& node) {
  return varAndMean(build, node, false);
}
Results stdMean(Builder& build, const Node& node) {
  return varAndMean(build, node, true);
}

// The p-norm of a vector of dimensions.
Value* vectorNorm(Builder& build, Value* x, double p, const Sizes& dims, bool keepdim) {
  Value* magnitude = build.unary("aten.abs.default", x);
  if (p == std::numeric_limits<double>::infinity()) return build.amax(magnitude, dims, keepdim);
  if (p == -std::numeric_limits<double>::infinity()) return build.reduce("aten.amin.default", magnitude, dims, keepdim);
  if (p == 1) return build.sum(magnitude, dims, keepdim);
  if (p == 2) return build.unary("aten.sqrt.default", build.sum(build.mul(x, x), dims, keepdim));
  if (p == 0) return build.sum(build.cast(build.compare("aten.ne.Scalar", x, int64_t{0}), dtypeOf(x)), dims, keepdim);
  const auto power = [&](Value* base, double exponent) {
    return build.node("aten.pow.Tensor_Scalar", {base, exponent}, {dtypeOf(base), sizesOf(base)});
  };
  return power(build.sum(power(magnitude, p), dims, keepdim), 1 / p);
}

// (x, ord, dims, keepdim, dtype)
Results linalgVectorNorm(Builder& build, const Node& node) {
  Value* x = build.cast(node.value(0), resultDType(node));
  return {vectorNorm(build, x, node.floatArg(1), dimsOf(node, 2, rankOf(x)), node.boolArg(3))};
}

// Without an order it is the 2-norm of all that is reduced; with one and a single dimension the vector norm.
Results linalgNorm(Builder& build, const Node& node) {
  Value* x = build.cast(node.value(0), resultDType(node));
  const Sizes dims = dimsOf(node, 2, rankOf(x));
  if (!node.isNone(1) && !std::holds_alternative<std::string>(node.args()[1]) && dims.size() == 1) {
    return {vectorNorm(build, x, node.floatArg(1), dims, node.boolArg(3))};
  }
  if (!node.isNone(1)) return {};
  return {vectorNorm(build, x, 2, dims, node.boolArg(3))};
}

// (x, p), (x, p, dims, keepdim)
Results norm(Builder& build, const Node& node) {
  Value* x = build.cast(node.value(0), resultDType(node));
  const bool some = node.argCount() > 3;
  const double p = node.isNone(1) ? 2 : node.floatArg(1);
  return {vectorNorm(build, x, p, some ? dimsOf(node, 2, rankOf(x)) : range(rankOf(x)), some && node.boolArg(3))};
}

// (x1, x2, dim, eps)
Results cosineSimilarity(Builder& build, const Node& node) {
  Value *a = node.value(0), *b = node.value(1);
  const Sizes both = broadcastSizes(sizesOf(a), sizesOf(b));
  a = build.expand(build.cast(a, resultDType(node)), both);
  b = build.expand(build.cast(b, resultDType(node)), both);
  const Sizes dims{ir::wrapDim(node.intArg(2), both.size())};
  const auto unit = [&](Value* x) {
    return build.div(x, build.clamp(vectorNorm(build, x, 2, dims, true), node.floatArg(3), std::nullopt));
  };
  return {build.sum(build.mul(unit(a), unit(b)), dims, false)};
}

// (x1, x2, p, eps, keepdim), over the last dimension
Results pairwiseDistance(Builder& build, const Node& node) {
  Value* distance = build.add(build.sub(node.value(0), node.value(1)), node.floatArg(3));
  return {vectorNorm(build, distance, node.floatArg(2), {static_cast<int64_t>(rankOf(distance)) - 1}, node.boolArg(4))};
}

// Shifted by the maximum so that no exponential overflows; infinite maxima are not subtracted.
Results logSumExp(Builder& build, const Node& node) {
  Value* x = build.cast(node.value(0), resultDType(node));
  const Sizes dims = dimsOf(node, 1, rankOf(x));
  Value* highest = build.amax(x, dims, true);
  Value* infinite = build.compare("aten.eq.Scalar", build.unary("aten.abs.default", highest),
                                  std::numeric_limits<double>::infinity());
  highest = build.where(infinite, build.scalar(0.0, dtypeOf(x)), highest);
  Value* sum = build.sum(build.unary("aten.exp.default", build.sub(x, highest)), dims, node.boolArg(2));
  return {build.add(build.unary("aten.log.default", sum), build.view(highest, sizesOf(sum)))};
}

// The arguments of `all` and `any` on bools.
std::vector<ir::Argument> withTruth(Builder& build, const Node& node) {
  std::vector<ir::Argument> args = node.args();
  args[0] = build.compare("aten.ne.Scalar", node.value(0), int64_t{0});
  return args;
}

Results any(Builder& build, const Node& node) {
  if (resultDType(node) == DType::Bool) return {};
  return {
      build.cast(build.node(node.op(), withTruth(build, node), {DType::Bool, resultSizes(node)}), resultDType(node))};
}

// All hold where none does not hold.
Results all(Builder& build, const Node& node) {
  Value* x = node.value(0);
  // Bytes give bytes, all else gives bools.
  if (resultDType(node) != DType::Bool) {
    return {
        build.cast(build.node(node.op(), withTruth(build, node), {DType::Bool, resultSizes(node)}), resultDType(node))};
  }
  Value* fails = dtypeOf(x) == DType::Bool ? build.logicalNot(x) : build.compare("aten.eq.Scalar", x, int64_t{0});
  const bool whole = node.is("aten.all.default");
  if (whole) return {build.logicalNot(build.node("aten.any.default", {fails}, {DType::Bool, Sizes{}}))};
  const Sizes dims = dimsOf(node, 1, rankOf(x));
  return {
      build.logicalNot(build.node("aten.any.dims", {fails, intList(dims), node.boolArg(2)}, node.output()->type()))};
}

Results countNonzero(Builder& build, const Node& node) {
  Value* x = node.value(0);
  Value* counted = build.cast(build.compare("aten.ne.Scalar", x, int64_t{0}), DType::Int64);
  const Sizes dims =
      node.is("aten.count_nonzero.default") && node.isNone(1) ? range(rankOf(x)) : dimsOf(node, 1, rankOf(x));
  return {build.sum(counted, dims, false)};
}

}  // namespace

void registerReducing(DecompositionRegistry& registry) {
  registry.add({"aten.sum.default"}, sumAll);
  registry.add({"aten.sum.dim_IntList"}, sumDims);
  registry.add({"aten.cumsum.default"}, runningSum);
  registry.add({"aten.mean.default"}, meanAll);
  registry.add({"aten.mean.dim"}, meanDims);
  registry.add({"aten.amax.default", "aten.amin.default"}, extremes);
  registry.add({"aten.max.default"}, maxAll);
  registry.add({"aten.min.default"}, minAll);
  registry.add({"aten.max.dim"}, maxDim);
  registry.add({"aten.min.dim"}, minDim);
  registry.add({"aten.prod.default"}, prodAll);
  registry.add({"aten.prod.dim_int"}, prodDim);
  registry.add({"aten.var.default", "aten.var.dim", "aten.var.correction"}, var);
  registry.add({"aten.std.default", "aten.std.dim", "aten.std.correction"}, standardDeviation);
  registry.add({"aten.var_mean.default", "aten.var_mean.dim", "aten.var_mean.correction"}, varMean);
  registry.add({"aten.std_mean.default", "aten.std_mean.dim", "aten.std_mean.correction"}, stdMean);
  registry.add({"aten.linalg_vector_norm.default"}, linalgVectorNorm);
  registry.add({"aten.linalg_norm.default"}, linalgNorm);
  registry.add({"aten.norm.Scalar", "aten.norm.ScalarOpt_dim"}, norm);
  registry.add({"aten.cosine_similarity.default"}, cosineSimilarity);
  registry.add({"aten.pairwise_distance.default"}, pairwiseDistance);
  registry.add({"aten.logsumexp.default"}, logSumExp);
  registry.add({"aten.any.default", "aten.any.dim", "aten.any.dims"}, any);
  registry.add({"aten.all.default", "aten.all.dim", "aten.all.dims"}, all);
  registry.add({"aten.count_nonzero.default", "aten.count_nonzero.dim_IntList"}, countNonzero);
}

}  // namespace exportdeck::passes::decompositions
