// Losses. `reduction` is 0 for each element by itself, 1 for the mean, 2 for the sum.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

Value* overAll(Builder& build, Value* each, std::string_view op) {
  return build.reduce(op, each, range(rankOf(each)), false);
}

Results reducedBy(Builder& build, Value* each, int64_t reduction) {
  if (reduction == 0) return {each};
  return {overAll(build, each, reduction == 1 ? "aten.mean.dim" : "aten.sum.dim_IntList")};
}

Results squared(Builder& build, const Node& node) {
  Value* distance = build.sub(node.value(0), node.value(1));
  return reducedBy(build, build.mul(distance, distance), node.intArg(2));
}

Value* absoluteDistance(Builder& build, const Node& node) {
  return build.unary("aten.abs.default", build.sub(node.value(0), node.value(1)));
}
Results absolute(Builder& build, const Node& node) {
  return reducedBy(build, absoluteDistance(build, node), node.intArg(2));
}

// A parabola up to `bend`, a line behind it that goes on without a kink; both times `scale`.
Value* bent(Builder& build, Value* distance, double bend, double scale) {
  Value* parabola = build.mul(build.mul(distance, distance), 0.5 * scale);
  Value* line = build.mul(build.add(distance, -0.5 * bend), bend * scale);
  return build.where(build.compare("aten.lt.Scalar", distance, bend), parabola, line);
}
Results smoothL1(Builder& build, const Node& node) {
  const double beta = node.floatArg(3);
  Value* distance = absoluteDistance(build, node);
  return reducedBy(build, beta == 0 ? distance : bent(build, distance, beta, 1 / beta), node.intArg(2));
}
Results huber(Builder& build, const Node& node) {
  return reducedBy(build, bent(build, absoluteDistance(build, node), node.floatArg(3), 1), node.intArg(2));
}

Value* weighted(Builder& build, const Node& node, size_t weight, Value* each) {
  return node.isNone(weight) ? each : build.mul(each, node.value(weight));
}

// (probability, target, weight, reduction); PyTorch's logarithms do not go below -100.
Results binaryCrossEntropy(Builder& build, const Node& node) {
  Value *p = node.value(0), *target = node.value(1), *one = build.scalar(1.0, dtypeOf(p));
  const auto logarithm = [&](Value* x) {
    return build.clamp(build.unary("aten.log.default", x), -100.0, std::nullopt);
  };
  Value* hit = build.mul(target, logarithm(p));
  Value* miss = build.mul(build.sub(one, target), logarithm(build.sub(one, p)));
  Value* each = build.unary("aten.neg.default", build.add(hit, miss));
  return reducedBy(build, weighted(build, node, 2, each), node.intArg(3));
}

// log(sigmoid(x)) = min(x, 0) - log1p(exp(-|x|))
Value* logSigmoid(Builder& build, Value* x) {
  Value* falling = build.unary("aten.neg.default", build.unary("aten.abs.default", x));
  Value* tail = build.unary("aten.log1p.default", build.unary("aten.exp.default", falling));
  return build.sub(build.clamp(x, std::nullopt, 0.0), tail);
}

// (logit, target, weight, weight of hits, reduction): (1 - t) x - (1 + (w - 1) t) log(sigmoid(x))
Results binaryCrossEntropyOfLogits(Builder& build, const Node& node) {
  Value *x = node.value(0), *target = node.value(1), *one = build.scalar(1.0, dtypeOf(x));
  Value* hit = logSigmoid(build, x);
  if (!node.isNone(3)) {
    hit = build.mul(hit, build.add(build.mul(build.sub(node.value(3), one), target), one));
  }
  Value* each = build.sub(build.mul(build.sub(one, target), x), hit);
  return reducedBy(build, weighted(build, node, 2, each), node.intArg(4));
}

// (log probability, target, reduction, *, the target is a logarithm)
Results divergence(Builder& build, const Node& node) {
  Value *x = node.value(0), *target = node.value(1);
  if (node.boolArg(3)) {
    Value* each = build.mul(build.unary("aten.exp.default", target), build.sub(target, x));
    return reducedBy(build, each, node.intArg(2));
  }
  Value* own = build.node("aten.xlogy.Tensor", {target, target}, target->type());
  return reducedBy(build, build.sub(own, build.mul(target, x)), node.intArg(2));
}

// Of each row's log probabilities [batch, class, ...] that of its target, negated; nothing for a target that is to be
// ignored. The mean is over those that count.
Results negativeLikelihood(Builder& build, Value* x, Value* target, int64_t reduction, int64_t ignored) {
  const int64_t classDim = rankOf(x) == 1 ? 0 : 1;
  Value* counts = build.compare("aten.ne.Scalar", target, ignored);
  Value* index = build.where(counts, target, build.scalar(int64_t{0}, dtypeOf(target)));
  index = build.cast(build.unsqueeze(index, classDim), DType::Int64);
  Value* chosen = build.node("aten.gather.default", {x, classDim, index}, {dtypeOf(x), sizesOf(index)});
  Value* each = build.where(counts, build.unary("aten.neg.default", build.squeeze(chosen, classDim)),
                            build.scalar(0.0, dtypeOf(x)));
  if (reduction == 0) return {each};
  Value* sum = overAll(build, each, "aten.sum.dim_IntList");
  if (reduction == 2) return {sum};
  return {build.div(sum, overAll(build, build.cast(counts, dtypeOf(x)), "aten.sum.dim_IntList"))};
}

// (log probabilities, target, weight, reduction, ignored)
Results negativeLikelihoodNode(Builder& build, const Node& node) {
  if (!node.isNone(2)) return {};
  return negativeLikelihood(build, node.value(0), node.value(1), node.intArg(3), node.intArg(4));
}

// (logits, target, weight, reduction, ignored, smoothing): targets that are classes, not probabilities.
Results crossEntropy(Builder& build, const Node& node) {
  Value *x = node.value(0), *target = node.value(1);
  if (!node.isNone(2) || node.floatArg(5) != 0 || isFloating(dtypeOf(target))) return {};
  const int64_t classDim = rankOf(x) == 1 ? 0 : 1;
  Value* logs = build.node("aten._log_softmax.default", {x, classDim, false}, x->type());
  return negativeLikelihood(build, logs, target, node.intArg(3), node.intArg(4));
}

}  // namespace

void registerLosses(DecompositionRegistry& registry) {
  registry.add({"aten.mse_loss.default"}, squared);
  registry.add({"aten.l1_loss.default"}, absolute);
  registry.add({"aten.smooth_l1_loss.default"}, smoothL1);
  registry.add({"aten.huber_loss.default"}, huber);
  registry.add({"aten.binary_cross_entropy.default"}, binaryCrossEntropy);
  registry.add({"aten.binary_cross_entropy_with_logits.default"}, binaryCrossEntropyOfLogits);
  registry.add({"aten.kl_div.default"}, divergence);
  registry.add({"aten.nll_loss.default", "aten.nll_loss_nd.default", "aten.nll_loss2d.default"},
               negativeLikelihoodNode);
  registry.add({"aten.cross_entropy_loss.default"}, crossEntropy);
}

}  // namespace exportdeck::passes::decompositions
