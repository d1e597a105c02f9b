// Batch normalisation with known statistics becomes part of the weights before it, else a product and a sum.
//
// y = (x - mean) / sqrt(variance + eps) * weight + bias = x * scale + shift, in double precision, when the bytes are
// written.
#include <cmath>

#include "base/text.h"
#include "passes/build.h"
#include "passes/channel_scale.h"
#include "passes/passes.h"

namespace exportdeck::passes {

namespace {

using ir::ConstantPtr;
using ir::Node;
using ir::Value;

// Arguments of _native_batch_norm_legit_no_training: (x, weight, bias, mean, variance, momentum, eps)
struct Statistics {
  ConstantPtr weight, bias, mean, variance;  // the first two may be null
  double eps = 0;
  std::string name;
};

struct Affine {
  std::vector<double> scale, shift;
};

Affine affineOf(const Statistics& s) {
  const std::vector<double> mean = readAsDoubles(*s.mean), variance = readAsDoubles(*s.variance);
  const size_t channels = mean.size();
  const std::vector<double> weight = s.weight ? readAsDoubles(*s.weight) : std::vector<double>(channels, 1);
  const std::vector<double> bias = s.bias ? readAsDoubles(*s.bias) : std::vector<double>(channels, 0);
  Affine out{std::vector<double>(channels), std::vector<double>(channels)};
  for (size_t c = 0; c < channels; ++c) {
    out.scale[c] = weight[c] / std::sqrt(variance[c] + s.eps);
    out.shift[c] = bias[c] - mean[c] * out.scale[c];
  }
  return out;
}

std::optional<Statistics> statisticsOf(const Node& node) {
  Statistics out;
  const auto take = [&](size_t i, ConstantPtr& into) {
    if (node.isNone(i)) return true;
    into = node.value(i)->constant();
    return into != nullptr;
  };
  if (!take(1, out.weight) || !take(2, out.bias) || !take(3, out.mean) || !take(4, out.variance)) return std::nullopt;
  out.eps = node.floatArg(6);
  const std::string& source = out.weight ? out.weight->name : out.mean->name;
  out.name = source.substr(0, source.rfind('.'));
  return out;
}

ConstantPtr recipe(std::string name, const ir::TensorType& type, std::function<std::vector<double>()> values) {
  auto make = [values = std::move(values), dtype = type.dtype] { return bytesOfDoubles(values(), dtype); };
  return std::make_shared<const ir::Constant>(
      ir::Constant{std::move(name), type, bytesMade(type.bytes(), std::move(make))});
}

ConstantPtr scaledWeight(const ConstantPtr& weight, const Statistics& s, const ChannelMap& map) {
  std::string identity = concat("batch norm ", s.eps);
  for (const ConstantPtr& part : {s.weight, s.bias, s.mean, s.variance}) {
    identity += part ? concat(' ', part->data->identity(), ' ', ir::info(part->type.dtype).name) : " none";
  }
  ChannelFactors factors{[s] { return affineOf(s).scale; }, std::move(identity)};
  return std::make_shared<const ir::Constant>(
      ir::Constant{concat(weight->name, "*", s.name), weight->type, scaledByChannel(weight, std::move(factors), map)});
}

ConstantPtr shiftedBias(const ConstantPtr& bias, const Statistics& s, const ir::TensorType& type) {
  return recipe(concat(bias ? bias->name : s.name, bias ? "*" : ".shift", bias ? s.name : ""), type, [bias, s] {
    Affine affine = affineOf(s);
    if (!bias) return affine.shift;
    const std::vector<double> values = readAsDoubles(*bias);
    for (size_t c = 0; c < values.size(); ++c) affine.shift[c] += values[c] * affine.scale[c];
    return affine.shift;
  });
}

// convolution (x, weight, bias, stride, padding, dilation, transposed, outputPadding, groups) or linear (x, weight,
// bias)
bool canTake(const ir::Graph& graph, const Node* before, const Value* between) {
  if (!before || between->users().size() != 1 || graph.isOutput(between)) return false;
  const bool isLinear = before->is("aten.linear.default");
  if (!isLinear && !before->is("aten.convolution.default")) return false;
  if (isLinear && rankOf(between) != 2) return false;  // the channels would not be the features
  return before->value(1)->isConstant() && (before->isNone(2) || before->value(2)->isConstant());
}

ChannelMap channelMapOf(const Node& before) {
  const ir::Shape w = before.value(1)->type().shape;
  ChannelMap map;
  const bool transposed = before.is("aten.convolution.default") && before.boolArg(6);
  const size_t channelDim = transposed ? 1 : 0;
  map.channels = static_cast<size_t>(w.at(channelDim));
  map.inner = static_cast<size_t>(product(ir::Shape(w.begin() + static_cast<std::ptrdiff_t>(channelDim) + 1, w.end())));
  if (transposed) map.perGroup = static_cast<size_t>(product(w) / before.intArg(8));
  return map;
}

void foldInto(ir::Graph& graph, Node* before, const Statistics& s) {
  const ConstantPtr weight = before->value(1)->constant();
  const ConstantPtr bias = before->isNone(2) ? nullptr : before->value(2)->constant();
  const ir::TensorType biasType(weight->type.dtype, s.mean->type.sizes());
  before->setArg(1, graph.addConstant(scaledWeight(weight, s, channelMapOf(*before))));
  before->setArg(2, graph.addConstant(shiftedBias(bias, s, biasType)));
}

Value* asProductAndSum(ir::Graph& graph, Node* node, const Statistics& s, ConstantPool& pool) {
  Builder build(graph, *node, pool);
  Value* x = node->value(0);
  ir::Sizes sizes = s.mean->type.sizes();
  if (rankOf(x) > 2) sizes.insert(sizes.end(), rankOf(x) - 2, 1);
  const ir::TensorType type(dtypeOf(x), sizes);
  Value* scale = build.constant(recipe(concat(s.name, ".scale"), type, [s] { return affineOf(s).scale; }));
  Value* shift = build.constant(recipe(concat(s.name, ".shift"), type, [s] { return affineOf(s).shift; }));
  return build.add(build.mul(x, scale), shift);
}

}  // namespace

void fuseBatchNorm(ir::Graph& graph, PassContext& context) {
  ConstantPool pool;
  for (Node* node : graph.nodeList()) {
    context.context.throwIfStopped();
    if (!node->is("aten._native_batch_norm_legit_no_training.default")) continue;
    if (!graph.isUnused(node->output(1)) || !graph.isUnused(node->output(2))) continue;
    const std::optional<Statistics> statistics = statisticsOf(*node);
    if (!statistics) continue;
    Value* x = node->value(0);
    Value* result = x;
    if (canTake(graph, x->producer(), x)) {
      foldInto(graph, x->producer(), *statistics);
    } else {
      result = asProductAndSum(graph, node, *statistics, pool);
    }
    if (!graph.isUnused(node->output())) graph.replaceAllUses(node->output(), result);
    graph.erase(node);
  }
  graph.eraseUnusedConstants();
}

}  // namespace exportdeck::passes
