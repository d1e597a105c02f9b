// Operators that compute the same from the same are computed once: masks and casts that every layer of a network makes
// anew.
#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "passes/constant_part.h"
#include "passes/passes.h"

namespace exportdeck::passes {

namespace {

using ir::Node;
using ir::Value;

constexpr uint64_t kComparedBytes = 64;  // larger constants are equal where they are the same piece of the archive

std::string addressOf(const void* place) {
  return concat('@', reinterpret_cast<uintptr_t>(place));
}

// Equal texts for equal operands.
class Names {
 public:
  const std::string& of(const Value* value) {
    std::string& name = names_[value];
    if (name.empty()) name = value->isConstant() ? contentOf(*value) : addressOf(value);
    return name;
  }

 private:
  static std::string contentOf(const Value& value) {
    const ir::Constant& constant = *value.constant();
    std::string text = concat('"', constant.type.text(), ' ');
    if (constant.type.bytes() > kComparedBytes) return text + addressOf(constant.data.get());
    const Bytes bytes = constant.data->materialise();
    return text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  std::unordered_map<const Value*, std::string> names_;
};

// What tells nodes apart; empty for one that is never equal to another.
class Describer {
 public:
  std::string describe(const Node& node) {
    if (!node.op().starts_with("aten.") || hasManyOutcomes(node) || node.outputs().empty()) return {};
    text_ = node.op();
    isComparable_ = true;
    for (const ir::Argument& argument : node.args()) {
      text_ += concat('\n', argument.index(), ' ');
      std::visit([this](const auto& given) { add(given); }, argument);
    }
    for (const Value* output : node.outputs())
      text_ += output->isTensor() ? concat("\n> ", output->type().text()) : "\n> ";
    return isComparable_ ? std::move(text_) : std::string();
  }

 private:
  void add(ir::None) {}
  void add(Value* value) { text_ += value ? names_.of(value) : "none"; }
  void add(bool flag) { text_ += flag ? '1' : '0'; }
  void add(int64_t number) { text_ += std::to_string(number); }
  // The bits: texts of doubles are rounded.
  void add(double number) { text_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void add(const std::string& text) { text_ += concat(text.size(), ':', text); }
  void add(ir::DType dtype) { text_ += std::to_string(static_cast<int>(dtype)); }
  void add(ir::MemoryFormat format) { text_ += std::to_string(static_cast<int>(format)); }
  void add(const ir::Opaque&) {}
  void add(const ir::SymInt& size) { text_ += size.text(); }
  void add(const ir::IntItem& item) {
    text_ += concat(item.index(), ' ');
    std::visit([this](const auto& given) { add(given); }, item);
  }
  template <typename Item>
  void add(const std::vector<Item>& list) {
    for (const auto& item : list) {
      add(static_cast<Item>(item));
      text_ += ',';
    }
  }
  void add(const std::shared_ptr<ir::Graph>&) { isComparable_ = false; }

  Names names_;
  std::string text_;
  bool isComparable_ = true;
};

// Two results of the program keep storage of their own.
bool canReplace(const ir::Graph& graph, const Value* from, const Value* to) {
  return !graph.isOutput(from) || !graph.isOutput(to);
}

}  // namespace

void shareEqual(ir::Graph& graph, PassContext& context) {
  Describer describer;
  std::unordered_map<std::string, Node*> known;
  for (Node* node : graph.nodeList()) {
    context.context.throwIfStopped();
    std::string key = describer.describe(*node);
    if (key.empty()) continue;
    const auto [entry, isNew] = known.try_emplace(std::move(key), node);
    if (isNew) continue;
    const Node& equal = *entry->second;
    for (size_t i = 0; i < node->outputs().size(); ++i) {
      if (canReplace(graph, node->output(i), equal.output(i))) graph.replaceAllUses(node->output(i), equal.output(i));
    }
    const auto isUnread = [&](const Value* output) { return graph.isUnused(output); };
    if (std::all_of(node->outputs().begin(), node->outputs().end(), isUnread)) graph.erase(node);
  }
  graph.eraseUnusedConstants();
}

}  // namespace exportdeck::passes
