#include "passes/mutation.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "ops/schema.h"
#include "passes/build.h"
#include "passes/promotion.h"

namespace exportdeck::passes {

namespace {

using Names = std::unordered_set<std::string_view>;

// Give back operand 0 when there is nothing to do, else new memory.
const Names kCopyUnlessSame{"aten.to.dtype",      "aten.to.dtype_layout", "aten.to.device",      "aten.to.other",
                            "aten.to.prim_dtype", "aten.to.prim_Device",  "aten.type_as.default"};
// Give back operand 0 in evaluation.
const Names kDropouts{"aten.dropout.default", "aten.feature_dropout.default", "aten.alpha_dropout.default",
                      "aten.feature_alpha_dropout.default"};
// Views where the memory allows it, else copies.
const Names kReshapes{"aten.reshape.default", "aten.reshape_as.default", "aten.flatten.using_ints",
                      "aten.ravel.default"};
const Names kSame{"aten.detach.default", "aten.alias.default", "aten.positive.default",     "aten.lift_fresh.default",
                  "aten.lift.default",   "aten.real.default",  "aten.resolve_conj.default", "aten.resolve_neg.default"};
// May share memory though their schemas do not say so.
const Names kUnannotated{"aten.einsum.default", "aten.meshgrid.indexing", "aten.meshgrid.default",
                         "aten.broadcast_tensors.default"};
// The result has the elements of the operand in the same row-major order.
const Names kRegroupings{"aten.view.default",           "aten.reshape.default",    "aten._unsafe_view.default",
                         "aten._reshape_alias.default", "aten.flatten.using_ints", "aten.unflatten.int",
                         "aten.squeeze.default",        "aten.squeeze.dim",        "aten.squeeze.dims",
                         "aten.unsqueeze.default",      "aten.view_as.default",    "aten.reshape_as.default",
                         "aten.ravel.default"};

bool isRowMajor(const ir::Value* value) {
  return value->type().strides.empty();
}

// Whether memory with these sizes and strides can be looked at under other sizes: groups of dimensions that lie in one
// run are the only ones that can be merged or cut (at::detail::computeStride of torch 2.13.0).
bool canRegroup(const ir::Sizes& sizes, const ir::Sizes& strides, const ir::Sizes& wanted) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return true;
  size_t next = wanted.size();
  int64_t run = 1, covered = 1, base = strides.empty() ? 1 : strides.back();
  for (size_t dim = sizes.size(); dim-- > 0;) {
    run *= sizes[dim];
    const bool ends = dim == 0 || (sizes[dim - 1] != 1 && strides[dim - 1] != run * base);
    if (!ends) continue;
    while (next > 0 && (covered < run || wanted[next - 1] == 1)) covered *= wanted[--next];
    if (covered != run) return false;
    run = covered = 1;
    if (dim > 0) base = strides[dim - 1];
  }
  return next == 0;
}

Sharing sharingOfReshape(const ir::Value* x, const ir::Value* result) {
  if (isRowMajor(x)) return Sharing::View;
  if (!x->type().isStatic() || !result->type().isStatic()) return Sharing::Unknown;
  return canRegroup(x->type().sizes(), x->type().strides, result->type().sizes()) ? Sharing::View : Sharing::None;
}

ir::IntList ints(const ir::Sizes& sizes) {
  return {sizes.begin(), sizes.end()};
}

// Where each dimension of the result comes from, for operators that only reorder them.
std::optional<ir::Sizes> permutationOf(const ir::Node& node) {
  const std::string_view op = node.op();
  const size_t rank = node.value(0)->type().rank();
  ir::Sizes order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (op == "aten.permute.default") {
    order = node.ints(1);
    for (int64_t& dim : order) dim = ir::wrapDim(dim, rank);
    return order;
  }
  if (op == "aten.transpose.int" || op == "aten.swapaxes.default" || op == "aten.swapdims.default") {
    if (rank > 0) {
      std::swap(order[static_cast<size_t>(ir::wrapDim(node.intArg(1), rank))],
                order[static_cast<size_t>(ir::wrapDim(node.intArg(2), rank))]);
    }
    return order;
  }
  if (op == "aten.t.default" || op == "aten.mT.default") {
    if (rank >= 2) std::swap(order[rank - 2], order[rank - 1]);
    return order;
  }
  if (op == "aten.numpy_T.default") {
    std::reverse(order.begin(), order.end());
    return order;
  }
  static const Names kMoves{"aten.movedim.int", "aten.movedim.intlist", "aten.moveaxis.int", "aten.moveaxis.intlist"};
  if (kMoves.contains(op)) return orderAfterMoves(node.ints(1), node.ints(2), rank);
  return std::nullopt;
}

ir::Value* emit(ir::Graph& graph, const ir::Node& view, ir::Node* before, std::string op,
                std::vector<ir::Argument> args, const ir::TensorType& type) {
  const ir::TensorType plain(type.dtype, type.sizes());
  return graph.addNode(std::move(op), std::move(args), {plain}, view.originPtr(), before)->output();
}

// The start of part `index` along `dim` in an operator that cuts its operand into parts.
int64_t startOf(const ir::Node& view, size_t index, int64_t dim) {
  int64_t start = 0;
  for (size_t i = 0; i < index; ++i) start += view.output(i)->type().size(dim);
  return start;
}

}  // namespace

