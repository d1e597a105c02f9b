#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/text.h"
#include "runtime/dtype.h"
#include "runtime/program.h"

namespace exportdeck::runtime {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Bounds {
  double absolute = 0, relative = 0, decibels = 0;
};

Bounds boundsFor(const Element& element, const Tolerance& tolerance) {
  const bool low = element.isLowPrecision();
  return {tolerance.absolute.value_or(low ? 2e-2 : 1e-4), tolerance.relative.value_or(low ? 2e-2 : 1e-3),
          tolerance.decibels.value_or(tolerance.absolute ? 20.0
                                      : low              ? 30.0
                                                         : 60.0)};
}

std::vector<const HostTensor*> tensorsOf(const std::vector<HostValue>& values) {
  std::vector<const HostTensor*> tensors;
  for (const HostValue& value : values) {
    if (const auto* tensor = std::get_if<HostTensor>(&value)) tensors.push_back(tensor);
  }
  return tensors;
}

std::string shapeText(const HostTensor& tensor) {
  return concat(tensor.dtype, "[", join(tensor.sizes, ","), "]");
}

class TensorComparison {
 public:
  TensorComparison(Comparison& result, size_t index) : result_(result), name_(concat("output ", index)) {}
  void run(const HostTensor& got, const HostTensor& want, const Tolerance& tolerance);

 private:
  void exact(const HostTensor& got, const HostTensor& want, const Element& element);
  void floating(const HostTensor& got, const HostTensor& want, const Element& element, const Bounds& bounds);
  void fail(const std::string& what) {
    if (result_.match) result_.why = concat(name_, what);
    result_.match = false;
  }
  void noteError(double error) {
    // Not a number stays: it is the worst there is.
    if (std::isnan(error) || error > result_.maxAbsoluteError) result_.maxAbsoluteError = error;
  }

  Comparison& result_;
  std::string name_;
};

void TensorComparison::run(const HostTensor& got, const HostTensor& want, const Tolerance& tolerance) {
  if (got.sizes != want.sizes || got.dtype != want.dtype)
    return fail(concat(" is ", shapeText(got), ", want ", shapeText(want)));
  if (got.bytes.size() != want.bytes.size())
    return fail(concat(" has ", got.bytes.size(), " bytes, want ", want.bytes.size()));
  const Element* element = elementNamed(got.dtype);
  if (element == nullptr || element->kind == ElementKind::Other) {
    if (got.bytes != want.bytes) fail(concat(": the bytes of a ", got.dtype, " tensor differ"));
    return;
  }
  if (element->isFloating()) return floating(got, want, *element, boundsFor(*element, tolerance));
  exact(got, want, *element);
}

// Bytes decide, so that integers beyond 2^53 are compared as such; any byte but zero is true.
void TensorComparison::exact(const HostTensor& got, const HostTensor& want, const Element& element) {
  const size_t count = want.bytes.size() / element.size;
  for (size_t i = 0; i < count; ++i) {
    const std::byte* a = got.bytes.data() + i * element.size;
    const std::byte* b = want.bytes.data() + i * element.size;
    const double g = readElement(element, a), w = readElement(element, b);
    const bool equal = element.kind == ElementKind::Bool ? g == w : std::memcmp(a, b, element.size) == 0;
    if (equal) continue;
    noteError(std::fabs(g - w));
    result_.signalToNoiseDb = -kInfinity;
    fail(concat(" element ", i, ": got ", g, ", want ", w));
  }
}

void TensorComparison::floating(const HostTensor& got, const HostTensor& want, const Element& element,
                                const Bounds& bounds) {
  const size_t count = want.bytes.size() / element.size;
  double signal = 0, noise = 0;
  for (size_t i = 0; i < count; ++i) {
    const double g = readElement(element, got.bytes.data() + i * element.size);
    const double w = readElement(element, want.bytes.data() + i * element.size);
    if (std::isfinite(w)) signal += w * w;
    if (g == w || (std::isnan(g) && std::isnan(w))) continue;
    const double error = std::fabs(g - w);
    noteError(error);
    if (std::isfinite(error)) noise += error * error;
    // An infinite `want` would make every error small.
    if (!std::isfinite(w) || !(error <= bounds.absolute + bounds.relative * std::fabs(w))) {
      fail(concat(" element ", i, ": got ", g, ", want ", w));
    }
  }
  if (noise == 0) return;
  // Element bounds alone pass an all-zero tensor against small values; rounding of zeros is no noise.
  const double decibels = signal > 0 ? 10 * std::log10(signal / noise) : -kInfinity;
  if (noise <= 1e-24 * static_cast<double>(count)) return;
  result_.signalToNoiseDb = std::min(result_.signalToNoiseDb, decibels);
  if (decibels < bounds.decibels) fail(concat(": signal to noise ", decibels, " dB, want ", bounds.decibels, " dB"));
}

}  // namespace

Comparison compare(const std::vector<HostValue>& got, const std::vector<HostValue>& want, const Tolerance& tolerance) {
  Comparison result;
  result.signalToNoiseDb = kInfinity;
  const auto gotTensors = tensorsOf(got), wantTensors = tensorsOf(want);
  if (gotTensors.size() < wantTensors.size()) {
    result.match = false;
    result.why = concat("the program returns ", gotTensors.size(), " tensors, want ", wantTensors.size());
    result.signalToNoiseDb = -kInfinity;
    return result;
  }
  const size_t leading = gotTensors.size() - wantTensors.size();
  for (size_t i = 0; i < wantTensors.size(); ++i)
    TensorComparison(result, i).run(*gotTensors[leading + i], *wantTensors[i], tolerance);
  return result;
}

}  // namespace exportdeck::runtime
