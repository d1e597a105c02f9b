#include "backends/xnnpack/ops/repeat.h"

namespace exportdeck::backends::xnnpack {

namespace {

ValueId joined(Lowering& lowering, std::vector<ValueId> parts, ir::Shape dims) {
  Node join;
  join.kind = concatenationOf(parts.size());
  join.params = AxisParam{1};
  join.inputs = std::move(parts);
  return lowering.addStep(std::move(join), std::move(dims));
}

// The largest factor of `times` that one node can join; 1 where there is none.
int64_t factorOf(int64_t times) {
  for (auto factor = static_cast<int64_t>(kMaxJoined); factor > 1; --factor) {
    if (times % factor == 0) return factor;
  }
  return 1;
}

}  // namespace

ValueId repeated(Lowering& lowering, ValueId value, const ir::SymInt& rows, const ir::SymInt& elements, int64_t times) {
  if (times == 1) return value;
  if (const int64_t factor = factorOf(times); factor > 1) {
    const ValueId fewer = lowering.viewed(repeated(lowering, value, rows, elements, times / factor),
                                          {rows, 1, times / factor * elements});
    return joined(lowering, std::vector<ValueId>(static_cast<size_t>(factor), fewer),
                  {rows, factor, times / factor * elements});
  }
  const ValueId row = lowering.viewed(value, {rows, 1, elements});
  const ValueId fewer =
      lowering.viewed(repeated(lowering, value, rows, elements, times - 1), {rows, times - 1, elements});
  return joined(lowering, {fewer, row}, {rows, times, elements});
}

}  // namespace exportdeck::backends::xnnpack
