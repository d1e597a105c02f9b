#include "pt2/recorded_shapes.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>

#include "base/diagnostic.h"
#include "base/text.h"

namespace exportdeck::pt2 {

namespace {

using ir::Shape;
// The shape of a node's result; nothing where it cannot be told.
using Rule = std::function<std::optional<Shape>(const ir::Node&)>;

const Shape& shapeOf(const ir::Value* value) {
  return value->type().shape;
}

// The dimension that argument `i` names, of `rank`; nothing where there is none.
std::optional<size_t> dimAt(const ir::Node& node, size_t i, size_t rank) {
  const int64_t dim = node.intArg(i), count = static_cast<int64_t>(rank);
  if (dim < -count || dim >= count) return std::nullopt;
  return static_cast<size_t>(dim < 0 ? dim + count : dim);
}

bool isStatic(const Shape& shape) {
  return std::all_of(shape.begin(), shape.end(), [](const ir::SymInt& size) { return size.isStatic(); });
}

bool isOne(const ir::SymInt& size) {
  return size.isStatic() && size.value() == 1;
}

std::optional<Shape> asFirst(const ir::Node& node) {
  return shapeOf(node.value(0));
}

std::optional<Shape> selected(const ir::Node& node) {
  Shape shape = shapeOf(node.value(0));
  const auto dim = dimAt(node, 1, shape.size());
  if (!dim) return std::nullopt;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*dim));
  return shape;
}

std::optional<Shape> sliced(const ir::Node& node) {
  Shape shape = shapeOf(node.value(0));
  const auto dim = dimAt(node, 1, shape.size());
  if (!dim || !shape[*dim].isStatic() || node.hasValue(2) || node.hasValue(3)) return std::nullopt;
  const int64_t size = shape[*dim].value(), step = node.intArg(4);
  const auto bound = [&](size_t i, int64_t absent) {
    if (node.isNone(i)) return absent;
    const int64_t at = node.intArg(i);
    return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
  };
  const int64_t start = bound(2, 0), end = bound(3, size);
  if (step < 1) return std::nullopt;
  shape[*dim] = end <= start ? 0 : (end - start - 1) / step + 1;
  return shape;
}

std::optional<Shape> unsqueezed(const ir::Node& node) {
  Shape shape = shapeOf(node.value(0));
  const auto dim = dimAt(node, 1, shape.size() + 1);
  if (!dim) return std::nullopt;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*dim), 1);
  return shape;
}

std::optional<Shape> squeezed(const ir::Node& node) {
  Shape shape = shapeOf(node.value(0));
  const auto dim = dimAt(node, 1, shape.size());
  if (!dim) return std::nullopt;
  if (isOne(shape[*dim])) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*dim));
  return shape;
}

std::optional<Shape> permuted(const ir::Node& node) {
  const Shape& from = shapeOf(node.value(0));
  Shape shape;
  for (const int64_t dim : node.ints(1)) {
    const int64_t at = dim < 0 ? dim + static_cast<int64_t>(from.size()) : dim;
    if (at < 0 || at >= static_cast<int64_t>(from.size())) return std::nullopt;
    shape.push_back(from[static_cast<size_t>(at)]);
  }
  if (shape.size() != from.size()) return std::nullopt;
  return shape;
}

std::optional<Shape> transposed(const ir::Node& node) {
  Shape shape = shapeOf(node.value(0));
  const auto a = dimAt(node, 1, shape.size()), b = dimAt(node, 2, shape.size());
  if (!a || !b) return std::nullopt;
  std::swap(shape[*a], shape[*b]);
  return shape;
}

std::optional<Shape> viewed(const ir::Node& node) {
  const Shape& from = shapeOf(node.value(0));
  const auto* list = std::get_if<ir::IntList>(&node.args().at(1));
  const auto isNumber = [](const ir::IntItem& item) { return std::holds_alternative<int64_t>(item); };
  if (!list || !isStatic(from) || !std::all_of(list->begin(), list->end(), isNumber)) return std::nullopt;
  int64_t known = 1;
  std::optional<size_t> open;
  Shape shape;
  for (const int64_t size : node.ints(1)) {
    if (size == -1 && !open) {
      open = shape.size();
    } else if (size < 0 || __builtin_mul_overflow(known, size, &known)) {
      return std::nullopt;
    }
    shape.emplace_back(size);
  }
  const int64_t count = node.value(0)->type().elements();
  if (open && known > 0) shape[*open] = count / known;
  if (open ? known == 0 || count % known != 0 : count != known) return std::nullopt;
  return shape;
}

