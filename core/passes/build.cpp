#include "passes/build.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/text.h"
#include "ops/schema.h"
#include "passes/element.h"
#include "passes/promotion.h"

namespace exportdeck::passes {

namespace {

std::vector<ir::Argument> withDefaults(std::string_view op, std::vector<ir::Argument> args) {
  const ops::OpSchema* schema = ops::findSchema(op);
  check(schema != nullptr, concat("a pass built the operator ", op, ", which has no schema"));
  std::vector<ops::NamedArgument> given;
  given.reserve(args.size());
  for (size_t i = 0; i < args.size(); ++i) {
    check(i < schema->args.size(), concat("a pass gave ", op, " too many arguments"));
    given.push_back({schema->args[i].name, std::move(args[i])});
  }
  return ops::bindArguments(*schema, std::move(given));
}

}  // namespace

ir::Shape broadcastSizes(const ir::Shape& a, const ir::Shape& b) {
  ir::Shape out(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < out.size(); ++i) {
    const ir::SymInt left = i < a.size() ? a[a.size() - 1 - i] : ir::SymInt(1);
    const ir::SymInt right = i < b.size() ? b[b.size() - 1 - i] : ir::SymInt(1);
    if (left != right && left != 1 && right != 1) {
      throw ExportError(Code::GraphInvalid, concat("the sizes [", a.text(), "] and [", b.text(), "] do not broadcast"));
    }
    out[out.size() - 1 - i] = left == 1 ? right : left;
  }
  return out;
}

ir::Shape sizesOf(const ir::Value* value) {
  return value->type().shape;
}

void requireFixedSizes(const ir::Node& node) {
  std::vector<ir::Value*> values = node.operands();
  values.insert(values.end(), node.outputs().begin(), node.outputs().end());
  for (const ir::Value* value : values) {
    if (!value->isTensor() || value->type().isStatic()) continue;
    throw ExportError(Diagnostic{
        Code::ShapeUnsupported,
        Severity::Error,
        concat("the size of ", value->name(), " at ", node.op(), ", ", value->type().text(), ", is not fixed"),
        node.origin(),
        "Sizes that are known only at run time are not supported yet",
        {"Export the model with fixed sizes: leave dynamic_shapes out of torch.export.export()."}});
  }
}

ir::DType dtypeOf(const ir::Value* value) {
  return value->type().dtype;
}
size_t rankOf(const ir::Value* value) {
  return value->type().rank();
}

ir::SymInt product(std::span<const ir::SymInt> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), ir::SymInt(1), ir::multiply);
}

ir::Sizes orderAfterMoves(const ir::Sizes& from, const ir::Sizes& to, size_t rank) {
  ir::Sizes order(rank, -1);
  std::vector<bool> moved(rank, false);
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t dim = ir::wrapDim(from[i], rank);
    order[static_cast<size_t>(ir::wrapDim(to.at(i), rank))] = dim;
    moved[static_cast<size_t>(dim)] = true;
  }
  size_t next = 0;
  for (int64_t& dim : order) {
    if (dim >= 0) continue;
    while (moved[next]) ++next;
    dim = static_cast<int64_t>(next++);
  }
  return order;
}

ir::IntList intList(const ir::Shape& sizes) {
  return ir::itemsOf(sizes);
}

std::optional<Number> numberOf(const ir::Argument& argument) {
  if (const auto* number = std::get_if<int64_t>(&argument)) return *number;
  if (const auto* number = std::get_if<double>(&argument)) return *number;
  if (const auto* flag = std::get_if<bool>(&argument)) return int64_t{*flag};
  return std::nullopt;
}

