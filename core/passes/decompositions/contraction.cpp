// einsum, tensordot and kron by permutations, views and matrix products.
#include <map>

#include "passes/decompositions/linear_algebra.h"

namespace exportdeck::passes::decompositions {

namespace {

// A tensor whose dimensions carry labels.
struct Labelled {
  Value* value;
  std::string labels;
};

bool has(const std::string& labels, char label) {
  return labels.find(label) != std::string::npos;
}

std::string intersect(const std::string& a, const std::string& b, bool keep) {
  std::string out;
  for (const char label : a) {
    if (has(b, label) == keep) out += label;
  }
  return out;
}

Value* arranged(Builder& build, const Labelled& x, const std::string& order) {
  Sizes dims;
  for (const char label : order) dims.push_back(static_cast<int64_t>(x.labels.find(label)));
  return build.permute(x.value, dims);
}

ir::SymInt extent(const Labelled& x, const std::string& labels) {
  Sizes sizes;
  for (const char label : labels) sizes.push_back(x.value->type().dim(static_cast<int64_t>(x.labels.find(label))));
  return product(sizes);
}

// Sums over the labels that nobody needs any more.
Labelled summed(Builder& build, Labelled x, const std::string& needed) {
  Sizes dims;
  for (size_t i = 0; i < x.labels.size(); ++i) {
    if (!has(needed, x.labels[i])) dims.push_back(static_cast<int64_t>(i));
  }
  if (dims.empty()) return x;
  return {build.sum(x.value, dims, false), intersect(x.labels, needed, true)};
}

void appendSizes(Sizes& out, const Labelled& x, const std::string& labels) {
  for (const char label : labels) out.push_back(extent(x, std::string(1, label)));
}

Labelled contract(Builder& build, Labelled a, Labelled b, const std::string& needed) {
  a = summed(build, a, needed + b.labels);
  b = summed(build, b, needed + a.labels);
  const std::string shared = intersect(a.labels, b.labels, true);
  const std::string batch = intersect(shared, needed, true), gone = intersect(shared, needed, false);
  const std::string onlyA = intersect(a.labels, b.labels, false), onlyB = intersect(b.labels, a.labels, false);
  Sizes sizes;
  appendSizes(sizes, a, batch);
  appendSizes(sizes, a, onlyA);
  const Labelled result{nullptr, batch + onlyA + onlyB};
  if (gone.empty()) {  // nothing to sum over: an element-wise product
    Sizes left = sizes, right;
    left.insert(left.end(), onlyB.size(), 1);
    appendSizes(right, b, batch);
    right.insert(right.end(), onlyA.size(), 1);
    appendSizes(right, b, onlyB);
    return {build.mul(build.view(arranged(build, a, batch + onlyA), left),
                      build.view(arranged(build, b, batch + onlyB), right)),
            result.labels};
  }
  appendSizes(sizes, b, onlyB);
  const ir::SymInt count = extent(a, batch), k = extent(a, gone);
  Value* left = build.view(arranged(build, a, batch + onlyA + gone), {count, extent(a, onlyA), k});
  Value* right = build.view(arranged(build, b, batch + gone + onlyB), {count, k, extent(b, onlyB)});
  return {build.view(batchedProduct(build, left, right), sizes), result.labels};
}

// Gives the dimensions behind "..." labels of their own, counted from the right: '\1', '\2', ...
std::string expandEllipsis(const std::string& term, size_t dims) {
  const size_t at = term.find("...");
  if (at == std::string::npos) return term;
  std::string labels;
  for (size_t i = dims; i > 0; --i) labels += static_cast<char>(i);
  return term.substr(0, at) + labels + term.substr(at + 3);
}

struct Equation {
  std::vector<std::string> inputs;
  std::string output;
};

Equation parseEquation(std::string text, const ir::ValueList& operands) {
  std::erase(text, ' ');
  const size_t arrow = text.find("->");
  Equation out{split(std::string_view(text).substr(0, arrow), ','), {}};
  size_t most = 0;
  for (size_t i = 0; i < out.inputs.size() && i < operands.size(); ++i) {
    std::string& term = out.inputs[i];
    if (!has(term, '.')) continue;
    const size_t dims = rankOf(operands[i]) + 3 - term.size();
    most = std::max(most, dims);
    term = expandEllipsis(term, dims);
  }
  if (arrow != std::string::npos) {
    out.output = expandEllipsis(text.substr(arrow + 2), most);
    return out;
  }
  std::map<char, int> counts;
  for (const std::string& term : out.inputs) {
    for (const char label : term) ++counts[label];
  }
  for (size_t i = most; i > 0; --i) out.output += static_cast<char>(i);
  for (const auto& [label, count] : counts) {
    if (count == 1 && label > 32) out.output += label;
  }
  return out;
}

// Dimensions of size 1 stand for any size.
void broadcastLabels(Builder& build, std::vector<Labelled>& operands) {
  std::map<char, ir::SymInt> extents;
  for (const Labelled& x : operands) {
    for (const char label : x.labels) {
      ir::SymInt& known = extents.try_emplace(label, 1).first->second;
      if (known == 1) known = extent(x, std::string(1, label));
    }
  }
  for (Labelled& x : operands) {
    Sizes sizes;
    for (const char label : x.labels) sizes.push_back(extents[label]);
    x.value = build.expand(x.value, sizes);
  }
}

bool hasRepeats(std::string labels) {
  std::sort(labels.begin(), labels.end());
  return std::adjacent_find(labels.begin(), labels.end()) != labels.end();
}

Results einsum(Builder& build, const Node& node) {
  const ir::ValueList given = node.values(1);
  const Equation equation = parseEquation(node.stringArg(0), given);
  if (equation.inputs.size() != given.size() || given.empty()) return {};
  std::vector<Labelled> operands;
  for (size_t i = 0; i < given.size(); ++i) {
    const std::string& labels = equation.inputs[i];
    if (labels.size() != rankOf(given[i]) || hasRepeats(labels)) return {};  // diagonals are left out
    operands.push_back({given[i], labels});
  }
  broadcastLabels(build, operands);
  Labelled result = operands.front();
  for (size_t i = 1; i < operands.size(); ++i) {
    std::string needed = equation.output;
    for (size_t j = i + 1; j < operands.size(); ++j) needed += operands[j].labels;
    result = contract(build, result, operands[i], needed);
  }
  result = summed(build, result, equation.output);
  return {arranged(build, result, equation.output)};
}

Results tensordot(Builder& build, const Node& node) {
  Value *a = node.value(0), *b = node.value(1);
  Labelled left{a, {}}, right{b, {}};
  for (size_t i = 0; i < rankOf(a); ++i) left.labels += static_cast<char>('A' + i);
  for (size_t i = 0; i < rankOf(b); ++i) right.labels += static_cast<char>('a' + i);
  const Sizes dimsA = node.ints(2), dimsB = node.ints(3);
  for (size_t i = 0; i < dimsA.size(); ++i) {
    const auto inA = static_cast<size_t>(ir::wrapDim(dimsA[i], rankOf(a))),
               inB = static_cast<size_t>(ir::wrapDim(dimsB.at(i), rankOf(b)));
    right.labels[inB] = left.labels[inA];
  }
  std::string needed = intersect(left.labels, right.labels, false) + intersect(right.labels, left.labels, false);
  std::vector<Labelled> operands{left, right};
  broadcastLabels(build, operands);
  const Labelled result = contract(build, operands[0], operands[1], needed);
  return {arranged(build, result, needed)};
}

// Each dimension of the one interleaved with that of the other, then merged.
Results kron(Builder& build, const Node& node) {
  Sizes left = sizesOf(node.value(0)), right = sizesOf(node.value(1));
  const size_t rank = std::max(left.size(), right.size());
  left.insert(left.begin(), rank - left.size(), 1);
  right.insert(right.begin(), rank - right.size(), 1);
  Sizes spreadLeft, spreadRight;
  for (size_t i = 0; i < rank; ++i) {
    spreadLeft.insert(spreadLeft.end(), {left[i], 1});
    spreadRight.insert(spreadRight.end(), {1, right[i]});
  }
  return {build.view(build.mul(build.view(node.value(0), spreadLeft), build.view(node.value(1), spreadRight)),
                     resultSizes(node))};
}

}  // namespace

void registerContraction(DecompositionRegistry& registry) {
  registry.add({"aten.einsum.default"}, einsum);
  registry.add({"aten.tensordot.default"}, tensordot);
  registry.add({"aten.kron.default"}, kron);
}

}  // namespace exportdeck::passes::decompositions
