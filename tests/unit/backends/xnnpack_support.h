// Judging and lowering graphs given as text.
#pragma once

#include <QString>
#include <string>

#include "backends/backend.h"
#include "backends/xnnpack/lowering.h"
#include "ir/graph.h"

namespace exportdeck::tests {

// The XNNPACK subgraph for a graph that is one partition, as text.
inline QString lowered(const std::string& text, bool fuseActivations = true) {
  const auto graph = ir::parse(text);
  return QString::fromStdString(backends::xnnpack::print(backends::xnnpack::Lowering(*graph, fuseActivations).run()));
}

// The verdict on a graph's last node.
inline backends::Verdict judged(const std::string& text) {
  const auto graph = ir::parse(text);
  return backends::BackendRegistry::instance().find("xnnpack")->judge(*graph->nodes().back(), {});
}

}  // namespace exportdeck::tests