double asDouble(const Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

ir::Argument asArgument(const Number& number) {
  return std::visit([](auto value) { return ir::Argument(value); }, number);
}

ir::Value* Builder::node(std::string_view op, std::vector<ir::Argument> args, ir::TensorType type) {
  return nodeMulti(op, std::move(args), {std::move(type)}).front();
}

std::vector<ir::Value*> Builder::nodeMulti(std::string_view op, std::vector<ir::Argument> args,
                                           std::vector<ir::TensorType> types) {
  return graph_
      .addNode(std::string(op), withDefaults(op, std::move(args)), std::move(types), before_.originPtr(), &before_)
      ->outputs();
}

ir::Value* Builder::unary(std::string_view op, ir::Value* x) {
  return node(op, {x}, {dtypeOf(x), sizesOf(x)});
}

ir::Value* Builder::binary(std::string_view op, ir::Value* a, ir::Value* b) {
  const std::vector<ir::Argument> operands{a, b};
  return node(op, operands, {resultType(operands), broadcastSizes(sizesOf(a), sizesOf(b))});
}

ir::Value* Builder::binary(std::string_view op, ir::Value* a, double b) {
  return binary(op, a, scalar(b, dtypeOf(a)));
}

ir::Value* Builder::compare(std::string_view op, ir::Value* a, const ir::Argument& b) {
  auto* const* other = std::get_if<ir::Value*>(&b);
  return node(op, {a, b}, {ir::DType::Bool, other ? broadcastSizes(sizesOf(a), sizesOf(*other)) : sizesOf(a)});
}

ir::Value* Builder::where(ir::Value* condition, ir::Value* a, ir::Value* b) {
  const ir::Shape sizes = broadcastSizes(sizesOf(condition), broadcastSizes(sizesOf(a), sizesOf(b)));
  return node("aten.where.self", {condition, a, b}, {dtypeOf(a), sizes});
}

ir::Value* Builder::logicalNot(ir::Value* x) {
  return node("aten.logical_not.default", {x}, {ir::DType::Bool, sizesOf(x)});
}

ir::Value* Builder::clamp(ir::Value* x, std::optional<double> low, std::optional<double> high) {
  return node("aten.clamp.default", {x, low ? ir::Argument(*low) : ir::None{}, high ? ir::Argument(*high) : ir::None{}},
              {dtypeOf(x), sizesOf(x)});
}

ir::Value* Builder::strided(ir::Value* x, const ir::Sizes& sizes, const ir::Sizes& strides, int64_t offset,
                            std::string_view what) {
  return constant(stridedConstant(x->constant(), sizes, strides, offset, concat(x->constant()->name, ".", what)));
}

ir::Value* Builder::view(ir::Value* x, const ir::Shape& sizes) {
  if (sizesOf(x) == sizes) return x;
  check(product(sizes) == x->type().count(), concat("a view of ", x->type().text(), " as [", sizes.text(), "]"));
  if (x->isConstant()) return constant(reshapedConstant(x->constant(), sizes));
  return node("aten.view_copy.default", {x, intList(sizes)}, {dtypeOf(x), sizes});
}

ir::Value* Builder::permute(ir::Value* x, ir::Sizes order) {
  const ir::Shape from = sizesOf(x);
  check(order.size() == from.size(), "a permutation of another rank");
  ir::Shape sizes;
  bool identity = true;
  for (size_t i = 0; i < order.size(); ++i) {
    order[i] = ir::wrapDim(order[i], from.size());
    identity = identity && order[i] == static_cast<int64_t>(i);
    sizes.push_back(from[static_cast<size_t>(order[i])]);
  }
  if (identity) return x;
  if (x->isConstant()) {
    const ir::Sizes fromStrides = ir::rowMajorStrides(from);
    ir::Sizes strides;
    for (const int64_t dim : order) strides.push_back(fromStrides[static_cast<size_t>(dim)]);
    return strided(x, sizes, strides, 0, "permuted");
  }
  return node("aten.permute_copy.default", {x, intList(order)}, {dtypeOf(x), sizes});
}

ir::Value* Builder::transpose(ir::Value* x, int64_t a, int64_t b) {
  const size_t rank = rankOf(x);
  if (rank == 0) return x;
  ir::Sizes order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[static_cast<size_t>(ir::wrapDim(a, rank))], order[static_cast<size_t>(ir::wrapDim(b, rank))]);
  return permute(x, order);
}