std::optional<Shape> flattened(const ir::Node& node) {
  const Shape& from = shapeOf(node.value(0));
  const auto first = dimAt(node, 1, from.size()), last = dimAt(node, 2, from.size());
  if (!first || !last || *last < *first || !isStatic(from)) return std::nullopt;
  int64_t merged = 1;
  for (size_t i = *first; i <= *last; ++i) merged *= from[i].value();
  const auto at = [&](size_t i) { return from.begin() + static_cast<std::ptrdiff_t>(i); };
  Shape shape(from.begin(), at(*first));
  shape.emplace_back(merged);
  shape.insert(shape.end(), at(*last + 1), from.end());
  return shape;
}

std::optional<Shape> concatenated(const ir::Node& node) {
  const ir::ValueList parts = node.values(0);
  if (parts.empty() || std::find(parts.begin(), parts.end(), nullptr) != parts.end()) return std::nullopt;
  Shape shape = shapeOf(parts.front());
  const auto dim = dimAt(node, 1, shape.size());
  if (!dim || !shape[*dim].isStatic()) return std::nullopt;
  for (size_t i = 1; i < parts.size(); ++i) {
    const Shape& part = shapeOf(parts[i]);
    int64_t sum = 0;
    if (part.size() != shape.size() || !part[*dim].isStatic() ||
        __builtin_add_overflow(shape[*dim].value(), part[*dim].value(), &sum))
      return std::nullopt;
    shape[*dim] = sum;
  }
  return shape;
}

std::optional<Shape> linear(const ir::Node& node) {
  Shape shape = shapeOf(node.value(0));
  const Shape& weight = shapeOf(node.value(1));
  if (shape.empty() || weight.size() != 2) return std::nullopt;
  shape.back() = weight[0];
  return shape;
}

std::optional<Shape> reducedToOne(const ir::Node&) {
  return Shape();
}

// (x, dims, keepdim)
std::optional<Shape> reduced(const ir::Node& node) {
  const Shape& from = shapeOf(node.value(0));
  const auto rank = static_cast<int64_t>(from.size());
  if (node.isNone(1) || node.ints(1).empty()) return std::nullopt;
  std::vector<bool> isReduced(from.size(), false);
  for (const int64_t dim : node.ints(1)) {
    if (dim < -rank || dim >= rank) return std::nullopt;
    isReduced[static_cast<size_t>(dim < 0 ? dim + rank : dim)] = true;
  }
  Shape shape;
  for (size_t i = 0; i < from.size(); ++i) {
    if (!isReduced[i]) {
      shape.push_back(from[i]);
    } else if (node.boolArg(2)) {
      shape.emplace_back(1);
    }
  }
  return shape;
}

std::optional<Shape> broadcast(const ir::Node& node) {
  Shape a = shapeOf(node.value(0));
  if (!node.hasValue(1) || !node.value(1)->isTensor()) return a;
  Shape b = shapeOf(node.value(1));
  if (a.size() < b.size()) std::swap(a, b);
  const size_t shift = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    if (isOne(a[shift + i])) {
      a[shift + i] = b[i];
    } else if (!isOne(b[i]) && !(a[shift + i] == b[i])) {
      return std::nullopt;
    }
  }
  return a;
}

// Operators that give each element, or each row, another value and keep the shape.
constexpr const char* kShapeKeeping[] = {
    "aten.relu.default",     "aten.relu_.default",   "aten.tanh.default",       "aten.sigmoid.default",
    "aten.gelu.default",     "aten.silu.default",    "aten.leaky_relu.default", "aten.elu.default",
    "aten.dropout.default",  "aten.detach.default",  "aten.detach_.default",    "aten.contiguous.default",
    "aten.clone.default",    "aten.alias.default",   "aten.neg.default",        "aten.exp.default",
    "aten.softmax.int",      "aten.log_softmax.int", "aten.layer_norm.default", "aten.to.dtype",
    "aten._to_copy.default", "aten.mul.Scalar",      "aten.add.Scalar",         "aten.div.Scalar",
    "aten.sub.Scalar"};
constexpr const char* kBroadcasting[] = {"aten.add.Tensor",  "aten.sub.Tensor",  "aten.mul.Tensor",
                                         "aten.div.Tensor",  "aten.add_.Tensor", "aten.sub_.Tensor",
                                         "aten.mul_.Tensor", "aten.div_.Tensor"};

