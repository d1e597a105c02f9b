// Functional operators -> kernel calls; the form is stated in passes/kernel_call.h.
#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "ops/schema.h"
#include "ops/schema_parser.h"
#include "passes/build.h"
#include "passes/kernel_call.h"
#include "passes/passes.h"
#include "passes/promotion.h"
#include "passes/run_time_sizes.h"
#include "passes/widen_half.h"

namespace exportdeck::passes {

namespace {

using ops::ArgKind;

constexpr const char* kView = "aten.view_copy.default";

// Copies; the kernel that upstream calls for them states the layout.
constexpr std::string_view kCopies[] = {
    "aten.clone.default",
    "aten.alias_copy.default",
    "aten.detach_copy.default",
    "aten.lift_fresh_copy.default",
};

bool isCopy(const ir::Node& node) {
  return std::find(std::begin(kCopies), std::end(kCopies), node.op()) != std::end(kCopies);
}

ir::IntList rowMajorOrder(const ir::Value& value) {
  ir::Sizes order(value.type().rank());
  std::iota(order.begin(), order.end(), 0);
  return intList(order);
}

void toReshape(ir::Node& node) {
  ir::IntList sizes = intList(node.output()->type().shape);
  // The runtime finds one size by itself.
  const auto isOpen = [](const ir::IntItem& size) { return std::holds_alternative<ir::SymInt>(size); };
  const auto open = std::find_if(sizes.begin(), sizes.end(), isOpen);
  if (open != sizes.end() && std::count_if(sizes.begin(), sizes.end(), isOpen) == 1) *open = int64_t{-1};
  ir::Value* operand = node.value(0);
  node.setOp(kView);
  node.setArgs({operand, std::move(sizes)});
}

// A size that stays is written as -1.
void keepSizes(ir::Node& node) {
  if (!node.is("aten.expand_copy.default")) return;
  const ir::Shape from = sizesOf(node.value(0));
  ir::Shape to = sizesOf(node.output());
  const size_t added = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i) {
    if (!to[added + i].isStatic() && to[added + i] == from[i]) to[added + i] = -1;
  }
  node.setArg(1, intList(to));
}

// The kernel for what states a dimension order; null for other nodes.
const char* dimOrderKernel(const ir::Node& node) {
  if (node.is("aten._to_copy.default")) return "dim_order_ops._to_dim_order_copy.out";
  return isCopy(node) ? "dim_order_ops._clone_dim_order.out" : nullptr;
}

std::optional<Diagnostic> runtimeProblem(const ir::Node& node, const PassContext& context) {
  if (!context.runtime) return std::nullopt;
  const char* special = dimOrderKernel(node);
  const ops::KernelInfo* kernel = ops::kernelFor(special ? special : node.op());
  check(kernel != nullptr, concat(node.op(), " has no kernel"));
  if (context.runtime->has(*kernel)) return std::nullopt;
  return kernelMissing(node, ops::registryName(kernel->schema->name), *context.runtime, context.advise(node));
}

// [x, non_blocking, dim_order]
void toDimOrderCopy(ir::Node& node, const char* kernel) {
  ir::Value* operand = node.value(0);
  node.setOp(kernel);
  node.setArgs({operand, false, rowMajorOrder(*operand)});
}

// A number where the kernel takes a tensor: a constant of the type that PyTorch computes with.
ir::Value* asTensor(ir::Node& node, const Number& number, ConstantPool& pool) {
  std::vector<ir::Argument> operands;
  for (const ir::Argument& argument : node.args()) {
    const auto* value = std::get_if<ir::Value*>(&argument);
    if (value && (*value)->isTensor()) operands.push_back(argument);
  }
  operands.push_back(std::visit([](auto value) { return ir::Argument(value); }, number));
  return Builder(node.graph(), node, pool).scalar(number, resultType(operands));
}

// The argument that the kernel's schema names, taken from the functional operator's.
ir::Argument argumentFor(const ops::ArgSchema& wanted, const ops::OpSchema& functional, ir::Node& node,
                         ConstantPool& pool) {
  const int index = functional.argIndex(wanted.name);
  if (index < 0) {
    check(wanted.fallback.has_value(),
          concat("the kernel of ", node.op(), " wants ", wanted.name, ", which the operator lacks"));
    return *wanted.fallback;
  }
  const ir::Argument& given = node.args().at(static_cast<size_t>(index));
  switch (wanted.kind) {
    case ArgKind::Tensor: {
      const auto number = numberOf(given);
      return number ? ir::Argument(asTensor(node, *number, pool)) : given;
    }
    case ArgKind::MemoryFormat:
    case ArgKind::Layout:
    case ArgKind::Device:
    case ArgKind::Generator:
      return ir::None{};
    default:
      return given;
  }
}

void toKernelCall(ir::Node& node, ConstantPool& pool) {
  const ops::OpSchema* functional = ops::findSchema(node.op());
  const ops::KernelInfo* kernel = ops::kernelFor(node.op());
  check(functional && kernel, concat(node.op(), " has no kernel"));
  check(node.argCount() == functional->args.size(), concat("the node ", node.op(), " lacks arguments"));
  std::vector<ir::Argument> arguments;
  for (const ops::ArgSchema& wanted : kernel->schema->args) {
    if (!kernel->isOut(wanted.name)) arguments.push_back(argumentFor(wanted, *functional, node, pool));
  }
  node.setArgs(std::move(arguments));
  node.setOp(kernel->schema->name);
}

// Saved statistics of a batch normalisation without training: the kernel gives none, whatever sizes the archive states.
void dropStatistics(ir::Node& node) {
  if (!node.is("aten._native_batch_norm_legit_no_training.out")) return;
  for (size_t i = 1; i < node.outputs().size(); ++i) {
    if (node.graph().isUnused(node.output(i))) node.output(i)->setType({node.output()->type().dtype, ir::Sizes{0}});
  }
}

}  // namespace

void toKernels(ir::Graph& graph, PassContext& context) {
  std::vector<Diagnostic> problems;
  ConstantPool pool;
  RunTimeSizes sizes(graph);
  // A snapshot: casts are put in around some nodes, and those are kernel calls already.
  const std::vector<ir::Node*> nodes = graph.nodeList();
  for (size_t i = 0; i < nodes.size(); ++i) {
    ir::Node& node = *nodes[i];
    if (node.is(ir::kDelegateOp)) continue;
    if (auto problem = operatorProblem(node)) {
      problems.push_back(*problem);
      continue;
    }
    if (isStaticReshape(node)) {
      toReshape(node);
      sizes.resolve(node);
      continue;
    }
    keepSizes(node);
    sizes.resolve(node);
    if (auto problem = runtimeProblem(node, context)) {
      problems.push_back(*problem);
      continue;
    }
    if (const char* kernel = dimOrderKernel(node)) {
      toDimOrderCopy(node, kernel);
    } else {
      toKernelCall(node, pool);
      dropStatistics(node);
      widenHalf(node, i + 1 < nodes.size() ? nodes[i + 1] : nullptr, pool);
    }
    if (auto problem = kernelCallProblem(node)) problems.push_back(*problem);
  }
  std::vector<ir::Argument> outputs = graph.outputs();
  for (ir::Argument& output : outputs) {
    if (const auto* size = std::get_if<ir::SymInt>(&output)) output = sizes.valueOf(*size, nullptr);
  }
  graph.setOutputs(std::move(outputs));
  refuse(problems, context.diagnostics);
  graph.eraseUnusedConstants();
}

}  // namespace exportdeck::passes
