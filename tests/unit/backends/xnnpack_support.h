// Judging and lowering graphs given as text.
#pragma once

#include <QString>
#include <string>

#include "backends/backend.h"
#include "backends/xnnpack/lowering.h"
#include "ir/graph.h"
#include "passes/passes.h"

namespace exportdeck::tests {

// Says that a 4-d value is to have its channels last.
inline void setChannelsLast(ir::Value* value) {
  ir::TensorType type = value->type();
  const int64_t c = type.size(1), h = type.size(2), w = type.size(3);
  type.strides = {c * h * w, 1, w * c, c};
  value->setType(std::move(type));
}

// The XNNPACK subgraph for a graph that is one partition, as text.
inline QString lowered(const std::string& text, bool fuseActivations = true, bool givesChannelsLast = false) {
  const auto graph = ir::parse(text);
  if (givesChannelsLast) setChannelsLast(std::get<ir::Value*>(graph->outputs().front()));
  return QString::fromStdString(backends::xnnpack::print(backends::xnnpack::Lowering(*graph, fuseActivations).run()));
}

// The graph behind the passes that keep the integers of weights.
inline std::unique_ptr<ir::Graph> quantisedGraph(const std::string& text) {
  auto graph = ir::parse(text);
  const backends::Backend* backend = backends::BackendRegistry::instance().find("xnnpack");
  DiagnosticSink diagnostics;
  const Context context{silentProgress(), {}};
  passes::PassContext pass{context, diagnostics, [&](const ir::Node& node) { return backend->judge(node, {}).taken; }};
  for (const auto& run : {passes::keepIntegers, passes::fuseDynamic, passes::simplify}) run(*graph, pass);
  return graph;
}

inline QString loweredQuantised(const std::string& text) {
  const auto graph = quantisedGraph(text);
  return QString::fromStdString(backends::xnnpack::print(backends::xnnpack::Lowering(*graph, true).run()));
}

// The verdict on a graph's last node.
inline backends::Verdict judged(const std::string& text) {
  const auto graph = ir::parse(text);
  return backends::BackendRegistry::instance().find("xnnpack")->judge(*graph->nodes().back(), {});
}

}  // namespace exportdeck::tests