const std::unordered_map<std::string_view, Rule>& rules() {
  static const std::unordered_map<std::string_view, Rule> kRules = [] {
    std::unordered_map<std::string_view, Rule> all = {
        {"aten.select.int", selected},          {"aten.slice.Tensor", sliced},
        {"aten.unsqueeze.default", unsqueezed}, {"aten.squeeze.dim", squeezed},
        {"aten.permute.default", permuted},     {"aten.transpose.int", transposed},
        {"aten.view.default", viewed},          {"aten.reshape.default", viewed},
        {"aten.flatten.using_ints", flattened}, {"aten.cat.default", concatenated},
        {"aten.concat.default", concatenated},  {"aten.linear.default", linear},
        {"aten.sum.default", reducedToOne},     {"aten.mean.default", reducedToOne},
        {"aten.sum.dim_IntList", reduced},      {"aten.mean.dim", reduced},
        {"aten.amax.default", reduced}};
    for (const char* op : kShapeKeeping) all.emplace(op, asFirst);
    for (const char* op : kBroadcasting) all.emplace(op, broadcast);
    return all;
  }();
  return kRules;
}

// The product of all sizes that are known must be a number, as the reader promises of every type.
bool isCountable(const Shape& shape, ir::DType dtype) {
  int64_t bytes = static_cast<int64_t>(ir::sizeOf(dtype));
  return std::all_of(shape.begin(), shape.end(), [&](const ir::SymInt& size) {
    return !size.isStatic() || !__builtin_mul_overflow(bytes, std::max<int64_t>(size.value(), 1), &bytes);
  });
}

using Corrected = std::unordered_map<const ir::Value*, std::string>;  // the type that was recorded

void correct(ir::Value* value, Shape shape, Corrected& corrected) {
  if (shapeOf(value) == shape) return;
  corrected.emplace(value, value->type().text());
  ir::TensorType type;
  type.dtype = value->type().dtype;
  type.shape = std::move(shape);
  value->setType(std::move(type));
}

void correctStates(const ir::Node& lstm, Corrected& corrected) {
  const ir::ValueList states = lstm.values(1);
  for (size_t i = 0; i < states.size() && i + 1 < lstm.outputs().size(); ++i) {
    if (!states[i] || !states[i]->isTensor() || !lstm.output(i + 1)->isTensor()) continue;
    const Shape& right = shapeOf(states[i]);
    if (right.empty()) continue;
    Shape faulty = right;
    faulty.insert(faulty.begin() + 1, 1);
    if (shapeOf(lstm.output(i + 1)) == faulty) correct(lstm.output(i + 1), right, corrected);
  }
}

void correctResult(const ir::Node& node, const ir::Value& operand, const std::string& torch, Corrected& corrected) {
  if (node.outputs().empty()) return;
  const auto rule = rules().find(node.op());
  const auto shape = rule == rules().end() || node.outputs().size() != 1 ? std::nullopt : rule->second(node);
  if (shape && isCountable(*shape, node.output()->type().dtype)) return correct(node.output(), *shape, corrected);
  Diagnostic diagnostic;
  diagnostic.code = Code::ShapeUnsupported;
  diagnostic.message = concat(node.op(), " reads ", operand.name(), ", which comes from an LSTM's state that torch ",
                              torch, " recorded with a wrong shape (", corrected.at(&operand), " for ",
                              operand.type().text(), "), and its own result cannot be told from that");
  diagnostic.where = node.origin();
  diagnostic.fixes = {"export the model with torch 2.9 or later"};
  throw ExportError(std::move(diagnostic));
}

}  // namespace

void correctRecordedShapes(ir::Graph& graph, const std::string& torch, const Context& context) {
  Corrected corrected;
  bool isWarned = false;
  for (const auto& node : graph.nodes()) {
    if (node->is("aten.lstm.input")) correctStates(*node, corrected);
    if (corrected.empty() || node->is("aten.lstm.input")) continue;
    for (const ir::Value* operand : node->operands()) {
      if (!corrected.contains(operand)) continue;
      correctResult(*node, *operand, torch, corrected);
      if (!isWarned && (node->is("aten.view.default") || node->is("aten.reshape.default"))) {
        isWarned = true;
        context.progress.log(
            LogLevel::Warning,
            concat("torch ", torch, " recorded the states of an LSTM with a wrong shape (", corrected.at(operand),
                   " for ", operand->type().text(), "), and ", node->origin().node,
                   " may have its sizes from there; check its results, or export with torch 2.9 or later"));
      }
      break;
    }
  }
}

}  // namespace exportdeck::pt2
