// Judging and lowering graphs given as text.
#pragma once

#include <QString>
#include <string>

#include "backends/backend.h"
#include "backends/xnnpack/lowering.h"
#include "ir/graph.h"

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

// The verdict on a graph's last node.
inline backends::Verdict judged(const std::string& text) {
  const auto graph = ir::parse(text);
  return backends::BackendRegistry::instance().find("xnnpack")->judge(*graph->nodes().back(), {});
}

}  // namespace exportdeck::tests