Sharing sharingOf(const ir::Node& node) {
  const std::string_view op = node.op();
  if (node.argCount() == 0 || !node.hasValue(0) || !node.value(0)->isTensor()) {
    const bool single = op != "aten.einsum.default" || node.operands().size() == 1;
    return kUnannotated.contains(op) && single ? Sharing::Unknown : Sharing::None;
  }
  const ir::Value* x = node.value(0);
  // Of a complex tensor its real part is a view.
  if (kSame.contains(op)) return node.output()->type() == x->type() ? Sharing::Same : Sharing::View;
  if (kDropouts.contains(op)) return node.boolArg(2) ? Sharing::None : Sharing::Same;
  if (kCopyUnlessSame.contains(op)) {
    const ops::OpSchema* schema = ops::findSchema(op);
    const int copy = schema ? schema->argIndex("copy") : -1;
    if (node.output()->type().dtype != x->type().dtype) return Sharing::None;
    if (copy >= 0 && !node.isNone(static_cast<size_t>(copy)) && node.boolArg(static_cast<size_t>(copy)))
      return Sharing::None;
    return x->type().strides == node.output()->type().strides ? Sharing::Same : Sharing::None;
  }
  if (op == "aten.contiguous.default") {
    const auto* format = node.argCount() > 1 ? std::get_if<ir::MemoryFormat>(&node.args()[1]) : nullptr;
    if (format && *format != ir::MemoryFormat::Contiguous) return Sharing::Unknown;
    return isRowMajor(x) ? Sharing::Same : Sharing::None;
  }
  if (kReshapes.contains(op)) return sharingOfReshape(x, node.output());
  if (op == "aten._unsafe_view.default") return Sharing::View;
  const ops::OpSchema* schema = ops::findSchema(op);
  return schema && schema->isView && !schema->isInPlace ? Sharing::View : Sharing::None;
}

bool mayCopy(std::string_view op) {
  return kReshapes.contains(op) || kCopyUnlessSame.contains(op) || op == "aten.contiguous.default";
}

std::string functionalForm(std::string_view op) {
  // Names that do not follow the rule.
  static const std::unordered_map<std::string_view, std::string_view> kIrregular{
      {"aten.pow_.Scalar", "aten.pow.Tensor_Scalar"},
      {"aten.pow_.Tensor", "aten.pow.Tensor_Tensor"},
      {"aten.floor_divide_.Tensor", "aten.floor_divide.default"},
      {"aten.__iand__.Tensor", "aten.__and__.Tensor"},
      {"aten.__iand__.Scalar", "aten.__and__.Scalar"},
      {"aten.__ior__.Tensor", "aten.__or__.Tensor"},
      {"aten.__ior__.Scalar", "aten.__or__.Scalar"},
      {"aten.__ixor__.Tensor", "aten.__xor__.Tensor"},
      {"aten.__ixor__.Scalar", "aten.__xor__.Scalar"},
      {"aten.__ilshift__.Tensor", "aten.__lshift__.Tensor"},
      {"aten.__ilshift__.Scalar", "aten.__lshift__.Scalar"},
      {"aten.__irshift__.Tensor", "aten.__rshift__.Tensor"},
      {"aten.__irshift__.Scalar", "aten.__rshift__.Scalar"},
  };
  if (const auto found = kIrregular.find(op); found != kIrregular.end()) return std::string(found->second);
  const size_t end = op.rfind('.');
  if (end == std::string_view::npos || end == 0 || op[end - 1] != '_') return {};
  std::string form = concat(op.substr(0, end - 1), op.substr(end));
  const ops::OpSchema* schema = ops::findSchema(form);
  // Both must begin with the tensor that is written.
  const bool fits = schema && !schema->args.empty() && schema->args.front().kind == ops::ArgKind::Tensor;
  return fits ? form : std::string();
}

bool changesSizesInPlace(std::string_view op) {
  static const Names kNames{"aten.squeeze_",  "aten.unsqueeze_",  "aten.t_",      "aten.transpose_", "aten.swapaxes_",
                            "aten.swapdims_", "aten.as_strided_", "aten.resize_", "aten.resize_as_", "aten.set_"};
  return kNames.contains(op.substr(0, op.rfind('.')));
}

