// What outlives the call is written where it stays.
//
// Up to here the graph is functional: states and inputs keep their contents while it runs. So each write may be a copy
// at the very end, and whatever else would still look at the memory then looks at a copy that was made before. Where it
// is certain that nothing does, the copy is saved.
#include <algorithm>
#include <unordered_map>

#include "ops/schema.h"
#include "passes/kernel_call.h"
#include "passes/passes.h"
#include "passes/write_in_place.h"

namespace exportdeck::passes {

namespace {

class Writer {
 public:
  Writer(ir::Graph& graph, const PassContext& context)
      : graph_(graph), runtime_(context.runtime), updates_(graph.updates()) {}

  void run() {
    dropUnchanged();
    graph_.setUpdates({});
    shieldDelegates();
    copyOldContents();
    writeInPlace(graph_, updates_, runtime_);
    for (const ir::Update& update : updates_) {
      graph_.addNode("aten.copy_.default", {update.target, update.value, false}, {plainType(*update.target)},
                     originOf(*update.value), nullptr, update.target->name() + "_update");
    }
  }

 private:
  static ir::TensorType plainType(const ir::Value& value) {
    ir::TensorType type = value.type();
    type.strides.clear();
    return type;
  }

  static std::shared_ptr<const Origin> originOf(const ir::Value& value) {
    return value.producer() ? value.producer()->originPtr() : nullptr;
  }

  void dropUnchanged() {
    std::erase_if(updates_, [](const ir::Update& update) { return memoryOf(update.value) == update.target; });
  }

  bool isTarget(const ir::Value* value) const {
    return std::any_of(updates_.begin(), updates_.end(),
                       [&](const ir::Update& update) { return update.target == value; });
  }

  // In place of `value`, where that is the memory of something that is written.
  ir::Value* kept(ir::Value* value) {
    if (!value->isTensor() || !isTarget(memoryOf(value))) return value;
    ir::Value*& copy = copies_[value];
    if (!copy) copy = cloned(value, nullptr);
    return copy;
  }

  // An input that is written lies in its caller's memory, and XNNPACK reads beyond the end of what it is given.
  void shieldDelegates() {
    for (const ir::Update& update : updates_) {
      if (!update.target->isInput()) continue;
      const std::vector<ir::Node*> users = update.target->users();
      ir::Value* copy = nullptr;
      for (ir::Node* user : users) {
        if (!user->is(ir::kDelegateOp)) continue;
        if (!copy) copy = cloned(update.target, graph_.nodes().front().get());
        user->replaceOperand(update.target, copy);
      }
    }
  }

  ir::Value* cloned(ir::Value* value, ir::Node* before) {
    return graph_
        .addNode("aten.clone.default", ops::bindArguments(*ops::findSchema("aten.clone.default"), {{"self", value}}),
                 {plainType(*value)}, originOf(*value), before)
        ->output();
  }

  void copyOldContents() {
    std::vector<ir::Argument> outputs = graph_.outputs();
    for (ir::Argument& output : outputs) {
      if (auto* value = std::get_if<ir::Value*>(&output)) *value = kept(*value);
    }
    graph_.setOutputs(std::move(outputs));
    for (ir::Update& update : updates_) update.value = kept(update.value);
  }

  ir::Graph& graph_;
  const ops::RuntimeProfile* runtime_;
  std::vector<ir::Update> updates_;
  std::unordered_map<const ir::Value*, ir::Value*> copies_;
};

}  // namespace

void writeBack(ir::Graph& graph, PassContext& context) {
  Writer(graph, context).run();
}

}  // namespace exportdeck::passes
