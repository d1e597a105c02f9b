// In-place operators become functional ones.
//
// Values that share memory belong to one storage. A storage holds the present contents of the tensor it began with;
// each value that looks at it remembers the views that lead there. A write makes new contents, and whoever reads
// another look afterwards gets it derived anew.
#include <algorithm>
#include <memory>
#include <unordered_map>

#include "base/text.h"
#include "ops/schema.h"
#include "passes/build.h"
#include "passes/mutation.h"
#include "passes/passes.h"
#include "passes/shared_memory.h"
#include "passes/training_mode.h"

namespace exportdeck::passes {

namespace {

struct ViewStep {
  ir::Node* node = nullptr;
  size_t output = 0;
};

struct Storage {
  ir::Value* contents = nullptr;  // of the tensor it began with
  int version = 0;
  ir::Value* origin = nullptr;  // the buffer or input whose memory this is; null: memory of the call's own
  std::vector<ir::Value*> members;
};

struct Look {
  std::shared_ptr<Storage> storage;
  std::vector<ViewStep> steps;  // from the contents to the value
  bool uncertain = false;       // through an operator that may have made a copy
  ir::Value* fresh = nullptr;   // the value as of `version`
  int version = 0;
};

class Functionaliser {
 public:
  Functionaliser(ir::Graph& graph, DiagnosticSink& diagnostics) : graph_(graph), diagnostics_(diagnostics) {}
  void run();

 private:
  Look& lookAt(ir::Value* value);
  ir::Value* refreshed(ir::Value* value, ir::Node* before);
  ir::Value* derived(ir::Value* contents, const ViewStep& step, ir::Node* before);
  void refreshOperands(ir::Node* node);
  void share(ir::Node* node, const std::vector<ir::Value*>& operands, Sharing sharing);
  void write(ir::Node* node, ir::Value* target);
  void refuseUnsupported(const ir::Node* node, const Look& look);
  void warnOfInput(const ir::Node* node, const Storage& storage);
  void keepOrigin(const std::shared_ptr<Storage>& storage);
  ir::Value* makeFunctional(ir::Node* node);
  void writeBack(Look& look, ir::Value* changed, ir::Node* node);
  void visit(ir::Node* node);
  bool hidesStrides(const Storage& storage, const ir::Node& node) const;
  std::vector<ir::Update> updates();
  void finish();
  void refuseUncertain(const ir::Node* node, const Look& written);
  bool isReadAfter(const ir::Value* value, const ir::Node* node) const;
  [[noreturn]] void refuse(const ir::Node* node, std::string message, std::string why, std::string fix) const;

