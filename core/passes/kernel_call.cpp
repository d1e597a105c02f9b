#include "passes/kernel_call.h"

#include <algorithm>

#include "base/text.h"
#include "ops/kernel_types.h"
#include "ops/schema.h"
#include "ops/schema_parser.h"
#include "passes/kernel_limits.h"

namespace exportdeck::passes {

namespace {

constexpr size_t kMaximumRank = 16;  // of a tensor in a .pte; runtime/core/portable_type/tensor_impl.h

Diagnostic problem(const ir::Node& node, Code code, std::string message, std::string why,
                   std::vector<std::string> fixes) {
  Diagnostic out{code, Severity::Error, std::move(message), node.origin(), std::move(why), std::move(fixes)};
  if (out.where.op.empty()) out.where.op = node.op();
  return out;
}

Diagnostic unknownOperator(const ir::Node& node) {
  const std::string& op = node.op();
  if (op == "higher_order.wrap_with_autocast") {
    return problem(node, Code::OperatorUnsupported, "a region under torch.autocast is not supported",
                   "it computes in another element type than its operators say",
                   {"Leave torch.autocast out and convert the model: model.to(torch.float16)"});
  }
  if (op.starts_with("higher_order.")) {
    return problem(
        node, Code::OperatorUnsupported, concat("control flow (", op, ") is not supported here"),
        "loops are written out where their number of steps is known and moderate, and of a choice both sides "
        "are computed where neither can fail; other loops and branches have no lowering",
        {"Rewrite the model without control flow that depends on data"});
  }
  if (op.starts_with("_operator.") || op.starts_with("math.") || op.starts_with("torch.")) {
    return problem(node, Code::ShapeUnsupported, concat(op, " computes with a size that is known only at run time"),
                   "every size must be a number at export", {"Export the model with fixed sizes"});
  }
  std::vector<std::string> fixes = {"Rewrite the line with operators of PyTorch itself"};
  const std::string nearest = op.starts_with("aten.") ? nearestMatch(op, ops::allOperators()) : std::string();
  if (!nearest.empty()) fixes.insert(fixes.begin(), concat("Use ", nearest, ", the nearest known operator"));
  return problem(node, Code::OperatorUnknown, concat("the operator ", op, " is not known"),
                 op.starts_with("aten.") ? "this release knows the operators of torch 2.13.0"
                                         : "it is a custom operator, for which no kernel is known",
                 std::move(fixes));
}

struct Advice {
  std::string_view op, why, fix;
};
// Why operators that are met more often are not rewritten, and what does instead of them.
constexpr Advice kAdvice[] = {
    {"aten.median.", "of equal elements PyTorch's search picks one by its own order, so its indices cannot be foretold",
     "Use only the values, x.median(dim).values, or x.sort(dim), which gives both"},
    {"aten.mode.", "which of the most frequent elements PyTorch finds depends on its search",
     "Count with torch.nn.functional.one_hot(x, n).sum(0).argmax() where the values are small whole numbers"},
    {"aten.linalg_", "an elimination or an iteration whose steps depend on the data has no form in fixed operators",
     "Compute it before the export where the matrix is known, or write out the formula for its size (2x2: ad - bc)"},
    {"aten.inverse.", "an elimination whose steps depend on the data has no form in fixed operators",
     "Compute it before the export where the matrix is known, or write out the formula for its size"},
};

Diagnostic noKernel(const ir::Node& node) {
  for (const Advice& advice : kAdvice) {
    if (!node.op().starts_with(advice.op)) continue;
    return problem(node, Code::OperatorUnsupported,
                   concat("the operator ", node.op(), " has no kernel in the ExecuTorch runtime"),
                   std::string(advice.why), {std::string(advice.fix)});
  }
  return problem(
      node, Code::OperatorUnsupported, concat("the operator ", node.op(), " has no kernel in the ExecuTorch runtime"),
      "no kernel computes it, no rewriting into simpler operators is known, and the backend does not take it",
      {"Rewrite the line with other operators"});
}

// The symbols of the size that have no largest value, and a bound for each that is far above most uses.
Diagnostic noBound(const ir::Node& node, const ir::Value& value, const ir::SymInt& size) {
  std::vector<std::string> fixes, open;
  for (const ir::SymTerm& term : size.expr()->terms) {
    for (const ir::SymAtomPtr& atom : term.atoms) {
      if (!atom->upper && atom->function.empty() && atom->text.starts_with("s")) open.push_back(atom->text);
    }
  }
  for (const std::string& symbol : open)
    fixes.push_back(
        concat("Say how large it may become: set bound=", symbol, "=512, or the largest size that is used"));
  fixes.emplace_back("Give the dimension a `max` in torch.export.Dim, or export it with a fixed size");
  return problem(
      node, Code::ShapeUnsupported,
      concat("the size ", size.text(), " of ", value.name(), ", ", value.type().text(), ", has no upper bound"),
      "memory is planned at export", std::move(fixes));
}

std::optional<Diagnostic> typeProblem(const ir::Node& node, const ir::Value& value) {
  if (!value.isTensor()) return std::nullopt;
  const ir::TensorType& type = value.type();
  for (const ir::SymInt& size : type.shape) {
    if (!size.upper()) return noBound(node, value, size);
  }
  if (type.rank() > kMaximumRank) {
    return problem(node, Code::ShapeUnsupported, concat(value.name(), " has ", type.rank(), " dimensions"),
                   concat("the runtime takes at most ", kMaximumRank), {"Reshape it to fewer dimensions"});
  }
  switch (type.dtype) {
    case ir::DType::Bool:
    case ir::DType::UInt8:
    case ir::DType::Int8:
    case ir::DType::Int16:
    case ir::DType::Int32:
    case ir::DType::Int64:
    case ir::DType::Float16:
    case ir::DType::BFloat16:
    case ir::DType::Float32:
    case ir::DType::Float64:
      return std::nullopt;
    default:
      return problem(
          node, Code::DtypeUnsupported, concat(value.name(), " has the element type ", ir::info(type.dtype).torch),
          "no kernel computes with it",
          {ir::isComplex(type.dtype) ? "Compute with real and imaginary parts" : "Convert it to float32 or to int32"});
  }
}

bool isNumber(const ir::Value& value) {
  return !value.isTensor() && value.kind() != ir::ValueKind::None;
}

const ops::KernelInfo& kernelOf(const ir::Node& call) {
  const ops::KernelInfo* kernel = ops::kernelFor(call.op());
  check(kernel != nullptr, concat(call.op(), " is no kernel call"));
  return *kernel;
}

std::string typesText(const ops::CallTypes& types) {
  std::vector<std::string> operands, results;
  for (const auto& operand : types.operands) operands.emplace_back(ir::info(operand.dtype).torch);
  for (const ir::DType result : types.results) results.emplace_back(ir::info(result).torch);
  return concat("(", join(operands, ", "), ") -> ", join(results, ", "));
}

}  // namespace

ops::CallTypes callTypes(const ir::Node& call) {
  const ops::KernelInfo& kernel = kernelOf(call);
  ops::CallTypes types;
  size_t position = 0;
  for (const ops::ArgSchema& arg : kernel.schema->args) {
    if (kernel.isOut(arg.name)) continue;
    const ir::Argument& given = call.args().at(position++);
    if (const auto* value = std::get_if<ir::Value*>(&given)) {
      if ((*value)->isTensor()) types.operands.push_back({arg.name, (*value)->type().dtype});
    } else if (const auto* list = std::get_if<ir::ValueList>(&given)) {
      for (const ir::Value* item : *list) {
        if (item && item->isTensor()) types.operands.push_back({arg.name, item->type().dtype});
      }
    }
  }
  for (const ir::Value* result : call.outputs()) {
    if (result->isTensor()) types.results.push_back(result->type().dtype);
  }
  return types;
}

bool isStaticReshape(const ir::Node& node) {
  constexpr std::string_view names[] = {"aten.view_copy.default", "aten.squeeze_copy.default", "aten.squeeze_copy.dim",
                                        "aten.squeeze_copy.dims", "aten.unsqueeze_copy.default"};
  return std::find(std::begin(names), std::end(names), node.op()) != std::end(names);
}

std::optional<Diagnostic> valueProblem(const ir::Node& node) {
  std::vector<ir::Value*> values = node.operands();
  values.insert(values.end(), node.outputs().begin(), node.outputs().end());
  for (const ir::Value* value : values) {
    if (auto found = typeProblem(node, *value)) return found;
    if (isNumber(*value)) {
      return problem(node, Code::ShapeUnsupported, concat("the number ", value->name(), " is known only at run time"),
                     "numbers outside tensors must be known at export",
                     {"Keep the value in a tensor: leave out .item() and sizes that change"});
    }
  }
  return std::nullopt;
}

std::optional<Diagnostic> operatorProblem(const ir::Node& node) {
  const ops::OpSchema* schema = ops::findSchema(node.op());
  if (!schema) return unknownOperator(node);
  if (auto found = valueProblem(node)) return found;
  if (isStaticReshape(node)) return std::nullopt;
  const ops::KernelInfo* kernel = ops::kernelFor(node.op());
  return kernel ? std::nullopt : std::optional(noKernel(node));
}

std::optional<Diagnostic> kernelCallProblem(const ir::Node& call) {
  const ops::KernelInfo& kernel = kernelOf(call);
  const ops::CallTypes types = callTypes(call);
  if (!ops::kernelTakes(kernel, types)) {
    const std::string known = ops::kernelTypesText(kernel);
    return problem(
        call, Code::DtypeUnsupported,
        concat("the kernel ", ops::registryName(kernel.schema->name), " does not compute ", typesText(types)),
        known.empty() ? "it has not been seen to run with any element type" : concat("it computes ", known),
        {"Convert the operands to float32 before"});
  }
  if (const std::string limit = kernelLimit(call); !limit.empty()) {
    return problem(call, Code::ShapeUnsupported,
                   concat("the kernel ", ops::registryName(kernel.schema->name), " does not take this call: ", limit),
                   "it would end the program's run", {"Rewrite the line with other operators"});
  }
  return std::nullopt;
}

Diagnostic kernelMissing(const ir::Node& node, const std::string& kernel, const ops::RuntimeProfile& runtime,
                         const PassContext::Advice& advice) {
  std::vector<std::string> fixes = advice.fixes;
  if (const auto profiles = ops::RuntimeProfile::namesWith({kernel}); !profiles.empty()) {
    fixes.push_back(concat("Use --runtime-profile ", profiles.front(), ", which has it, and build the runtime so"));
  }
  fixes.push_back(concat("Add ", kernel, " to the runtime's operators and to the list given with --runtime-profile"));
  std::string why = "a program that calls it does not load there";
  if (!advice.why.empty()) why += concat("; ", advice.why);
  return problem(
      node, Code::OperatorUnsupported,
      concat("the runtime profile ", runtime.name(), " has no kernel ", kernel, ", which ", node.op(), " needs"),
      std::move(why), std::move(fixes));
}

void refuse(const std::vector<Diagnostic>& problems, DiagnosticSink& sink) {
  if (problems.empty()) return;
  for (const Diagnostic& found : problems) sink.report(found);
  Diagnostic first = problems.front();
  if (problems.size() > 1) first.message += concat(" (the first of ", problems.size(), " problems)");
  throw ExportError(std::move(first));
}

}  // namespace exportdeck::passes
