// Complex values become pairs of real ones, and operators on them operators on their parts: the runtime has no complex
// kernels. Fourier transforms become products with constant matrices (passes/complex/).
#include <algorithm>

#include "base/text.h"
#include "passes/complex/parts.h"
#include "passes/passes.h"

namespace exportdeck::passes {

namespace {

using complex::Parts;
using ir::Node;
using ir::Value;

bool isComplexTensor(const Value* value) {
  return value->isTensor() && isComplex(value->type().dtype);
}

bool hasComplexNumber(const Node& node) {
  return std::any_of(node.args().begin(), node.args().end(), [](const ir::Argument& argument) {
    return std::holds_alternative<ir::Opaque>(argument) && complex::complexNumber(argument);
  });
}

// Also those that lead from real to real by complex numbers inside.
bool isTransform(const Node& node) {
  constexpr std::string_view kNames[] = {"aten.stft.default", "aten.stft.center", "aten.istft.default"};
  if (std::find(std::begin(kNames), std::end(kNames), node.op()) != std::end(kNames)) return true;
  const bool isOfFourier = node.op().starts_with("aten.fft_") || node.op().starts_with("aten._fft_");
  return isOfFourier && !node.operands().empty() && !node.op().ends_with("shift.default");
}

bool concerns(const Node& node) {
  const std::vector<Value*> operands = node.operands();
  return isTransform(node) || hasComplexNumber(node) ||
         std::any_of(operands.begin(), operands.end(), isComplexTensor) ||
         std::any_of(node.outputs().begin(), node.outputs().end(), isComplexTensor);
}

[[noreturn]] void refuseAtBorder(const Origin& where, std::string what, std::string fix) {
  throw ExportError(Diagnostic{Code::DtypeUnsupported,
                               Severity::Error,
                               std::move(what),
                               where,
                               "The runtime takes and gives real tensors only",
                               {std::move(fix)}});
}

void refuseComplexBorders(const ir::Graph& graph) {
  for (const ir::GraphInput& input : graph.inputs()) {
    if (!input.value || !isComplexTensor(input.value)) continue;
    refuseAtBorder({}, concat("the input ", input.name, " is a complex tensor, ", input.value->type().text()),
                   "Let the model take a real tensor with a last dimension of two and begin with "
                   "torch.view_as_complex(x).");
  }
  for (const Value* state : graph.states()) {
    if (!isComplexTensor(state)) continue;
    refuseAtBorder({}, concat("the buffer ", state->initial()->name, ", which the model changes, is complex"),
                   "Keep torch.view_as_real(x) in the buffer.");
  }
  for (const ir::Argument& output : graph.outputs()) {
    auto* const* value = std::get_if<Value*>(&output);
    if (!value || !isComplexTensor(*value)) continue;
    refuseAtBorder((*value)->producer() ? (*value)->producer()->origin() : Origin{},
                   concat("the program returns the complex tensor ", (*value)->name(), ", ", (*value)->type().text()),
                   "Return torch.view_as_real(x), which holds the same numbers.");
  }
}

[[noreturn]] void refuseOperator(const complex::Rewriter& rewriter) {
  const std::string& op = rewriter.node.op();
  rewriter.refuse(
      Code::OperatorUnsupported, concat("the operator ", op, " is not supported on complex numbers here"),
      "the runtime has no complex kernels, and how this one follows from operators on real and imaginary parts is "
      "not known",
      {"Write the line with x.real and x.imag, and join the results by torch.complex()"});
}

void rewrite(ir::Graph& graph, Node& node, complex::Rewriter::Memory& memory) {
  complex::Rewriter rewriter(graph, node, memory);
  const complex::Rewrite form = complex::Table::instance().find(node.op());
  const complex::Results results = form ? form(rewriter) : complex::Results{};
  if (results.empty()) refuseOperator(rewriter);
  check(results.size() == node.outputs().size(), concat("the parts of ", node.op(), " are of another number"));
  for (size_t i = 0; i < results.size(); ++i) {
    Value* from = node.output(i);
    const Parts& to = results[i];
    const ir::TensorType wanted = complex::partOf(from->type());
    for (const Value* part : {to.re, to.im}) {
      check(!part || part->type() == wanted, concat("a part of ", node.op(), " (", node.origin().node, ") is ",
                                                    part ? part->type().text() : "", ", not ", wanted.text()));
    }
    if (isComplexTensor(from)) {
      memory.parts[from] = to;
    } else {
      graph.replaceAllUses(from, to.re);
    }
  }
}

void runAt(const Node& node, const std::function<void()>& work) {
  try {
    work();
  } catch (const ExportError& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (diagnostic.where.empty()) diagnostic.where = node.origin();
    if (diagnostic.where.op.empty()) diagnostic.where.op = node.op();
    throw ExportError(std::move(diagnostic));
  }
}

}  // namespace

void realParts(ir::Graph& graph, PassContext& context) {
  refuseComplexBorders(graph);
  std::vector<Node*> replaced;
  complex::Rewriter::Memory memory;
  for (Node* node : graph.nodeList()) {
    if (!concerns(*node)) continue;
    context.context.throwIfStopped();
    runAt(*node, [&] { rewrite(graph, *node, memory); });
    replaced.push_back(node);
  }
  if (replaced.empty()) return;
  for (auto node = replaced.rbegin(); node != replaced.rend(); ++node) graph.erase(*node);
  simplify(graph, context);  // of many transforms only one part is read
}

}  // namespace exportdeck::passes