ir::DType computedDType(const ir::Node& inPlace) {
  static const Names kPromoting{
      "aten.add_.Tensor",       "aten.add_.Scalar",       "aten.sub_.Tensor",          "aten.sub_.Scalar",
      "aten.mul_.Tensor",       "aten.mul_.Scalar",       "aten.pow_.Tensor",          "aten.pow_.Scalar",
      "aten.remainder_.Tensor", "aten.remainder_.Scalar", "aten.fmod_.Tensor",         "aten.fmod_.Scalar",
      "aten.div_.Tensor_mode",  "aten.div_.Scalar_mode",  "aten.floor_divide_.Tensor", "aten.floor_divide_.Scalar",
      "aten.clamp_.default",    "aten.clamp_.Tensor",     "aten.clamp_min_.default",   "aten.clamp_max_.default",
      "aten.addcmul_.default",  "aten.addcdiv_.default",  "aten.atan2_.default",       "aten.div_.Tensor",
      "aten.div_.Scalar"};
  static const Names kComparing{"aten.eq_",          "aten.ne_",         "aten.lt_",          "aten.le_",
                                "aten.gt_",          "aten.ge_",         "aten.logical_and_", "aten.logical_or_",
                                "aten.logical_xor_", "aten.logical_not_"};
  const std::string_view op = inPlace.op();
  if (kComparing.contains(op.substr(0, op.rfind('.')))) return ir::DType::Bool;
  if (!kPromoting.contains(op)) return inPlace.value(0)->type().dtype;
  // alpha, rounding modes and further keywords stand behind the operands and do not count.
  const size_t operands = op.starts_with("aten.clamp_.") || op.starts_with("aten.addc") ? 3 : 2;
  return resultType(std::span(inPlace.args()).subspan(0, std::min(operands, inPlace.argCount())));
}

ir::Value* writeThrough(ir::Graph& graph, const ir::Node& view, size_t index, ir::Value* base, ir::Value* changed,
                        ir::Node* before) {
  const std::string_view op = view.op();
  const ir::TensorType& type = base->type();
  const auto build = [&](std::string name, std::vector<ir::Argument> args) {
    return emit(graph, view, before, std::move(name), std::move(args), type);
  };
  if (kRegroupings.contains(op)) return build("aten.view.default", {changed, ints(type.sizes())});
  if (const auto order = permutationOf(view)) {
    ir::Sizes back(order->size());
    for (size_t i = 0; i < order->size(); ++i) back[static_cast<size_t>((*order)[i])] = static_cast<int64_t>(i);
    return build("aten.permute.default", {changed, ints(back)});
  }
  if (op == "aten.select.int")
    return build("aten.select_scatter.default", {base, changed, view.intArg(1), view.intArg(2)});
  if (op == "aten.unbind.int") {
    return build("aten.select_scatter.default", {base, changed, view.intArg(1), static_cast<int64_t>(index)});
  }
  const auto scatterSlice = [&](int64_t dim, ir::Argument start, ir::Argument end, int64_t step) {
    return build("aten.slice_scatter.default", {base, changed, dim, std::move(start), std::move(end), step});
  };
  if (op == "aten.slice.Tensor") return scatterSlice(view.intArg(1), view.args()[2], view.args()[3], view.intArg(4));
  if (op == "aten.narrow.default") {
    const int64_t dim = view.intArg(1);
    const int64_t start = view.intArg(2) < 0 ? view.intArg(2) + type.size(dim) : view.intArg(2);
    return scatterSlice(dim, start, start + view.intArg(3), 1);
  }
  static const Names kCuts{"aten.split.Tensor",  "aten.split_with_sizes.default", "aten.split.sizes",
                           "aten.chunk.default", "aten.tensor_split.sections",    "aten.tensor_split.indices"};
  if (kCuts.contains(op)) {
    const int64_t dim = view.intArg(2), start = startOf(view, index, dim);
    return scatterSlice(dim, start, start + changed->type().size(dim), 1);
  }
  static const std::unordered_map<std::string_view, int64_t> kNamedCuts{
      {"aten.hsplit.int", 1},   {"aten.hsplit.array", 1}, {"aten.vsplit.int", 0},
      {"aten.vsplit.array", 0}, {"aten.dsplit.int", 2},   {"aten.dsplit.array", 2}};
  if (const auto cut = kNamedCuts.find(op); cut != kNamedCuts.end()) {
    const int64_t dim = type.rank() == 1 ? 0 : cut->second, start = startOf(view, index, dim);
    return scatterSlice(dim, start, start + changed->type().size(dim), 1);
  }
  if (op == "aten.diagonal.default")
    return build("aten.diagonal_scatter.default", {base, changed, view.intArg(1), view.intArg(2), view.intArg(3)});
  return nullptr;
}

}  // namespace exportdeck::passes