ir::Value* Builder::expand(ir::Value* x, const ir::Shape& sizes) {
  const ir::Shape from = sizesOf(x);
  if (from == sizes) return x;
  check(from.size() <= sizes.size() && broadcastSizes(from, sizes) == sizes,
        concat("an expansion of ", x->type().text(), " to [", sizes.text(), "]"));
  const ir::TensorType type(dtypeOf(x), sizes);
  if (x->isConstant() && type.isStatic() && type.bytes() <= kLargestFilledConstant) {
    const ir::Sizes fromStrides = ir::rowMajorStrides(from);
    ir::Sizes strides(sizes.size(), 0);
    const size_t added = sizes.size() - from.size();
    for (size_t i = 0; i < from.size(); ++i) strides[added + i] = from[i] == 1 ? 0 : fromStrides[i];
    return strided(x, sizes, strides, 0, "expanded");
  }
  return node("aten.expand_copy.default", {x, intList(sizes)}, type);
}

ir::SymInt slicePosition(const ir::SymInt& at, const ir::SymInt& size) {
  if (at.isStatic() && at.value() == std::numeric_limits<int64_t>::max()) return size;
  const bool fromEnd = at.upper() && *at.upper() < 0;
  return ir::minimum(ir::maximum(fromEnd ? at + size : at, 0), size);
}

ir::Value* Builder::slice(ir::Value* x, int64_t dim, const ir::SymInt& start, const ir::SymInt& end, int64_t step) {
  ir::Shape sizes = sizesOf(x);
  dim = ir::wrapDim(dim, sizes.size());
  ir::SymInt& size = sizes[static_cast<size_t>(dim)];
  const ir::SymInt first = slicePosition(start, size);
  const ir::SymInt last = ir::maximum(slicePosition(end, size), first);
  if (first == 0 && last == size && step == 1) return x;
  size = (last - first + step - 1) / step;
  const ir::TensorType type(dtypeOf(x), sizes);
  if (x->isConstant() && type.isStatic() && first.isStatic()) {
    ir::Sizes strides = ir::rowMajorStrides(sizesOf(x));
    const int64_t offset = first.value() * strides[static_cast<size_t>(dim)];
    strides[static_cast<size_t>(dim)] *= step;
    return strided(x, sizes, strides, offset, "sliced");
  }
  return node("aten.slice_copy.Tensor", {x, dim, ir::argumentOf(first), ir::argumentOf(last), step}, type);
}

ir::Value* Builder::select(ir::Value* x, int64_t dim, const ir::SymInt& index) {
  ir::Shape sizes = sizesOf(x);
  dim = ir::wrapDim(dim, sizes.size());
  const auto at = static_cast<size_t>(dim);
  const ir::SymInt place = index.upper() && *index.upper() < 0 ? index + sizes[at] : index;
  check(!place.isStatic() || !sizes[at].isStatic() || (place >= 0 && place < sizes[at]), "a selection out of range");
  const bool only = sizes[at] == 1;
  const ir::Shape from = sizes;
  sizes.erase(sizes.begin() + dim);
  if (only) return view(x, sizes);
  if (x->isConstant() && place.isStatic()) {
    ir::Sizes strides = ir::rowMajorStrides(from);
    const int64_t offset = place.value() * strides[at];
    strides.erase(strides.begin() + dim);
    return strided(x, sizes, strides, offset, "selected");
  }
  return node("aten.select_copy.int", {x, dim, ir::argumentOf(place)}, {dtypeOf(x), sizes});
}

ir::Value* Builder::cat(const std::vector<ir::Value*>& parts, int64_t dim) {
  if (parts.size() == 1) return parts.front();
  ir::Shape sizes = sizesOf(parts.front());
  dim = ir::wrapDim(dim, sizes.size());
  ir::SymInt& size = sizes[static_cast<size_t>(dim)];
  size = 0;
  for (const ir::Value* part : parts) size += part->type().dim(dim);
  return node("aten.cat.default", {ir::ValueList(parts), dim}, {dtypeOf(parts.front()), sizes});
}

ir::Value* Builder::unsqueeze(ir::Value* x, int64_t dim) {
  ir::Shape sizes = sizesOf(x);
  sizes.insert(sizes.begin() + ir::wrapDim(dim, sizes.size() + 1), 1);
  return view(x, sizes);
}

