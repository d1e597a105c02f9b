// Weights of linear operators and embeddings become integers or half-precision floats: see quantise.h.
//
// The first form that a backend takes whole is chosen, else a kernel of the quantized library that reads the integers.
#include "passes/quantise.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "ops/schema.h"
#include "passes/build.h"
#include "passes/passes.h"
#include "passes/quantised_kernels.h"
#include "passes/quantised_weight.h"

namespace exportdeck::passes {

namespace {

using Linear = Quantisation::Linear;
using Embedding = Quantisation::Embedding;

bool fits(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') return fits(pattern.substr(1), text) || (!text.empty() && fits(pattern, text.substr(1)));
  if (text.empty() || (pattern.front() != '?' && pattern.front() != text.front())) return false;
  return fits(pattern.substr(1), text.substr(1));
}

// A product of a computed matrix with a known one, and what is added.
struct Product {
  ir::Value *x = nullptr, *weight = nullptr, *bias = nullptr;
  bool isTransposed = false;  // the weight is [in, out]
};

std::optional<Product> productOf(const ir::Node& node) {
  Product out;
  if (node.is("aten.linear.default")) {
    out = {node.value(0), node.value(1), node.valueOrNull(2), false};
  } else if (node.is("aten.mm.default")) {
    out = {node.value(0), node.value(1), nullptr, true};
  } else if (node.is("aten.addmm.default") && node.floatArg(3) == 1 && node.floatArg(4) == 1) {
    out = {node.value(1), node.value(2), node.value(0), true};
  } else {
    return std::nullopt;
  }
  const bool addsColumns =
      !out.bias || (out.bias->type().rank() == 1 && out.bias->type().dim(-1) == node.output()->type().dim(-1));
  if (!out.weight->isConstant() || out.x->isConstant() || out.weight->type().rank() != 2 || !addsColumns)
    return std::nullopt;
  return out;
}

class Quantiser {
 public:
  Quantiser(ir::Graph& graph, PassContext& context) : graph_(graph), context_(context), wish_(*context.quantisation) {}

  void run() {
    for (ir::Node* node : graph_.nodeList()) {
      context_.context.throwIfStopped();
      if (node->is("aten.embedding.default")) {
        if (wish_.embedding != Embedding::Keep && node->value(0)->isConstant()) embedding(*node);
      } else if (wish_.linear != Linear::Keep) {
        if (const auto product = productOf(*node)) linear(*node, *product);
      }
    }
    graph_.eraseUnusedConstants();
  }

 private:
  // Why the options leave it out; empty where they do not.
  std::string whyNotByName(const ir::Node& node, const ir::Value& weight) const {
    const std::string &path = node.origin().modulePath, &name = weight.constant()->name;
    const auto fitsNode = [&](const std::string& pattern) { return fitsModule(pattern, path) || fits(pattern, name); };
    if (std::any_of(wish_.except.begin(), wish_.except.end(), fitsNode)) return "it is excluded by name";
    if (!wish_.only.empty() && std::none_of(wish_.only.begin(), wish_.only.end(), fitsNode))
      return "it is not among those that are included by name";
    return {};
  }

  // Why it stays as it is; empty where it may change.
  std::string whyNot(const ir::Node& node, const ir::Value& weight) const {
    if (std::string reason = whyNotByName(node, weight); !reason.empty()) return reason;
    if (weight.type().dtype != ir::DType::Float32)
      return concat("its numbers are ", ir::info(weight.type().dtype).torch, ", not float32");
    if (weight.constant()->integers) return "it is quantised already";
    if (weight.type().elements() == 0) return "it has no elements";
    return {};
  }

  void linear(ir::Node& node, const Product& product) {
    std::string reason = whyNot(node, *product.weight);
    if (reason.empty() && product.x->type().dtype != ir::DType::Float32) reason = "what it multiplies is not float32";
    std::string form;
    if (reason.empty()) form = linearForm(node, product, reason);
    note(node, *product.weight, form, reason);
  }

