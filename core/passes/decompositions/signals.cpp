// Windows and frequencies as constants, spectra turned to their middle, and what is said of complex numbers of real
// ones.
#include "passes/decompositions/support.h"

namespace exportdeck::passes::decompositions {

namespace {

constexpr double kPi = 3.14159265358979323846;

template <typename Element>
Results constantOf(Builder& build, const Node& node, Element element) {
  Value* known = knownElements(build, node.output()->name(), node.output()->type(), [&](const ir::Sizes& sizes) {
    std::vector<double> values(static_cast<size_t>(sizes.at(0)));
    for (size_t i = 0; i < values.size(); ++i) values[i] = element(static_cast<double>(i));
    return values;
  });
  return known ? Results{known} : Results{};
}

// alpha - beta cos(2 pi i / n), where a window that is not periodic ends as it begins.
Results cosineWindow(Builder& build, const Node& node, double alpha, double beta, bool periodic) {
  const int64_t length = node.intArg(0);
  if (length == 1) return {build.full({1}, 1.0, resultDType(node))};
  const auto turn = static_cast<double>(periodic ? length : length - 1);
  return constantOf(build, node, [=](double i) { return alpha - beta * std::cos(2 * kPi * i / turn); });
}
bool isPeriodic(const Node& node) {
  return node.op().ends_with(".default") || node.boolArg(1);
}
Results hann(Builder& build, const Node& node) {
  return cosineWindow(build, node, 0.5, 0.5, isPeriodic(node));
}
Results hamming(Builder& build, const Node& node) {
  return cosineWindow(build, node, 0.54, 0.46, isPeriodic(node));
}

// (n, d): of n bins d apart the frequency of each; those of the second half are negative.
Results frequencies(Builder& build, const Node& node) {
  const int64_t n = node.intArg(0);
  const double step = 1 / (static_cast<double>(n) * node.floatArg(1));
  const auto positive = static_cast<double>((n + 1) / 2);
  const bool halved = node.is("aten.fft_rfftfreq.default");
  return constantOf(build, node,
                    [=](double i) { return (halved || i < positive ? i : i - static_cast<double>(n)) * step; });
}

// The middle of each dimension comes first, or goes back there.
Results shifted(Builder& build, const Node& node) {
  Value* x = node.value(0);
  const ir::Sizes dims = node.isNone(1) ? ir::Sizes(range(rankOf(x))) : node.ints(1);
  if (dims.empty()) return {x};
  ir::IntList shifts;
  for (const int64_t dim : dims) {
    const int64_t size = x->type().size(dim);
    shifts.emplace_back(node.is("aten.fft_fftshift.default") ? size / 2 : (size + 1) / 2);
  }
  return {build.node("aten.roll.default", {x, shifts, intList(dims)}, node.output()->type())};
}

Results itself(Builder& build, const Node& node) {
  return {build.cast(node.value(0), resultDType(node))};
}

// Pi below zero, NaN for NaN.
Results angleOfReal(Builder& build, const Node& node) {
  Value* x = build.cast(node.value(0), resultDType(node));
  Value* isNegative = build.compare("aten.lt.Scalar", x, int64_t{0});
  Value* angle = build.where(isNegative, build.scalar(kPi, dtypeOf(x)), build.scalar(0.0, dtypeOf(x)));
  return {build.where(build.compare("aten.ne.Tensor", x, x), x, angle)};
}

}  // namespace

void registerSignals(DecompositionRegistry& registry) {
  registry.add({"aten.hann_window.default", "aten.hann_window.periodic"}, hann);
  registry.add({"aten.hamming_window.default", "aten.hamming_window.periodic"}, hamming);
  registry.add({"aten.fft_fftfreq.default", "aten.fft_rfftfreq.default"}, frequencies);
  registry.add({"aten.fft_fftshift.default", "aten.fft_ifftshift.default"}, shifted);
  registry.add({"aten.real.default", "aten.conj.default", "aten._conj.default", "aten.conj_physical.default"}, itself);
  registry.add({"aten.angle.default"}, angleOfReal);
}

}  // namespace exportdeck::passes::decompositions
