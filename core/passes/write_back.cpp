// What outlives the call is written where it stays.
//
// Up to here the graph is functional: states and inputs keep their contents while it runs. So each write is a copy at
// the very end, and whatever else would still look at the memory then looks at a copy that was made before.
#include <algorithm>
#include <unordered_map>

#include "ops/schema.h"
#include "passes/kernel_call.h"
#include "passes/passes.h"

namespace exportdeck::passes {

namespace {

class Writer {
 public:
  explicit Writer(ir::Graph& graph) : graph_(graph), updates_(graph.updates()) {}

  void run() {
    dropUnchanged();
    graph_.setUpdates({});
    copyOldContents();
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

  // The value whose memory this may be: views cost nothing, so they are the same bytes.
  static ir::Value* memoryOf(ir::Value* value) {
    while (value->producer() && isStaticReshape(*value->producer())) value = value->producer()->value(0);
    return value;
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
    if (!copy) {
      copy = graph_
                 .addNode("aten.clone.default",
                          ops::bindArguments(*ops::findSchema("aten.clone.default"), {{"self", value}}),
                          {plainType(*value)}, originOf(*value))
                 ->output();
    }
    return copy;
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
  std::vector<ir::Update> updates_;
  std::unordered_map<const ir::Value*, ir::Value*> copies_;
};

}  // namespace

void writeBack(ir::Graph& graph, PassContext&) {
  Writer(graph).run();
}

}  // namespace exportdeck::passes
