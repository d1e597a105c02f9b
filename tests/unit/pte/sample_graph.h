// A graph that uses every kind of value the writer knows.
#pragma once

#include <memory>
#include <string>

#include "ir/graph.h"

namespace exportdeck::tests {

inline constexpr const char* kSampleGraph = R"(graph forward {
  input %x : f32[2,3]
  input "flag" = true
  input "count" = 7
  input "nothing" = none
  input "factor" = 0.5
  const %w : f32[3] = "w" [1, 2, 3]
  const %w2 : f32[3] = "w2" [1, 2, 3]
  const %i : i64[2] = "i" [0, 1]
  %a : f32[2,3] = aten.add.out(%x, %w, 1)
  %b : f32[2,3] = aten.mul.out(%a, %w2)
  %v : f32[6] = aten.view_copy.default(%b, [6])
  %v2 : f32[3,2] = aten.view_copy.default(%v, [3, 2])
  %t : f32[2] = aten.sum.IntList_out(%v2, [0], false, none)
  %top : f32[2,1], %index : i64[2,1] = aten.topk.values(%b, 1, 1, true, true)
  %s0 : f32[1,3], %s1 : f32[1,3] = aten.split_copy.Tensor_out(%b, 1, 0)
  %c : f32[2,3] = aten.cat.out({%s1, %s0}, 0)
  %g : f32[2,2] = aten.index.Tensor_out(%x, {none, %i})
  %wv : f32[3,1] = aten.view_copy.default(%w, [3, 1])
  %f : f32[2,2] = aten.full.out([2, 2], 2.5)
  %e : f32[0] = aten.full.out([0], 1)
  return (%t, %top, %index, %c, %g, %wv, %f, %e, %x, %w, none, 3, true, 2.5, "text", %v2, %v2)
})";

// A delegate call of a backend that reads nothing: for tests of where blobs and named data go.
inline std::unique_ptr<ir::Graph> delegateGraph(std::vector<std::shared_ptr<const ir::DelegateBlob>> blobs) {
  auto graph = std::make_unique<ir::Graph>();
  ir::Value* value = graph->addInput("x", ir::TensorType(ir::DType::Float32, {4}));
  for (auto& blob : blobs) {
    ir::Node* node = graph->addNode(ir::kDelegateOp, {value}, {value->type()}, std::make_shared<const Origin>());
    node->blob = std::move(blob);
    value = node->output();
  }
  graph->setOutputs({value});
  return graph;
}

}  // namespace exportdeck::tests