  // Tries the wished form and then those behind it; the name of the one that was made.
  std::string linearForm(ir::Node& node, const Product& product, std::string& reason) {
    const ir::ConstantPtr matrix = rowsAreOutputs(product);
    if (wish_.linear == Linear::Half) return halfLinear(node, product, *matrix, reason) ? "float16" : "";
    if (wish_.linear == Linear::DynamicInt4 && matrix->type.size(1) % wish_.group == 0 &&
        delegated(node, product, integers(*matrix, 4, wish_.group), kDynamic))
      return "int4 dynamic";
    const ir::ConstantPtr bytes = integers(*matrix, 8, 0);
    if (!bytes) {
      reason = "it has numbers that are infinite or none";
      return {};
    }
    if (wish_.linear != Linear::Int8 && delegated(node, product, bytes, kDynamic)) return "int8 dynamic";
    if (delegated(node, product, bytes, "aten.linear.default")) return "int8";
    Builder build(graph_, node, pool_);
    ir::Value* y = linearOnIntegers(build, product.x, *bytes, product.bias, node.output()->type(), context_);
    if (!y) {
      reason = concat("no backend takes it with integers, and the runtime lacks the kernel for ", kLinearOnIntegers);
      return {};
    }
    replace(node, y);
    return "int8";
  }

  // The weight as [out, in].
  ir::ConstantPtr rowsAreOutputs(const Product& product) {
    const ir::ConstantPtr& given = product.weight->constant();
    if (!product.isTransposed) return given;
    ir::ConstantPtr& turned = turned_[given->data.get()];
    const ir::Sizes sizes = given->type.sizes();
    if (!turned) turned = stridedConstant(given, {sizes[1], sizes[0]}, {1, sizes[1]}, 0, given->name);
    return turned;
  }

  // Made once for each weight, so that tied ones stay tied. Null where it cannot be.
  ir::ConstantPtr integers(const ir::Constant& matrix, int bits, int64_t group) {
    const auto [known, isNew] = integers_.try_emplace({matrix.data.get(), bits, group});
    if (isNew) {
      if (auto made = integersOf(matrix, bits, group)) known->second = floatsOf(matrix, std::move(made));
    }
    return known->second;
  }

  bool delegated(ir::Node& node, const Product& product, const ir::ConstantPtr& weight, const char* op) {
    if (!weight) return false;
    ir::Value* value = valueOf(weight);
    const ir::Argument bias = product.bias ? ir::Argument(product.bias) : ir::Argument(ir::None{});
    ir::Node* made = graph_.addNode(op, {product.x, value, bias}, {node.output()->type()}, node.originPtr(), &node);
    if (!context_.keepWhole(*made)) {
      graph_.erase(made);
      return false;
    }
    replace(node, made->output());
    return true;
  }

  bool halfLinear(ir::Node& node, const Product& product, const ir::Constant& matrix, std::string& reason) {
    ir::ConstantPtr& rounded = halves_[matrix.data.get()];
    if (!rounded) rounded = roundedToHalf(matrix);
    if (!rounded) {
      reason = "it has numbers that half precision does not have";
      return false;
    }
    if (delegated(node, product, rounded, "aten.linear.default")) return true;
    Builder build(graph_, node, pool_);
    ir::Value* weight = build.cast(halvesOf(*rounded), ir::DType::Float32);
    replace(node, build.linear(product.x, weight, product.bias));
    return true;
  }

  void embedding(ir::Node& node) {
    const ir::Value& weight = *node.value(0);
    std::string reason = whyNot(node, weight), form;
    if (reason.empty() && weight.type().rank() != 2) reason = "it is no matrix";
    if (reason.empty()) form = embeddingForm(node, *weight.constant(), reason);
    note(node, weight, form, reason);
  }

  std::string embeddingForm(ir::Node& node, const ir::Constant& matrix, std::string& reason) {
    if (wish_.embedding == Embedding::Half) {
      ir::ConstantPtr& rounded = halves_[matrix.data.get()];
      if (!rounded) rounded = roundedToHalf(matrix);
      if (!rounded) {
        reason = "it has numbers that half precision does not have";
        return {};
      }
      Builder build(graph_, node, pool_);
      ir::TensorType type = node.output()->type();
      type.dtype = ir::DType::Float16;
      std::vector<ir::Argument> args = node.args();
      args[0] = halvesOf(*rounded);
      replace(node, build.cast(build.node("aten.embedding.default", args, type), ir::DType::Float32));
      return "float16";
    }
    const int64_t width = matrix.type.size(1);
    const int bits = wish_.embedding == Embedding::Int4 && width % 2 == 0 ? 4 : 8;
    const int64_t group = bits == 8 ? 0 : width % wish_.group == 0 ? wish_.group : width;
    const ir::ConstantPtr made = integers(matrix, bits, group);
    if (!made) {
      reason = "it has numbers that are infinite or none";
      return {};
    }
    Builder build(graph_, node, pool_);
    ir::Value* rows = embeddingOnIntegers(build, node, *made, context_);
    if (!rows) {
      reason = concat("the runtime lacks the kernel for ", embeddingOperator(bits));
      return {};
    }
    replace(node, rows);
    return bits == 4 ? "int4" : "int8";
  }

