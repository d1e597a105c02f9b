// Scaled dot-product attention in its plain form: softmax(q k^T * scale + mask) v, where rows that see nothing give 0.
// Such rows are added something finite, so that they are no NaN, and their results are multiplied by 0: arithmetic that
// delegates do, on the smallest tensor there is.
#include "passes/decompositions/linear_algebra.h"

namespace exportdeck::passes::decompositions {

namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

struct Mask {
  Value* added = nullptr;  // very negative where nothing may be seen; null: no mask
  Value* sees = nullptr;   // 1, and 0 for rows that see nothing; null where each sees something
};

// Far below any score, and finite also with a score added.
double veryNegative(DType dtype) {
  return dtype == DType::Float16 ? -3e4 : -1e38;
}

// Row i of [rows, columns] sees columns 0 to i. Every row sees at least the first.
Mask causalMask(Builder& build, const ir::SymInt& rows, const ir::SymInt& columns, DType dtype) {
  Value* added = knownElements(build, "causal_mask", {dtype, {rows, columns}}, [](const ir::Sizes& sizes) {
    std::vector<double> values(static_cast<size_t>(sizes[0] * sizes[1]), 0.0);
    for (int64_t r = 0; r < sizes[0]; ++r) {
      for (int64_t c = r + 1; c < sizes[1]; ++c) values[static_cast<size_t>(r * sizes[1] + c)] = kMinusInfinity;
    }
    return values;
  });
  if (added) return {added, nullptr};
  // Too large to be kept: column c is seen from row c on.
  const auto count = [&](const ir::SymInt& size) {
    return build.node("aten.arange.start_step", {int64_t{0}, ir::argumentOf(size), int64_t{1}, DType::Int64},
                      {DType::Int64, {size}});
  };
  Value* sees = build.compare("aten.ge.Tensor", build.unsqueeze(count(rows), 1), build.unsqueeze(count(columns), 0));
  return {build.where(sees, build.scalar(0.0, dtype), build.scalar(kMinusInfinity, dtype)), nullptr};
}

// A mask known at export: rows that see nothing are looked for now.
Mask knownMask(Builder& build, Value* given, DType dtype) {
  std::vector<double> values = readAsDoubles(*given->constant());
  const bool isBool = dtypeOf(given) == DType::Bool;
  const auto columns = static_cast<size_t>(given->type().size(-1));
  std::vector<double> sees;
  for (size_t i = 0; i < values.size(); ++i) {
    if (isBool) values[i] = values[i] != 0 ? 0 : kMinusInfinity;
    if (i % columns == 0) sees.push_back(0);
    if (values[i] != kMinusInfinity) sees.back() = 1;
  }
  const bool anyBlind = std::find(sees.begin(), sees.end(), 0.0) != sees.end();
  if (anyBlind) {
    for (double& value : values) value = std::max(value, veryNegative(dtype));
  }
  Mask mask;
  mask.added =
      build.constant(concat(given->constant()->name, ".mask"), {dtype, sizesOf(given)}, bytesOfDoubles(values, dtype));
  if (anyBlind) {
    Sizes sizes = sizesOf(given);
    sizes.back() = 1;
    mask.sees = build.constant(concat(given->constant()->name, ".sees"), {dtype, sizes}, bytesOfDoubles(sees, dtype));
  }
  return mask;
}

Mask computedMask(Builder& build, Value* given, DType dtype) {
  Value* lowest = build.scalar(veryNegative(dtype), dtype);
  if (dtypeOf(given) == DType::Bool) {
    Sizes rows = sizesOf(given);
    rows.back() = 1;
    Value* sees = build.node("aten.any.dim", {given, static_cast<int64_t>(rows.size()) - 1, true}, {DType::Bool, rows});
    return {build.where(given, build.scalar(0.0, dtype), lowest), build.cast(sees, dtype)};
  }
  Value* added = build.cast(given, dtype);
  // Where a row sees something nothing is bounded, so that folding may find that there is nothing to do.
  Value* sees = build.compare("aten.ne.Scalar", build.amax(added, {-1}, true), kMinusInfinity);
  Value* bound = build.where(sees, build.scalar(kMinusInfinity, dtype), lowest);
  return {build.binary("aten.maximum.default", added, bound), build.cast(sees, dtype)};
}

// With fewer key than query heads each key head serves several query heads in a row.
Value* repeatHeads(Builder& build, Value* x, int64_t heads) {
  const Sizes sizes = sizesOf(x);
  const auto at = sizes.size() - 3;
  if (sizes[at] == heads) return x;
  Sizes wide = sizes, merged = sizes;
  wide.insert(wide.begin() + static_cast<std::ptrdiff_t>(at) + 1, heads / sizes[at]);
  merged[at] = heads;
  return build.view(build.expand(build.unsqueeze(x, static_cast<int64_t>(at) + 1), wide), merged);
}

// (query, key, value, mask, dropout, causal, scale, grouped)
Results attention(Builder& build, const Node& node) {
  Value *query = node.value(0), *key = node.value(1), *value = node.value(2), *given = node.valueOrNull(3);
  if (node.floatArg(4) != 0) {
    throw ExportError(
        Diagnostic{Code::TrainingMode,
                   Severity::Error,
                   "attention was exported with dropout",
                   node.origin(),
                   "Dropout draws random numbers on every call",
                   {"Call model.eval() before torch.export.export().", "Pass dropout_p=0.0 when not self.training."}});
  }
  if (node.boolArg(7)) {
    const int64_t heads = query->type().size(-3);
    key = repeatHeads(build, key, heads);
    value = repeatHeads(build, value, heads);
  }
  const int64_t width = query->type().size(-1);
  const double scale = node.isNone(6) ? 1 / std::sqrt(static_cast<double>(width)) : node.floatArg(6);
  Value* scores = matmul(build, scale == 1 ? query : build.mul(query, scale), build.transpose(key, -2, -1));
  Mask mask;
  if (node.boolArg(5)) mask = causalMask(build, query->type().dim(-2), key->type().dim(-2), dtypeOf(scores));
  if (given)
    mask = given->isConstant() ? knownMask(build, given, dtypeOf(scores)) : computedMask(build, given, dtypeOf(scores));
  if (mask.added) scores = build.add(scores, mask.added);
  Value* weights = build.softmax(scores, static_cast<int64_t>(rankOf(scores)) - 1);
  Value* result = matmul(build, weights, value);
  return {mask.sees ? build.mul(result, mask.sees) : result};
}

}  // namespace

void registerAttention(DecompositionRegistry& registry) {
  registry.add({"aten.scaled_dot_product_attention.default"}, attention);
}

}  // namespace exportdeck::passes::decompositions
