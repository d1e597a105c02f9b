#include "passes/run_time_sizes.h"

#include "base/text.h"

namespace exportdeck::passes {

namespace {

using ir::SymInt;

// The symbol's factor and the rest, where a size is factor * symbol + rest.
struct Linear {
  int64_t factor = 0, rest = 0;
};
std::optional<Linear> linearIn(const SymInt& size, const std::string& symbol) {
  if (size.isStatic() || size.expr()->terms.size() != 1) return std::nullopt;
  const ir::SymTerm& term = size.expr()->terms.front();
  if (term.atoms.size() != 1 || term.atoms.front()->text != symbol) return std::nullopt;
  return Linear{term.factor, size.expr()->constant};
}

std::shared_ptr<const Origin> originOf(const ir::Node* node) {
  return node ? node->originPtr() : std::make_shared<const Origin>();
}

}  // namespace

ir::Value* RunTimeSizes::compute(std::string op, ir::Argument a, ir::Argument b, ir::Node* before) {
  ir::Node* node = graph_.addNode(std::move(op), {std::move(a), std::move(b)}, {}, originOf(before), before, "size");
  return graph_.addOutputTo(node, ir::ValueKind::Int, {}, "size");
}

// A value of which one size tells the symbol.
struct RunTimeSizes::Source {
  ir::Value* value = nullptr;
  int64_t dim = 0, factor = 0, rest = 0;
  bool isExact() const { return factor == 1 && rest == 0; }
  // Takes the value where it tells more directly.
  void consider(ir::Value* candidate, const std::string& symbol) {
    if (!candidate || !candidate->isTensor()) return;
    const ir::Shape& shape = candidate->type().shape;
    for (size_t at = 0; at < shape.size() && !isExact(); ++at) {
      const std::optional<Linear> found = linearIn(shape[at], symbol);
      if (!found) continue;
      const Source next{candidate, static_cast<int64_t>(at), found->factor, found->rest};
      if (!value || next.isExact()) *this = next;
    }
  }
};

// An input, else the first result that has the size: what picks elements comes before all that use their number.
ir::Value* RunTimeSizes::symbol(const ir::SymAtom& atom, ir::Node* before) {
  Source source;
  for (const ir::GraphInput& input : graph_.inputs()) source.consider(input.value, atom.text);
  for (auto node = graph_.nodes().begin(); node != graph_.nodes().end() && !source.value; ++node) {
    if (node->get() == before) break;
    for (ir::Value* output : (*node)->outputs()) source.consider(output, atom.text);
  }
  if (!source.value) {
    throw ExportError(Code::ShapeUnsupported,
                      concat("the number ", atom.text, " is no size of a tensor, so a program cannot know it"),
                      {"Keep the value in a tensor: leave out .item() and sizes that are read from data"});
  }
  ir::Value* size = compute("aten.sym_size.int", source.value, source.dim, before);
  if (source.rest != 0) size = compute("executorch_prim.sub.Scalar", size, source.rest, before);
  return source.factor == 1 ? size : compute("executorch_prim.floordiv.Scalar", size, source.factor, before);
}

ir::Value* RunTimeSizes::atom(const ir::SymAtom& atom, ir::Node* before) {
  ir::Value*& known = known_[atom.text];
  if (known) return known;
  if (atom.function.empty()) return known = symbol(atom, before);
  const std::string_view function = atom.function;
  const char* op = function == "floordiv" ? "executorch_prim.floordiv.Scalar"
                   : function == "mod"    ? "executorch_prim.mod.Scalar"
                   : function == "max"    ? "executorch_prim.sym_max.Scalar"
                                          : "executorch_prim.sym_min.Scalar";
  ir::Argument a = operand(atom.args[0], before), b = operand(atom.args[1], before);
  ir::Value* made = compute(op, std::move(a), std::move(b), before);
  return known_[atom.text] = made;
}

ir::Argument RunTimeSizes::operand(const SymInt& size, ir::Node* before) {
  return size.isStatic() ? ir::Argument(size.value()) : ir::Argument(valueOf(size, before));
}

ir::Value* RunTimeSizes::valueOf(const SymInt& size, ir::Node* before) {
  if (const auto known = known_.find(size.text()); known != known_.end()) return known->second;
  ir::Value* total = nullptr;
  for (const ir::SymTerm& term : size.expr()->terms) {
    ir::Value* product = nullptr;
    for (const ir::SymAtomPtr& factor : term.atoms) {
      ir::Value* next = atom(*factor, before);
      product = product ? compute("executorch_prim.mul.Scalar", product, next, before) : next;
    }
    if (term.factor != 1) product = compute("executorch_prim.mul.Scalar", product, term.factor, before);
    total = total ? compute("executorch_prim.add.Scalar", total, product, before) : product;
  }
  if (size.expr()->constant != 0) total = compute("executorch_prim.add.Scalar", total, size.expr()->constant, before);
  return known_[size.text()] = total;
}

void RunTimeSizes::resolve(ir::Node& node) {
  for (size_t i = 0; i < node.argCount(); ++i) {
    const ir::Argument given = node.args()[i];
    if (const auto* size = std::get_if<SymInt>(&given)) {
      node.setArg(i, valueOf(*size, &node));
    } else if (const auto* list = std::get_if<ir::IntList>(&given)) {
      ir::IntList items;
      bool any = false;
      for (const ir::IntItem& item : *list) {
        const auto* open = std::get_if<SymInt>(&item);
        any |= open != nullptr;
        items.push_back(open ? ir::IntItem(valueOf(*open, &node)) : item);
      }
      if (any) node.setArg(i, std::move(items));
    }
  }
}

}  // namespace exportdeck::passes