  ir::Graph& graph_;
  DiagnosticSink& diagnostics_;
  std::unordered_map<const ir::Node*, size_t> order_;
  std::unordered_map<const ir::Value*, Look> looks_;
  std::vector<ir::Node*> replaced_;
  std::vector<std::shared_ptr<Storage>> kept_;  // what was written to and outlives the call, in the order of writing
};

// Buffers are known by their names in the model.
std::string nameOf(const ir::Value& origin) {
  const ir::ConstantPtr data = dataOf(origin);
  return data ? data->name : origin.name();
}

void Functionaliser::refuse(const ir::Node* node, std::string message, std::string why, std::string fix) const {
  throw ExportError(Diagnostic{Code::MutationUnsupported,
                               Severity::Error,
                               std::move(message),
                               node->origin(),
                               std::move(why),
                               {std::move(fix)}});
}

Look& Functionaliser::lookAt(ir::Value* value) {
  Look& look = looks_[value];
  if (!look.storage) {
    look.storage = std::make_shared<Storage>();
    look.storage->contents = value;
    if (!value->producer()) look.storage->origin = value;
    look.storage->members.push_back(value);
    look.fresh = value;
  }
  return look;
}

// The view of `step` on other contents.
ir::Value* Functionaliser::derived(ir::Value* contents, const ViewStep& step, ir::Node* before) {
  std::vector<ir::Argument> args = step.node->args();
  args[0] = contents;
  std::vector<ir::TensorType> types;
  for (const ir::Value* output : step.node->outputs()) types.emplace_back(output->type().dtype, output->type().sizes());
  return graph_.addNode(step.node->op(), std::move(args), std::move(types), step.node->originPtr(), before)
      ->output(step.output);
}

// The value as it stands before `before`, after all writes to its memory.
ir::Value* Functionaliser::refreshed(ir::Value* value, ir::Node* before) {
  if (!value->isTensor()) return value;
  Look& look = lookAt(value);
  if (look.version == look.storage->version) return look.fresh;
  ir::Value* current = look.storage->contents;
  for (const ViewStep& step : look.steps) current = derived(current, step, before);
  look.fresh = current;
  look.version = look.storage->version;
  return current;
}

void Functionaliser::refreshOperands(ir::Node* node) {
  std::vector<ir::Value*> operands = node->operands();
  std::sort(operands.begin(), operands.end());
  operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
  for (ir::Value* operand : operands) {
    ir::Value* fresh = refreshed(operand, node);
    if (fresh != operand) node->replaceOperand(operand, fresh);
  }
}

// `operands` are those of the user's program, before any was brought up to date.
void Functionaliser::share(ir::Node* node, const std::vector<ir::Value*>& operands, Sharing sharing) {
  const bool takesList = !node->hasValue(0);
  for (size_t i = 0; i < node->outputs().size() && !operands.empty(); ++i) {
    ir::Value* output = node->output(i);
    if (!output->isTensor()) continue;
    Look look = lookAt(operands[takesList ? std::min(i, operands.size() - 1) : 0]);
    look.uncertain = look.uncertain || sharing == Sharing::Unknown || hidesStrides(*look.storage, *node);
    if (sharing != Sharing::Same) look.steps.push_back({node, i});
    look.fresh = output;
    look.version = look.storage->version;
    look.storage->members.push_back(output);
    looks_[output] = std::move(look);
  }
}

bool Functionaliser::isReadAfter(const ir::Value* value, const ir::Node* node) const {
  if (graph_.isOutput(value)) return true;
  return std::any_of(value->users().begin(), value->users().end(), [&](const ir::Node* user) {
    const auto at = order_.find(user);
    return at != order_.end() && at->second > order_.at(node);
  });
}

// Where PyTorch alone knows whether memory is shared, nothing that may share it can be read after a write.
void Functionaliser::refuseUncertain(const ir::Node* node, const Look& written) {
  const Storage& storage = *written.storage;
  for (const ir::Value* member : storage.members) {
    const bool doubtful = written.uncertain || looks_.at(member).uncertain;
    const bool isWritten = looks_.at(member).fresh == written.fresh;
    if (!doubtful || isWritten || !isReadAfter(member, node)) continue;
    refuse(node, concat(node->op(), " writes to memory that ", member->name(), " may share"),
           "Whether a reshape copies depends on strides that are known only to PyTorch",
           "Write `x = x + y` in place of `x += y`, or clone() the tensor before it is written.");
  }
  if (written.uncertain && storage.origin && !storage.origin->isInput()) {
    refuse(node, concat(node->op(), " may write to ", nameOf(*storage.origin), ", which outlives the call"), {},
           "clone() the tensor before it is written.");
  }
}

// Replaces the in-place node by its functional form and gives the new contents of what it wrote.
ir::Value* Functionaliser::makeFunctional(ir::Node* node) {
  const std::string form = functionalForm(node->op());
  if (form.empty()) {
    refuse(node, concat("the in-place operator ", node->op(), " has no functional form"), {},
           "Use an operator that returns a new tensor.");
  }
  const ops::OpSchema* inPlace = ops::findSchema(node->op());
  const ops::OpSchema* functional = ops::findSchema(form);
  std::vector<ops::NamedArgument> given;
  for (size_t i = 0; i < node->argCount(); ++i) {
    // The first may be `self` in the one form and `input` in the other; arguments that only the one has (a generator)
    // are left out.
    const std::string& name = i == 0 ? functional->args.at(0).name : inPlace->args.at(i).name;
    if (functional->argIndex(name) >= 0) given.push_back({name, node->args()[i]});
  }
  ir::TensorType written = node->output()->type();
  written.strides.clear();
  ir::TensorType computedType = written;
  const ir::DType computed = computedType.dtype = computedDType(*node);
  ir::Value* result = graph_
                          .addNode(form, ops::bindArguments(*functional, std::move(given)), {std::move(computedType)},
                                   node->originPtr(), node, node->output()->name())
                          ->output();
  if (computed == written.dtype) return result;
  std::vector<ir::Argument> castArgs =
      ops::bindArguments(*ops::findSchema("aten._to_copy.default"), {{"self", result}, {"dtype", written.dtype}});
  return graph_.addNode("aten._to_copy.default", std::move(castArgs), {std::move(written)}, node->originPtr(), node)
      ->output();
}

void Functionaliser::writeBack(Look& look, ir::Value* changed, ir::Node* node) {
  std::vector<ir::Value*> bases;  // what each step looks at
  for (size_t i = 0; i < look.steps.size(); ++i) {
    bases.push_back(i == 0 ? look.storage->contents : derived(bases.back(), look.steps[i - 1], node));
  }
  for (size_t i = look.steps.size(); i-- > 0;) {
    const ViewStep& step = look.steps[i];
    changed = writeThrough(graph_, *step.node, step.output, bases[i], changed, node);
    if (!changed) {
      refuse(node, concat(node->op(), " writes through ", step.node->op(), ", which is not supported"), {},
             "Build the changed tensor with torch.where() or torch.cat().");
    }
  }
  look.storage->contents = changed;
  ++look.storage->version;
}

void Functionaliser::refuseUnsupported(const ir::Node* node, const Look& look) {
  if (changesSizesInPlace(node->op())) {
    refuse(node, concat(node->op(), " changes the sizes of a tensor in place, which is not supported"), {},
           "Use the operator without the underscore.");
  }
  refuseUncertain(node, look);
}

void Functionaliser::warnOfInput(const ir::Node* node, const Storage& storage) {
  if (!storage.origin || !storage.origin->isInput()) return;
  diagnostics_.report(
      Diagnostic{Code::MutationUnsupported,
                 Severity::Warning,
                 concat(node->op(), " may change the input ", storage.origin->name(),
                        " in PyTorch; the program works on a copy and leaves its caller's tensor alone"),
                 node->origin(),
                 "Whether a reshape copies depends on strides that are known only to PyTorch",
                 {"Return the changed tensor where a caller needs it."}});
}

// A buffer becomes state; what its memory holds at the end stays there for the next call, or for an input's owner.
void Functionaliser::keepOrigin(const std::shared_ptr<Storage>& storage) {
  if (!storage->origin || storage->version > 0) return;
  graph_.makeState(storage->origin);
  kept_.push_back(storage);
}

void Functionaliser::write(ir::Node* node, ir::Value* target) {
  Look& look = lookAt(target);
  // What is cut out of or put into a tensor is told by its sizes.
  for (const ViewStep& step : look.steps) requireFixedSizes(*step.node);
  refuseUnsupported(node, look);
  ir::Value* changed = makeFunctional(node);
  if (look.uncertain) {  // nobody else reads the memory: from here on it is its own
    warnOfInput(node, *look.storage);
    look = Look{};
    lookAt(target).storage->origin = nullptr;
  }
  keepOrigin(look.storage);
  writeBack(look, changed, node);
  look.fresh = changed;
  look.version = look.storage->version;
  look.storage->members.push_back(node->output());
  looks_[node->output()] = look;
  replaced_.push_back(node);
}

void Functionaliser::visit(ir::Node* node) {
  const std::vector<ir::Value*> operands = node->operands();
  const Sharing sharing = sharingOf(*node);
  refreshOperands(node);
  const ops::OpSchema* schema = ops::findSchema(node->op());
  if (node->is("aten.detach_.default")) return share(node, operands, Sharing::Same);
  if (schema && schema->isInPlace) return write(node, operands.at(0));
  if (schema && std::any_of(schema->args.begin(), schema->args.end(), [](const auto& arg) { return arg.written; })) {
    refuse(node, concat(node->op(), " writes to one of its arguments, which is not supported"), {},
           "Use an operator that returns a new tensor.");
  }
  if (sharing != Sharing::None) share(node, operands, sharing);
}

// A buffer's bytes are row-major here whatever its strides in PyTorch are.
bool Functionaliser::hidesStrides(const Storage& storage, const ir::Node& node) const {
  const ir::ConstantPtr data = storage.origin ? dataOf(*storage.origin) : nullptr;
  return data && !data->memory.isRowMajor && mayCopy(node.op());
}

// Those that the archive states, and those that are found here.
std::vector<ir::Update> Functionaliser::updates() {
  std::vector<ir::Update> out;
  for (const ir::Update& update : graph_.updates()) {
    const bool isKept =
        std::any_of(kept_.begin(), kept_.end(), [&](const auto& storage) { return storage->origin == update.target; });
    if (!isKept) out.push_back({update.target, refreshed(update.value, nullptr)});
  }
  for (const auto& storage : kept_) out.push_back({storage->origin, storage->contents});
  return out;
}

void Functionaliser::finish() {
  std::vector<ir::Argument> outputs = graph_.outputs();
  for (ir::Argument& output : outputs) {
    if (auto* value = std::get_if<ir::Value*>(&output)) *value = refreshed(*value, nullptr);
  }
  graph_.setOutputs(std::move(outputs));
  graph_.setUpdates(updates());
  for (auto node = replaced_.rbegin(); node != replaced_.rend(); ++node) graph_.erase(*node);
}

void Functionaliser::run() {
  const std::vector<ir::Node*> nodes = graph_.nodeList();
  for (size_t i = 0; i < nodes.size(); ++i) order_[nodes[i]] = i;
  for (const ir::Node* node : nodes) refuseTrainingMode(*node);
  for (ir::Node* node : nodes) visit(node);
  refuseSharedMemory(graph_);
  finish();
}

}  // namespace

void functionalise(ir::Graph& graph, PassContext& context) {
  Functionaliser(graph, context.diagnostics).run();
}

}  // namespace exportdeck::passes
