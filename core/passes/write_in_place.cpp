#include "passes/write_in_place.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "passes/index_put_in_place.h"
#include "passes/kernel_call.h"

namespace exportdeck::passes {

namespace {

bool isView(const ir::Node& node) {
  return isStaticReshape(node) && node.value(0)->type().isStatic() && node.output()->type().isStatic();
}

class InPlace {
 public:
  InPlace(const ir::Graph& graph, const std::vector<ir::Update>& updates, const ops::RuntimeProfile* runtime)
      : indexPut_(runtime) {
    int place = 0;
    for (const auto& node : graph.nodes()) order_[node.get()] = place++;
    for (const ir::Argument& output : graph.outputs()) {
      if (auto* const* value = std::get_if<ir::Value*>(&output)) returned_.insert(memoryOf(*value));
    }
    for (const ir::Update& update : updates) final_.insert(memoryOf(update.value));
  }

  // Whether the state's memory holds the update at the end without a copy.
  bool take(const ir::Update& update) {
    if (!update.target->isState()) return false;
    const std::vector<ir::Value*> chain = chainOf(update);
    if (chain.empty() || !begin(update.target, chain.back())) return false;
    taken_.insert(chain.begin(), chain.end());
    for (size_t i = 0; i + 1 < chain.size(); ++i) converted_.push_back(chain[i]->producer());
    return true;
  }

  // Behind the last decision: gives what is computed right into a state's memory.
  std::vector<ir::Update> finish() && {
    std::sort(converted_.begin(), converted_.end(),
              [&](const ir::Node* a, const ir::Node* b) { return order_.at(a) < order_.at(b); });
    for (ir::Node* node : converted_) indexPut_.convert(*node);
    return std::move(placed_);
  }

 private:
  // What the memory would hold one after the other, the last first: each but the first is put into the one before it.
  std::vector<ir::Value*> chainOf(const ir::Update& update) const {
    std::vector<ir::Value*> chain{memoryOf(update.value)};
    if (!chain[0]->producer() || returned_.contains(chain[0]) || taken_.contains(chain[0])) return {};
    for (;;) {
      const ir::Node& producer = *chain.back()->producer();
      if (!producer.is(kIndexPut)) return chain;
      ir::Value* before = memoryOf(producer.value(0));
      if (!before->producer() || final_.contains(before) || !isOverwrittenBy(producer, before)) return chain;
      chain.push_back(before);
    }
  }

  // Makes `first` what the state's memory holds first: computed into it, or put into what it holds.
  bool begin(ir::Value* state, ir::Value* first) {
    ir::Node& node = *first->producer();
    if (!(first->type() == state->type()) || !isLastReader(state, node)) return false;
    const std::vector<ir::Value*> operands = node.operands();
    const bool reads =
        std::any_of(operands.begin(), operands.end(), [&](ir::Value* operand) { return memoryOf(operand) == state; });
    if (!reads) {
      placed_.push_back({state, first});
      return true;
    }
    if (!node.is(kIndexPut) || !isOverwrittenBy(node, state)) return false;
    converted_.push_back(&node);
    return true;
  }

  // Whether an index_put may write into `memory`, which its first operand is: nothing else needs the old contents.
  bool isOverwrittenBy(const ir::Node& indexPut, const ir::Value* memory) const {
    const std::vector<ir::Value*> operands = indexPut.operands();
    const auto reads = std::count_if(operands.begin(), operands.end(),
                                     [&](ir::Value* operand) { return memoryOf(operand) == memory; });
    return memoryOf(indexPut.value(0)) == memory && reads == 1 && memory->type() == indexPut.output()->type() &&
           isLastReader(memory, indexPut) && indexPut_.takes(indexPut);
  }

  // Views cost nothing and read nothing; what reads them counts.
  bool isLastReader(const ir::Value* value, const ir::Node& node) const {
    if (returned_.contains(value)) return false;
    return std::all_of(value->users().begin(), value->users().end(), [&](const ir::Node* user) {
      return isView(*user) ? isLastReader(user->output(), node) : order_.at(user) <= order_.at(&node);
    });
  }

  std::unordered_map<const ir::Node*, int> order_;
  std::unordered_set<const ir::Value*> returned_, final_, taken_;
  IndexPutInPlace indexPut_;
  std::vector<ir::Node*> converted_;
  std::vector<ir::Update> placed_;
};

}  // namespace

ir::Value* memoryOf(ir::Value* value) {
  while (value->producer() && isView(*value->producer())) value = value->producer()->value(0);
  return value;
}

void writeInPlace(ir::Graph& graph, std::vector<ir::Update>& updates, const ops::RuntimeProfile* runtime) {
  InPlace inPlace(graph, updates, runtime);
  std::erase_if(updates, [&](const ir::Update& update) { return inPlace.take(update); });
  graph.setUpdates(std::move(inPlace).finish());
}

}  // namespace exportdeck::passes
