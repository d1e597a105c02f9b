#include <algorithm>
#include <unordered_map>

#include "backends/backend.h"
#include "backends/cost.h"
#include "backends/extraction.h"
#include "backends/grouping.h"
#include "backends/selection.h"
#include "base/text.h"
#include "ir/memory_order.h"
#include "ops/schema.h"

namespace exportdeck::backends {

namespace {

class Partitioner {
 public:
  Partitioner(ir::Graph& graph, const Backend& backend, const options::OptionSet& options)
      : graph_(graph), backend_(backend), options_(options), nodes_(graph.nodeList()) {}

  Coverage run(const Context& context) {
    readDataflow();
    judgeAll();
    group();
    Coverage coverage = describe();
    const std::vector<int> order = scheduleUnits(flow_, partition_);
    const std::vector<ir::Node*> calls = extractPartitions(graph_, nodes_, partition_, order);
    coverage.delegates = static_cast<int>(calls.size());
    settleMemoryOrders(calls);
    for (ir::Node* call : calls) {
      context.throwIfStopped();
      Lowered lowered = backend_.lower(*call->body, options_, context);
      std::vector<ir::Argument> args = call->args();
      for (ir::ConstantPtr& constant : lowered.operands) {
        call->body->addInput(constant->name, constant->type);
        args.emplace_back(graph_.addConstant(std::move(constant)));
      }
      call->setArgs(std::move(args));
      call->blob = std::move(lowered.blob);
    }
    return coverage;
  }

 private:
  // An input that its user has with the channels last is taken so where all its readers can, and a result is given so
  // where PyTorch gives it so for such inputs; elsewhere tensors have the plain order, which kernels want.
  void settleMemoryOrders(const std::vector<ir::Node*>& calls) {
    const auto settle = [](ir::Value* value, bool keeps) {
      if (keeps || value->type().strides.empty()) return;
      ir::TensorType type = value->type();
      type.strides.clear();
      value->setType(std::move(type));
    };
    bool any = false;
    for (const ir::GraphInput& input : graph_.inputs()) {
      if (input.value == nullptr || !input.value->isTensor()) continue;
      const bool keeps = isTakenChannelsLast(*input.value);
      settle(input.value, keeps);
      any |= keeps;
    }
    for (ir::Node* call : calls) {
      for (size_t i = 0; i < call->body->inputs().size(); ++i) {
        const ir::Value* outside = call->value(i);
        settle(call->body->inputs()[i].value, outside->isInput() && !outside->type().strides.empty());
      }
      for (size_t i = 0; i < call->outputs().size(); ++i) {
        const bool keeps = any && isGivenChannelsLast(*call->output(i));
        settle(call->output(i), keeps);
        settle(std::get<ir::Value*>(call->body->outputs()[i]), keeps);
      }
    }
  }

  bool isGivenChannelsLast(const ir::Value& result) const {
    if (!ir::isChannelsLast(result.type()) || !graph_.isOutput(&result) || !result.users().empty()) return false;
    return std::none_of(graph_.updates().begin(), graph_.updates().end(),
                        [&](const ir::Update& update) { return update.value == &result; });
  }

  bool isTakenChannelsLast(const ir::Value& input) const {
    if (!backend_.takesChannelsLast() || !ir::isChannelsLast(input.type()) || graph_.isOutput(&input)) return false;
    if (graph_.isUpdated(&input)) return false;
    return std::all_of(input.users().begin(), input.users().end(),
                       [](const ir::Node* user) { return user->is(ir::kDelegateOp); });
  }

  void readDataflow() {
    std::unordered_map<const ir::Node*, int> number;
    flow_.operands.resize(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      number[nodes_[i]] = static_cast<int>(i);
      for (const ir::Value* operand : nodes_[i]->operands()) {
        if (operand->producer()) flow_.operands[i].push_back(number.at(operand->producer()));
      }
    }
  }

  void judgeAll() {
    verdicts_.reserve(nodes_.size());
    for (const ir::Node* node : nodes_) {
      if (node->is(ir::kDelegateOp)) {
        verdicts_.push_back(Verdict::refuse("it is a delegate call already"));
      } else if (isExcluded(*node, options_)) {
        // As a setting, so that a front end can do it.
        verdicts_.push_back(Verdict::refuse(
            "the option exclude_ops keeps it out",
            concat("Remove it from exclude_ops: set exclude_ops=", join(exclusionsWithout(*node, options_), ","))));
      } else {
        verdicts_.push_back(backend_.judge(*node, options_));
      }
    }
  }

  void group() {
    // Leaving pieces out can join partitions that they kept apart, so the levels are taken again; a few rounds settle
    // all but made-up graphs, and the last round only removes.
    constexpr int kRounds = 4;
    for (int round = 0; round < kRounds; ++round) {
      assign();
      if (!leaveOut() || round + 1 == kRounds) break;
    }
    removeLeftOut();
  }

