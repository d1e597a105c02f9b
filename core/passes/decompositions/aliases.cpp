// Operators that have a second name with the same arguments.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

struct Alias {
  std::string_view name, meant;
};

constexpr Alias kAliases[] = {
    {"aten.absolute.default", "aten.abs.default"},
    {"aten.arccos.default", "aten.acos.default"},
    {"aten.arccosh.default", "aten.acosh.default"},
    {"aten.arcsin.default", "aten.asin.default"},
    {"aten.arcsinh.default", "aten.asinh.default"},
    {"aten.arctan.default", "aten.atan.default"},
    {"aten.arctanh.default", "aten.atanh.default"},
    {"aten.fix.default", "aten.trunc.default"},
    {"aten.greater.Scalar", "aten.gt.Scalar"},
    {"aten.greater.Tensor", "aten.gt.Tensor"},
    {"aten.greater_equal.Scalar", "aten.ge.Scalar"},
    {"aten.greater_equal.Tensor", "aten.ge.Tensor"},
    {"aten.less.Scalar", "aten.lt.Scalar"},
    {"aten.less.Tensor", "aten.lt.Tensor"},
    {"aten.less_equal.Scalar", "aten.le.Scalar"},
    {"aten.less_equal.Tensor", "aten.le.Tensor"},
    {"aten.negative.default", "aten.neg.default"},
    {"aten.not_equal.Scalar", "aten.ne.Scalar"},
    {"aten.not_equal.Tensor", "aten.ne.Tensor"},
    {"aten.special_erf.default", "aten.erf.default"},
    {"aten.special_expm1.default", "aten.expm1.default"},
    {"aten.special_log1p.default", "aten.log1p.default"},
    {"aten.special_logit.default", "aten.logit.default"},
    {"aten.special_logsumexp.default", "aten.logsumexp.default"},
    {"aten.special_round.default", "aten.round.decimals"},
    {"aten.subtract.Scalar", "aten.sub.Scalar"},
    {"aten.subtract.Tensor", "aten.sub.Tensor"},
};

Results renamed(Builder& build, const Node& node) {
  const auto* alias = std::find_if(std::begin(kAliases), std::end(kAliases),
                                   [&](const Alias& candidate) { return candidate.name == node.op(); });
  return {build.node(alias->meant, node.args(), node.output()->type())};
}

}  // namespace

void registerAliases(DecompositionRegistry& registry) {
  for (const Alias& alias : kAliases) registry.add({alias.name}, renamed);
}

}  // namespace exportdeck::passes::decompositions