  // --- constants, each made once
  ir::Value* valueOf(const ir::ConstantPtr& constant) {
    ir::Value*& value = values_[constant.get()];
    if (!value) value = graph_.addConstant(constant);
    return value;
  }
  ir::Value* named(const ir::Constant& weight, std::string_view what, ir::TensorType type,
                   const std::function<std::shared_ptr<const ByteSource>()>& make) {
    ir::ConstantPtr& made = parts_[{&weight, std::string(what)}];
    if (!made)
      made =
          std::make_shared<const ir::Constant>(ir::Constant{concat(weight.name, ".", what), std::move(type), make()});
    return valueOf(made);
  }
  ir::Value* halvesOf(const ir::Constant& weight) {
    return named(weight, "float16", {ir::DType::Float16, weight.type.shape}, [&] { return weight.half; });
  }
  void replace(ir::Node& node, ir::Value* by) {
    ir::TensorType type = by->type();
    type.strides = node.output()->type().strides;
    if (by->producer()) by->setType(std::move(type));
    graph_.replaceAllUses(node.output(), by);
  }

  void note(ir::Node& node, const ir::Value& weight, const std::string& form, const std::string& reason) {
    const auto elements = static_cast<uint64_t>(weight.type().elements());
    QuantisedWeight entry{weight.constant()->name, node.origin().modulePath, node.op(), form, reason, {}, 0, 0};
    entry.isByName = !reason.empty() && reason == whyNotByName(node, weight);
    entry.bytesBefore = elements * ir::sizeOf(weight.type().dtype);
    entry.bytesAfter = form.empty() ? entry.bytesBefore : bytesOf(form, node, weight, elements);
    if (!form.empty()) graph_.erase(&node);
    if (!context_.quantised) return;
    const std::string key = concat(entry.weight, "\n", entry.form, "\n", entry.reason);
    if (noted_.insert(key).second) context_.quantised->push_back(std::move(entry));
  }

  uint64_t bytesOf(const std::string& form, const ir::Node& node, const ir::Value& weight, uint64_t elements) const {
    if (form == "float16") return elements * 2;
    const bool isLinear = !node.is("aten.embedding.default");
    const bool isTurned = isLinear && !node.is("aten.linear.default");
    const ir::Sizes sizes = weight.type().sizes();
    const auto rows = static_cast<uint64_t>(sizes[isTurned ? 1 : 0]);
    if (!form.starts_with("int4")) return elements + rows * sizeof(float);
    const auto width = elements / rows, group = static_cast<uint64_t>(wish_.group);
    const uint64_t scales = width % group == 0 ? elements / group : rows;
    return elements / 2 + scales * (isLinear ? 2 : sizeof(float));
  }

  static constexpr const char* kDynamic = "exportdeck.dynamic_linear.default";

  ir::Graph& graph_;
  PassContext& context_;
  const Quantisation& wish_;
  ConstantPool pool_;
  std::map<std::tuple<const ByteSource*, int, int64_t>, ir::ConstantPtr> integers_;
  std::map<const ByteSource*, ir::ConstantPtr> turned_, halves_;
  std::map<const ir::Constant*, ir::Value*> values_;
  std::map<std::pair<const ir::Constant*, std::string>, ir::ConstantPtr> parts_;
  std::set<std::string> noted_;
};

}  // namespace

bool fitsModule(std::string_view pattern, std::string_view path) {
  if (fits(pattern, path)) return true;
  const size_t dot = path.rfind('.');
  return dot != std::string_view::npos && fitsModule(pattern, path.substr(0, dot));
}

void quantise(ir::Graph& graph, PassContext& context) {
  if (context.quantisation) Quantiser(graph, context).run();
}

}  // namespace exportdeck::passes
