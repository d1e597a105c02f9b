// Graphs of kernel calls for tests of the planner and the writer.
#pragma once

#include <ctime>
#include <memory>
#include <random>
#include <vector>

#include "ir/graph.h"

namespace exportdeck::tests {

struct RandomProgramShape {
  int nodes = 50;
  int reach = 8;              // how far back operands lie
  int longLivedPercent = 10;  // operands from anywhere
  int viewPercent = 15;
  int outputs = 3;
};

// Seconds of processor time that the work takes: other programs on the machine do not count.
template <typename Work>
double processorSeconds(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}
#ifdef __SANITIZE_ADDRESS__
inline constexpr double kSlowdown = 8;  // of a build with sanitizers
#else
inline constexpr double kSlowdown = 1;
#endif

inline std::unique_ptr<ir::Graph> randomProgram(uint32_t seed, const RandomProgramShape& shape) {
  std::mt19937 random(seed);
  const auto upTo = [&](int limit) { return static_cast<int>(random() % static_cast<uint32_t>(limit)); };
  auto graph = std::make_unique<ir::Graph>();
  const auto origin = std::make_shared<const Origin>();
  std::vector<ir::Value*> values{graph->addInput("x", ir::TensorType(ir::DType::Float32, {4, 8})),
                                 graph->addInput("unused", ir::TensorType(ir::DType::Int64, {5}))};
  const auto pick = [&] {
    const int count = static_cast<int>(values.size());
    const int back = upTo(100) < shape.longLivedPercent ? upTo(count) : upTo(std::min(count, shape.reach));
    return values[static_cast<size_t>(count - 1 - back)];
  };
  for (int i = 0; i < shape.nodes; ++i) {
    ir::Value* a = pick();
    if (upTo(100) < shape.viewPercent) {
      const int64_t elements = a->type().elements();
      values.push_back(graph
                           ->addNode("aten.view_copy.default", {a, ir::itemsOf({elements})},
                                     {ir::TensorType(a->type().dtype, {elements})}, origin)
                           ->output());
      continue;
    }
    // The planner looks at results alone, so operands need not fit the operator.
    const ir::TensorType type(ir::DType::Float32, {1 + upTo(6), upTo(20) == 0 ? 0 : 1 + upTo(64)});
    if (upTo(4) == 0) {
      const auto outs = graph
                            ->addNode("aten.topk.values", {a, int64_t{1}, int64_t{-1}, true, true},
                                      {type, ir::TensorType(ir::DType::Int64, {3})}, origin)
                            ->outputs();
      values.insert(values.end(), outs.begin(), outs.end());
    } else {
      values.push_back(graph->addNode("aten.add.out", {a, pick(), int64_t{1}}, {type}, origin)->output());
    }
  }
  std::vector<ir::Argument> outputs;
  for (int i = 0; i < shape.outputs; ++i) outputs.emplace_back(pick());
  graph->setOutputs(std::move(outputs));
  return graph;
}

}  // namespace exportdeck::tests