  void assign() {
    std::vector<bool> taken;
    for (const Verdict& verdict : verdicts_) taken.push_back(verdict.taken);
    partition_ = groupByLevel(flow_, taken);
    if (!boolOption(options_, "per_op_mode", false)) return;
    int next = 0;
    for (int& p : partition_) p = p == kNoPartition ? kNoPartition : next++;
  }

  // Refuses the nodes of pieces in which nothing pays for a delegate call and of partitions below the minimum; true
  // where there were any.
  bool leaveOut() {
    const int64_t minimum = intOption(options_, "min_delegate_nodes", 1);
    const std::vector<int> pieces = connectedPieces(flow_, partition_);
    const auto whyNotAlone = [&](const ir::Node& node) { return backend_.whyNotAlone(node); };
    const std::vector<bool> pays = marked(pieces, [&](const ir::Node& node) { return whyNotAlone(node) == nullptr; });
    bool any = refuseUnmarked(pieces, pays, whyNotAlone, {});
    if (minimum > 1) {
      std::vector<int64_t> sizes(nodes_.size(), 0);
      for (const int p : partition_) sizes[p == kNoPartition ? 0 : static_cast<size_t>(p)] += p == kNoPartition ? 0 : 1;
      // What has no kernel can only run in a delegate.
      std::vector<bool> stays = marked(partition_, [](const ir::Node& node) { return !ops::kernelFor(node.op()); });
      for (size_t p = 0; p < stays.size(); ++p) stays[p] = stays[p] || sizes[p] >= minimum;
      const std::string reason = concat("its delegate would hold fewer than ", minimum, " operators");
      any |= refuseUnmarked(partition_, stays, [&](const ir::Node&) { return reason; }, "Set min_delegate_nodes=1");
    }
    return any;
  }

  // For each group label: does a node of the group satisfy the predicate?
  template <typename Predicate>
  std::vector<bool> marked(const std::vector<int>& groups, const Predicate& predicate) const {
    std::vector<bool> marks(nodes_.size(), false);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (groups[i] != kNoPartition && predicate(*nodes_[i])) marks[static_cast<size_t>(groups[i])] = true;
    }
    return marks;
  }

  template <typename Reason>
  bool refuseUnmarked(const std::vector<int>& groups, const std::vector<bool>& marks, const Reason& reason,
                      const std::string& fix) {
    bool any = false;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (groups[i] == kNoPartition || !verdicts_[i].taken || marks[static_cast<size_t>(groups[i])]) continue;
      verdicts_[i] = Verdict::refuse(reason(*nodes_[i]), fix);
      any = true;
    }
    return any;
  }

  void removeLeftOut() {
    std::vector<int> remaining;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (!verdicts_[i].taken) partition_[i] = kNoPartition;
      if (partition_[i] != kNoPartition) remaining.push_back(partition_[i]);
    }
    std::sort(remaining.begin(), remaining.end());
    remaining.erase(std::unique(remaining.begin(), remaining.end()), remaining.end());
    for (int& p : partition_) {
      if (p != kNoPartition)
        p = static_cast<int>(std::lower_bound(remaining.begin(), remaining.end(), p) - remaining.begin());
    }
  }

  Coverage describe() const {
    Coverage coverage;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const ir::Node& node = *nodes_[i];
      if (node.is(ir::kDelegateOp)) continue;
      NodeCoverage& entry = coverage.nodes.emplace_back();
      entry.op = node.op();
      entry.origin = node.originPtr();
      entry.delegated = partition_[i] != kNoPartition;
      entry.delegate = partition_[i];
      entry.multiplyAdds = multiplyAdds(node);
      entry.bytes = resultBytes(node);
      if (entry.delegated) continue;
      entry.reason = verdicts_[i].reason;
      entry.fix = verdicts_[i].fix;
    }
    return coverage;
  }

  ir::Graph& graph_;
  const Backend& backend_;
  const options::OptionSet& options_;
  std::vector<ir::Node*> nodes_;
  Dataflow flow_;
  std::vector<Verdict> verdicts_;
  std::vector<int> partition_;
};

}  // namespace

const char* Backend::whyNotAlone(const ir::Node& node) const {
  if (!onlyMovesData(node)) return nullptr;
  return "it only moves data and would be alone in its partition, where a delegate call costs more than the copy";
}

Coverage partitionAndLower(ir::Graph& graph, const Backend& backend, const options::OptionSet& options,
                           const Context& context) {
  return Partitioner(graph, backend, options).run(context);
}

}  // namespace exportdeck::backends
