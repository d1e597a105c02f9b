// Tensors that do not depend on the input become constants where they are small.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

Results filled(Builder& build, const Node& node, const Number& value) {
  return {build.full(resultSizes(node), value, resultDType(node))};
}

Results zeros(Builder& build, const Node& node) {
  return filled(build, node, int64_t{0});
}
Results ones(Builder& build, const Node& node) {
  return filled(build, node, int64_t{1});
}

Results fillWith(Builder& build, const Node& node, const ir::Argument& value) {
  if (auto* const* tensor = std::get_if<Value*>(&value)) {
    return {build.expand(build.cast(*tensor, resultDType(node)), resultSizes(node))};
  }
  const std::optional<Number> number = numberOf(value);
  if (!number) return {};
  const ir::TensorType& type = node.output()->type();
  const bool large = !type.isStatic() || type.bytes() > kLargestFilledConstant;
  if (large && node.is("aten.full.default")) return {};
  return filled(build, node, *number);
}

Results fullNode(Builder& build, const Node& node) {
  return fillWith(build, node, node.args().at(1));
}
Results newFull(Builder& build, const Node& node) {
  return fillWith(build, node, node.args().at(2));
}
Results scalarTensor(Builder& build, const Node& node) {
  return fillWith(build, node, node.args().at(0));
}

// A constant of computed elements, unless it would be large. `element` is told the place.
template <typename Element>
Results computed(Builder& build, const Node& node, Element element) {
  Value* known = knownElements(build, node.output()->name(), node.output()->type(), [&](const ir::Sizes& sizes) {
    std::vector<double> values(static_cast<size_t>(ir::TensorType(DType::Bool, sizes).elements()));
    for (size_t i = 0; i < values.size(); ++i) values[i] = element(static_cast<int64_t>(i));
    return values;
  });
  return known ? Results{known} : Results{};
}

// As many random numbers as x has elements.
Results randomLike(Builder& build, const Node& node) {
  const std::string_view op = node.is("aten.randn_like.default") ? "aten.randn.default" : "aten.rand.default";
  return {build.node(op, {intList(resultSizes(node)), resultDType(node)}, node.output()->type())};
}

// start + i * step
Results arange(Builder& build, const Node& node) {
  const bool endOnly = node.is("aten.arange.default"), hasStep = node.is("aten.arange.start_step");
  const double step = hasStep ? node.floatArg(2) : 1;
  const auto* moving = endOnly ? nullptr : std::get_if<ir::SymInt>(&node.args().at(0));
  const double start = endOnly || moving ? 0 : node.floatArg(0);
  const Results counted = computed(build, node, [=](int64_t i) { return start + static_cast<double>(i) * step; });
  if (!moving || counted.empty()) return counted;
  return {build.add(counted.front(), build.sizeTensor(*moving, resultDType(node)))};
}

// The two halves are counted from their own ends, as PyTorch does, so that both ends are exact.
Results linspace(Builder& build, const Node& node) {
  if (node.hasValue(0) || node.hasValue(1)) return {};
  const double start = node.floatArg(0), end = node.floatArg(1);
  const int64_t steps = node.intArg(2);
  const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
  return computed(build, node, [=](int64_t i) {
    return i < steps / 2 || steps == 1 ? start + step * static_cast<double>(i)
                                       : end - step * static_cast<double>(steps - 1 - i);
  });
}

Results eye(Builder& build, const Node& node) {
  Value* unit = knownElements(build, node.output()->name(), node.output()->type(), [](const ir::Sizes& sizes) {
    std::vector<double> values(static_cast<size_t>(sizes[0] * sizes[1]), 0.0);
    for (int64_t i = 0; i < std::min(sizes[0], sizes[1]); ++i) values[static_cast<size_t>(i * sizes[1] + i)] = 1;
    return values;
  });
  return unit ? Results{unit} : Results{};
}

// x where the mask of a triangle holds, else zero. The mask has the sizes of the last two dimensions.
Results triangle(Builder& build, const Node& node, bool lower) {
  Value* x = node.value(0);
  const int64_t diagonal = node.intArg(1);
  const ir::TensorType type(DType::Bool, {x->type().dim(-2), x->type().dim(-1)});
  Value* mask = knownElements(build, lower ? "lower" : "upper", type, [&](const ir::Sizes& sizes) {
    std::vector<double> keep(static_cast<size_t>(sizes[0] * sizes[1]));
    for (int64_t i = 0; i < sizes[0] * sizes[1]; ++i) {
      const int64_t offset = i % sizes[1] - i / sizes[1];
      keep[static_cast<size_t>(i)] = (lower ? offset <= diagonal : offset >= diagonal) ? 1 : 0;
    }
    return keep;
  });
  if (!mask) return {};
  return {build.where(mask, x, build.scalar(int64_t{0}, dtypeOf(x)))};
}
Results tril(Builder& build, const Node& node) {
  return triangle(build, node, true);
}
Results triu(Builder& build, const Node& node) {
  return triangle(build, node, false);
}

