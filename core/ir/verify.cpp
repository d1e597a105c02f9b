#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "ir/graph.h"

namespace exportdeck::ir {

namespace {

class Verifier {
 public:
  explicit Verifier(const Graph& graph) : graph_(graph) {}

  void run() {
    for (const GraphInput& input : graph_.inputs()) {
      if (input.value) define(*input.value, nullptr);
    }
    for (const Value* constant : graph_.constants()) {
      define(*constant, nullptr);
      require(constant->constant()->type == constant->type(), nullptr,
              concat("the constant ", constant->name(), " has two types"));
      require(constant->constant()->data != nullptr, nullptr,
              concat("the constant ", constant->name(), " has no data"));
    }
    for (const Value* state : graph_.states()) {
      define(*state, nullptr);
      require(!state->isConstant() && state->initial()->type == state->type(), nullptr,
              concat("the state ", state->name(), " does not begin as what it is"));
    }
    for (const auto& node : graph_.nodes()) checkNode(*node);
    for (const Argument& output : graph_.outputs()) {
      if (const auto* value = std::get_if<Value*>(&output)) {
        require(defined_.contains(*value), nullptr, concat("the output ", (*value)->name(), " is not defined"));
      }
    }
    checkUpdates();
    checkUsers();
  }

 private:
  using Read = std::pair<const Value*, const Node*>;

  void checkNode(const Node& node) {
    require(!node.op().empty(), &node, "an operator has no name");
    require(&node.graph() == &graph_, &node, "the node belongs to another graph");
    for (const Value* operand : node.operands()) {
      require(defined_.contains(operand), &node, concat("it reads ", operand->name(), " before that is defined"));
      reads_.emplace_back(operand, &node);
    }
    for (const Value* output : node.outputs()) {
      require(output->producer() == &node, &node, concat("its result ", output->name(), " names another producer"));
      define(*output, &node);
    }
    if (node.is(kDelegateOp)) {
      require(node.body != nullptr, &node, "a delegate call has no sub-graph");
      require(node.body->inputs().size() == node.operands().size(), &node,
              "operands and inputs of the sub-graph differ in number");
      require(node.body->outputs().size() == node.outputs().size(), &node,
              "results and outputs of the sub-graph differ in number");
      verify(*node.body);
    }
  }

  void checkUpdates() const {
    std::unordered_set<const Value*> targets;
    for (const Update& update : graph_.updates()) {
      const Value& target = *update.target;
      require(target.isTensor() && (target.isState() || target.isInput()), nullptr,
              concat("the update of ", target.name(), " is not of a state or an input"));
      require(targets.insert(&target).second, nullptr, concat("two updates are of ", target.name()));
      require(defined_.contains(update.value), nullptr, concat("the update of ", target.name(), " is not defined"));
      require(update.value->isTensor() && fits(update.value->type(), target.type()), nullptr,
              concat("the update of ", target.name(), " is of another type"));
    }
  }

  // Sizes that are known at run time may be written in several ways.
  static bool fits(const TensorType& value, const TensorType& target) {
    const auto same = [](const SymInt& a, const SymInt& b) { return !a.isStatic() || !b.isStatic() || a == b; };
    return value.dtype == target.dtype &&
           std::equal(value.shape.begin(), value.shape.end(), target.shape.begin(), target.shape.end(), same);
  }

  void define(const Value& value, const Node* node) {
    require(defined_.insert(&value).second, node, concat("the value ", value.name(), " is defined twice"));
    require(names_.insert(value.name()).second, node, concat("two values are named ", value.name()));
    if (!value.isTensor()) return;
    for (const SymInt& size : value.type().shape) {
      require(!size.isStatic() || size.value() >= 0, node, concat("the value ", value.name(), " has a negative size"));
    }
    const size_t strides = value.type().strides.size();
    require(strides == 0 || strides == value.type().rank(), node,
            concat("the strides of ", value.name(), " do not fit its rank"));
  }

  // The reads that operands tell and those that values tell, sorted, are the same.
  void checkUsers() {
    std::vector<Read> told;
    told.reserve(reads_.size());
    for (const Value* value : defined_) {
      for (const Node* user : value->users()) told.emplace_back(value, user);
    }
    std::sort(told.begin(), told.end());
    std::sort(reads_.begin(), reads_.end());
    const auto [left, right] = std::mismatch(told.begin(), told.end(), reads_.begin(), reads_.end());
    if (left == told.end() && right == reads_.end()) return;
    const Value* value = right == reads_.end() || (left != told.end() && *left < *right) ? left->first : right->first;
    require(false, nullptr, concat("the users of ", value->name(), " do not match the operands that name it"));
  }

  void require(bool holds, const Node* node, std::string message) const {
    if (holds) return;
    Diagnostic diagnostic{
        Code::GraphInvalid, Severity::Error, concat("the program contradicts itself: ", message), {}, {}, {}};
    if (node) {
      diagnostic.where = node->origin();
      if (diagnostic.where.op.empty()) diagnostic.where.op = node->op();
    }
    throw ExportError(std::move(diagnostic));
  }

  const Graph& graph_;
  std::unordered_set<const Value*> defined_;
  std::unordered_set<std::string_view> names_;
  std::vector<Read> reads_;  // once for each operand position
};

}  // namespace

void verify(const Graph& graph) {
  Verifier(graph).run();
}

}  // namespace exportdeck::ir