ir::Value* Builder::squeeze(ir::Value* x, int64_t dim) {
  ir::Shape sizes = sizesOf(x);
  const int64_t at = ir::wrapDim(dim, sizes.size());
  check(sizes[static_cast<size_t>(at)] == 1, "a squeeze of a dimension that is not 1");
  sizes.erase(sizes.begin() + at);
  return view(x, sizes);
}

ir::Value* Builder::cast(ir::Value* x, ir::DType dtype) {
  if (dtypeOf(x) == dtype) return x;
  if (x->isConstant() && isComputable(dtypeOf(x)) && isComputable(dtype))
    return constant(convertedConstant(x->constant(), dtype));
  return node("aten._to_copy.default", {x, dtype}, {dtype, sizesOf(x)});
}

ir::Value* Builder::reduce(std::string_view op, ir::Value* x, const ir::Sizes& dims, bool keepdim) {
  const ir::Shape from = sizesOf(x);
  std::vector<bool> reduced(from.size(), dims.empty());
  for (const int64_t dim : dims) {
    if (!from.empty()) reduced[static_cast<size_t>(ir::wrapDim(dim, from.size()))] = true;
  }
  ir::Shape sizes;
  for (size_t i = 0; i < from.size(); ++i) {
    if (!reduced[i]) sizes.push_back(from[i]);
    if (reduced[i] && keepdim) sizes.push_back(1);
  }
  return node(op, {x, intList(dims), keepdim}, {dtypeOf(x), sizes});
}

ir::Value* Builder::bmm(ir::Value* a, ir::Value* b) {
  const ir::Shape left = sizesOf(a), right = sizesOf(b);
  check(left.size() == 3 && right.size() == 3 && left[2] == right[1], "a batched product of sizes that do not fit");
  return node("aten.bmm.default", {a, b}, {dtypeOf(a), {left[0], left[1], right[2]}});
}

ir::Value* Builder::mm(ir::Value* a, ir::Value* b) {
  const ir::Shape left = sizesOf(a), right = sizesOf(b);
  check(left.size() == 2 && right.size() == 2 && left[1] == right[0], "a matrix product of sizes that do not fit");
  return node("aten.mm.default", {a, b}, {dtypeOf(a), {left[0], right[1]}});
}

ir::Value* Builder::linear(ir::Value* x, ir::Value* weight, ir::Value* bias) {
  ir::Shape sizes = sizesOf(x);
  sizes.back() = weight->type().size(0);
  return node("aten.linear.default", {x, weight, bias ? ir::Argument(bias) : ir::None{}}, {dtypeOf(x), sizes});
}

ir::Value* Builder::softmax(ir::Value* x, int64_t dim) {
  return node("aten._softmax.default", {x, dim, false}, {dtypeOf(x), sizesOf(x)});
}

ir::Value* Builder::full(const ir::Shape& sizes, const Number& value, ir::DType dtype) {
  ir::TensorType type(dtype, sizes);
  if (!type.isStatic() || type.bytes() > kLargestFilledConstant)
    return node("aten.full.default", {intList(sizes), asArgument(value), dtype}, type);
  const std::string text = std::visit([](auto number) { return concat(number); }, value);
  const std::string key = concat(type.text(), "=", std::holds_alternative<double>(value) ? "f" : "i", text);
  ir::Value*& known = pool_[key];
  if (!known) {
    const auto count = static_cast<uint64_t>(type.elements());
    known = constant(concat(sizes.empty() ? "scalar_" : "full_", text), type, filledBytes(count, value, dtype));
  }
  return known;
}

ir::Value* Builder::scalar(const Number& value, ir::DType dtype) {
  return full({}, value, dtype);
}

ir::Value* Builder::sizeTensor(const ir::SymInt& size, ir::DType dtype) {
  if (size.isStatic()) return scalar(Number(size.value()), dtype);
  return node("aten.scalar_tensor.default", {size, dtype}, {dtype, ir::Shape{}});
}

ir::Value* Builder::constant(std::string name, ir::TensorType type, Bytes bytes) {
  check(bytes.size() == type.bytes(), concat("the bytes of the constant ", name, " do not fit its type"));
  return constant(std::make_shared<const ir::Constant>(
      ir::Constant{std::move(name), std::move(type), bytesInMemory(std::move(bytes))}));
}

}  // namespace exportdeck::passes