// Of a vector the matrix with that diagonal, of a matrix its diagonal.
Results diag(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const std::string_view op = rankOf(x) == 1 ? "aten.diag_embed.default" : "aten.diagonal.default";
  return {build.node(op, {x, node.intArg(1)}, node.output()->type())};
}

Results trace(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const int64_t length = std::min(x->type().size(0), x->type().size(1));
  Value* diagonal = build.node("aten.diagonal.default", {x}, {dtypeOf(x), {length}});
  return {build.sum(build.cast(diagonal, resultDType(node)), {0}, false)};
}

// (theta [n, rows, rows + 1], size, alignCorners): theta times the known grid of places in [-1, 1], with a 1 at the end
// of each.
Results affineGrid(Builder& build, const Node& node) {
  const Sizes size = node.ints(1);
  const bool alignCorners = node.boolArg(2);
  const size_t dims = size.size() - 2;
  const int64_t places = product(Sizes(size.begin() + 2, size.end())), columns = static_cast<int64_t>(dims) + 1;
  std::vector<double> grid(static_cast<size_t>(places * columns), 1);
  for (int64_t place = 0; place < places; ++place) {
    int64_t rest = place;
    for (size_t d = 0; d < dims; ++d) {  // the first coordinate is that of the last dimension
      const int64_t extent = size[size.size() - 1 - d];
      const double at = static_cast<double>(rest % extent), count = static_cast<double>(extent);
      const double aligned = extent > 1 ? 2 * at / (count - 1) - 1 : 0;
      grid[static_cast<size_t>(place * columns) + d] = alignCorners ? aligned : (2 * at + 1) / count - 1;
      rest /= extent;
    }
  }
  Value* theta = node.value(0);
  Value* known =
      build.constant("affine_grid", {dtypeOf(theta), {places, columns}}, bytesOfDoubles(grid, dtypeOf(theta)));
  Value* batched = build.expand(build.unsqueeze(known, 0), {size[0], places, columns});
  return {build.view(build.bmm(batched, build.transpose(theta, 1, 2)), resultSizes(node))};
}

// The diagonal of zeros becomes x: x times the unit matrix, moved to where the two dimensions are wanted.
Results diagEmbed(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const Sizes result = resultSizes(node);
  const int64_t offset = node.intArg(1), rank = static_cast<int64_t>(result.size());
  const int64_t first = ir::wrapDim(node.intArg(2), result.size()), second = ir::wrapDim(node.intArg(3), result.size());
  if (first != rank - 2 || second != rank - 1) return {};
  const int64_t size = result.back(), length = size - std::abs(offset);
  Value* wide = x;
  if (offset != 0) {
    Sizes sizes = sizesOf(x);
    sizes.back() = size;
    wide = build.node(
        "aten.constant_pad_nd.default",
        {x, intList({std::max<int64_t>(offset, 0), size - length - std::max<int64_t>(offset, 0)}), int64_t{0}},
        {dtypeOf(x), sizes});
  }
  // Column c holds element c - offset in row c - offset; `wide` has it at place c for a positive offset, else at its
  // own row.
  std::vector<double> keep(static_cast<size_t>(size * size), 0);
  for (int64_t i = 0; i < length; ++i) {
    const int64_t row = i + std::max<int64_t>(-offset, 0), column = i + std::max<int64_t>(offset, 0);
    keep[static_cast<size_t>(row * size + column)] = 1;
  }
  Value* mask = build.constant("diagonal", {DType::Bool, {size, size}}, bytesOfDoubles(keep, DType::Bool));
  return {build.where(mask, build.unsqueeze(wide, -2), build.scalar(int64_t{0}, dtypeOf(x)))};
}

}  // namespace

void registerFilling(DecompositionRegistry& registry) {
  registry.add({"aten.zeros.default", "aten.zeros_like.default", "aten.new_zeros.default", "aten.zero.default"}, zeros);
  registry.add({"aten.ones.default", "aten.ones_like.default", "aten.new_ones.default"}, ones);
  // What an empty tensor holds is never read by a right program: zeros.
  registry.add({"aten.empty.memory_format", "aten.empty_like.default", "aten.new_empty.default"}, zeros);
  registry.add({"aten.full.default", "aten.full_like.default", "aten.fill.Scalar", "aten.fill.Tensor"}, fullNode);
  registry.add({"aten.new_full.default"}, newFull);
  registry.add({"aten.scalar_tensor.default"}, scalarTensor);
  registry.add({"aten.arange.default", "aten.arange.start", "aten.arange.start_step"}, arange);
  registry.add({"aten.randn_like.default", "aten.rand_like.default"}, randomLike);
  registry.add({"aten.linspace.default"}, linspace);
  registry.add({"aten.eye.default", "aten.eye.m"}, eye);
  registry.add({"aten.tril.default"}, tril);
  registry.add({"aten.triu.default"}, triu);
  registry.add({"aten.diag.default"}, diag);
  registry.add({"aten.trace.default"}, trace);
  registry.add({"aten.affine_grid_generator.default"}, affineGrid);
  registry.add({"aten.diag_embed.default"}, diagEmbed);
}

}  // namespace exportdeck::passes::decompositions
