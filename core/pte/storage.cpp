#include "pte/storage.h"

#include <algorithm>

#include "ops/schema.h"
#include "pte/tensor_bounds.h"

namespace exportdeck::pte {

bool isInPlace(const ir::Node& node) {
  const ops::OpSchema* schema = ops::findSchema(node.op());
  return schema != nullptr && schema->isInPlace;
}

Storage::Storage(const ir::Graph& graph, const WriteOptions& options) : graph_(graph), options_(options) {
  for (const ir::Argument& output : graph.outputs()) {
    if (const auto* value = std::get_if<ir::Value*>(&output)) outputs_.insert(*value);
  }
  for (const auto& node : graph.nodes()) {
    if (isInPlace(*node)) written_.insert(node->value(0));
  }
  for (const ir::Update& update : graph.updates()) bases_.emplace(update.value, update.target);
  for (const auto& node : graph.nodes()) {
    if (isInPlace(*node)) {
      bases_.emplace(node->output(), base(node->value(0)));
      instructions_.push_back(node.get());
    } else if (isSharedView(*node)) {
      bases_.emplace(node->output(), base(node->value(0)));
      instructions_.push_back(node.get());
    } else if (isFreeView(*node)) {
      bases_.emplace(node->output(), base(node->value(0)));
    } else {
      instructions_.push_back(node.get());
    }
  }
}

const ir::Value* Storage::base(const ir::Value* value) const {
  const auto found = bases_.find(value);
  return found == bases_.end() ? value : found->second;
}

bool Storage::isPlanned(const ir::Value* base) const {
  if (!base->isTensor() || base->isConstant()) return false;
  if (base->isState()) return true;
  if (base->isInput()) return options_.planInputs && !written_.contains(base);
  return options_.planOutputs || !outputs_.contains(base);
}

bool Storage::callsBackend(std::string_view backendId) const {
  return std::any_of(instructions_.begin(), instructions_.end(),
                     [&](const ir::Node* node) { return node->blob && node->blob->backendId == backendId; });
}

// A view shares its base's bytes where both have fixed sizes and the base's place is known at export: a constant or
// planned memory (an input's bytes are copied there before the call). Memory that the caller hands over has no place
// yet, so those copies stay.
bool Storage::isFreeView(const ir::Node& node) const {
  if (!node.is(kViewOp)) return false;
  const ir::Value* from = node.value(0);
  const ir::Value* to = node.output();
  if (!from->isTensor() || !from->type().isStatic() || !to->type().isStatic()) return false;
  if (from->type().dtype != to->type().dtype || from->type().elements() != to->type().elements()) return false;
  if (outputs_.contains(to) && !options_.planOutputs) return false;
  const ir::Value* source = base(from);
  return source->isConstant() || isPlanned(source);
}

// Its largest size must be the base's. A result of the program is what a kernel wrote, so it is copied.
bool Storage::isSharedView(const ir::Node& node) const {
  if (!node.is(kViewOp)) return false;
  const ir::Value* from = node.value(0);
  const ir::Value* to = node.output();
  if (!from->isTensor() || (from->type().isStatic() && to->type().isStatic()) || outputs_.contains(to)) return false;
  if (from->type().dtype != to->type().dtype || from->type().count() != to->type().count()) return false;
  return isPlanned(base(from)) && boundedBytes(*to) <= boundedBytes(*base(from));
}

}  // namespace exportdeck::pte
